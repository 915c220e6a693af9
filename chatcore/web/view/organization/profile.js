/** The name, description and pictures of the organization. */

import { call, upload } from "../../api.js";
import { isAdministrator } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Field, LongField, submitted } from "../form.js";
import { html } from "../html.js";
import { report, saved } from "../notice.js";

/** @typedef {{path: string, url: string, source: string, fields: Record<string, string>, label: "profile.icon" | "profile.logo" | "profile.night_logo"}} Picture */

/** @type {Picture[]} */
const PICTURES = [
  { path: "realm/icon", url: "realm_icon_url", source: "realm_icon_source", fields: {}, label: "profile.icon" },
  { path: "realm/logo", url: "realm_logo_url", source: "realm_logo_source", fields: { night: "false" }, label: "profile.logo" },
  { path: "realm/logo", url: "realm_night_logo_url", source: "realm_night_logo_source", fields: { night: "true" }, label: "profile.night_logo" },
];
const UPLOADED = "U";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Profile({ chat }) {
  const { realm_name, realm_description } = chat.state;
  const isFixed = !isAdministrator(chat);
  return html`
    <form key=${`${realm_name}\n${realm_description}`} onSubmit=${(/** @type {Event} */ event) => saved(call("PATCH", "realm", submitted(event)))}>
      <${Field} label=${t("field.name")} name="name" required maxlength="40" defaultValue=${realm_name} disabled=${isFixed} />
      <${LongField} label=${t("field.description")} name="description" rows="4" maxlength="1000" defaultValue=${realm_description} disabled=${isFixed} />
      ${!isFixed && html`<p class="bar"><button class="primary">${t("action.save")}</button></p>`}
    </form>
    ${PICTURES.map((one) => html`<${PictureField} key=${one.label} chat=${chat} picture=${one} isFixed=${isFixed} />`)}
  `;
}

/** @param {{chat: import("../../model/chat.js").Chat, picture: Picture, isFixed: boolean}} props */
function PictureField({ chat, picture: { path, url, source, fields, label }, isFixed }) {
  const replace = (/** @type {any} */ { target }) => {
    if (target.files[0]) saved(upload(target.files[0], () => {}, path, fields));
    target.value = "";
  };
  return html`
    <div class="bar">
      <img class="shown-picture" src=${chat.state[url].replace(/^\//, "")} alt=${t(label)} />
      ${
        !isFixed &&
        html`
        <${Field} label=${t(label)} type="file" accept="image/png,image/gif,image/jpeg,image/webp" onChange=${replace} />
        ${chat.state[source] === UPLOADED && html`<button type="button" aria-label=${t("picker.remove", { name: t(label) })} onClick=${() => report(call("DELETE", path, fields))}>${t("rows.remove")}</button>`}`
      }
    </div>
  `;
}
