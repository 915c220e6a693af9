/** Linkifiers: patterns in messages that become links. */

import { call } from "../../api.js";
import { isAdministrator } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Content } from "../content.js";
import { Field } from "../form.js";
import { html, useEffect, useState } from "../html.js";
import { report } from "../notice.js";
import { Editable, bound } from "./editable.js";

const PAUSE = 300;

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Linkifiers({ chat }) {
  const linkifiers = chat.state.realm_linkifiers;
  return html`
    <p>${t("linkifiers.hint")}</p>
    <${Editable} label=${t("organization.linkifiers")} items=${linkifiers} nameOf=${(/** @type {any} */ one) => one.pattern} detail=${(/** @type {any} */ one) => one.url_template}
      isFixed=${!isAdministrator(chat)} empty=${{ pattern: "", url_template: "" }}
      fields=${(/** @type {any} */ draft, /** @type {any} */ change) => html`
        <${Field} label=${t("linkifiers.pattern")} required hint="#(?P<number>[0-9]+)" ...${bound(draft, change, "pattern")} />
        <${Field} label=${t("linkifiers.template")} required hint="https://tracker.example/{number}" ...${bound(draft, change, "url_template")} />`}
      save=${(/** @type {any} */ { id, pattern, url_template }, /** @type {boolean} */ isNew) => call(isNew ? "POST" : "PATCH", isNew ? "realm/filters" : `realm/filters/${id}`, { pattern, url_template })}
      remove=${(/** @type {any} */ one) => call("DELETE", `realm/filters/${one.id}`)}
      reorder=${(/** @type {number[]} */ ids) => call("PATCH", "realm/linkifiers", { ordered_linkifier_ids: ids })} />
    <${Preview} linkifiers=${linkifiers} />
  `;
}

/** A text as it would look in a message. @param {{linkifiers: any[]}} props */
function Preview({ linkifiers }) {
  const [text, setText] = useState("");
  const [rendered, setRendered] = useState("");
  useEffect(() => {
    if (!text.trim()) return setRendered("");
    const timer = setTimeout(() => report(call("POST", "messages/render", { content: text })).then((answer) => setRendered(answer?.rendered ?? "")), PAUSE);
    return () => clearTimeout(timer);
  }, [text, linkifiers]);
  return html`
    <${Field} label=${t("linkifiers.try")} value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
    ${rendered && html`<div class="preview"><${Content} content=${rendered} /></div>`}
  `;
}
