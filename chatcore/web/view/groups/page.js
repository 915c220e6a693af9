/** The groups of people, and the page of each. */

import { call } from "../../api.js";
import { may } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Choice, Field, submitted } from "../form.js";
import { html, useState } from "../html.js";
import { report } from "../notice.js";
import { groupName } from "../picker.js";
import { Rows } from "../rows.js";
import { Group } from "./group.js";

/** @typedef {import("../../model/chat.js").Chat} Chat */

/** @type {Record<string, (group: any) => boolean>} */
const SHOWN = {
  named: (one) => !one.is_system_group && !one.deactivated,
  roles: (one) => one.is_system_group,
  inactive: (one) => one.deactivated,
};

/** @param {import("../pages.js").PageProps} props */
export function Groups({ chat, parts: [part] }) {
  const group = chat.groups.find((one) => one.id === Number(part));
  const page =
    part === "new" ? html`<${NewGroup} chat=${chat} />` : group ? html`<${Group} key=${part} chat=${chat} group=${group} />` : html`<${List} chat=${chat} />`;
  return html`<div class="subpage">${page}</div>`;
}

/** @param {{chat: Chat}} props */
function List({ chat }) {
  const [shown, setShown] = useState("named");
  return html`
    <section>
      ${may(chat, "can_create_groups") && html`<p class="bar"><a class="button" href="#groups/new">${t("groups.new")}</a></p>`}
      <${Rows} label=${t("nav.groups")} items=${chat.groups.filter(SHOWN[shown])} nameOf=${groupName}
        row=${(/** @type {any} */ one) => html`
          <li key=${one.id}>
            <div><a href=${`#groups/${one.id}`} dir="auto">${groupName(one)}</a>
              <small dir="auto">${t("groups.count", { count: one.members.length })}${!one.is_system_group && one.description && ` · ${one.description}`}</small></div>
          </li>`}>
        <${Choice} label=${t("channels.shown")} value=${shown} options=${Object.keys(SHOWN).map((name) => [name, t(/** @type {any} */ (`groups.${name}`))])} set=${setShown} />
      <//>
    </section>
  `;
}

/** @param {{chat: Chat}} props */
function NewGroup({ chat }) {
  const create = async (/** @type {Event} */ event) => {
    const answer = await report(call("POST", "user_groups/create", { ...submitted(event), members: [chat.me] }));
    if (answer) location.hash = `#groups/${answer.group_id}`;
  };
  return html`
    <form onSubmit=${create}>
      <h2>${t("groups.new")}</h2>
      <${Field} label=${t("field.name")} name="name" required maxlength="100" />
      <${Field} label=${t("field.description")} name="description" />
      <p class="bar"><button class="primary">${t("group.create")}</button> <a class="button" href="#groups">${t("action.cancel")}</a></p>
    </form>
  `;
}
