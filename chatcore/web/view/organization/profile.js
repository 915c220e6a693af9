/** The name, description and pictures of the organization. */

import { isAdministrator } from "../../model/rights.js";
import { Fact, Field, FileButton, Form, LongField, call, html, report, saved, t } from "../kit.js";

/** @typedef {{path: string, name: string, fields?: Record<string, string>, label: "profile.icon" | "profile.logo" | "profile.night_logo"}} Picture */

/** The state has the address and the source of each, after its name. @type {Picture[]} */
const PICTURES = [
  { path: "realm/icon", name: "realm_icon", label: "profile.icon" },
  { path: "realm/logo", name: "realm_logo", fields: { night: "false" }, label: "profile.logo" },
  { path: "realm/logo", name: "realm_night_logo", fields: { night: "true" }, label: "profile.night_logo" },
];
const UPLOADED = "U";
export const PICTURE_TYPES = "image/png,image/gif,image/jpeg,image/webp";

/** @param {{chat: Chat}} props */
export function OrganizationProfile({ chat }) {
  const { realm_name, realm_description } = chat.state;
  if (!isAdministrator(chat))
    return html`
    <dl class="facts">
      <${Fact} name=${t("field.name")}>${realm_name}<//>
      <${Fact} name=${t("field.description")}>${realm_description}<//>
      ${PICTURES.map((one) => html`<${Fact} key=${one.label} name=${t(one.label)}><${ShownPicture} chat=${chat} picture=${one} /><//>`)}
    </dl>
  `;
  return html`
    <${Form} key=${`${realm_name}\n${realm_description}`} send=${(/** @type {object} */ fields) => call("PATCH", "realm", { ...fields })}>
      <${Field} label=${t("field.name")} name="name" required maxlength="40" defaultValue=${realm_name} />
      <${LongField} label=${t("field.description")} name="description" rows="4" maxlength="1000" defaultValue=${realm_description} />
    <//>
    ${PICTURES.map((one) => html`<${PictureField} key=${one.label} chat=${chat} picture=${one} />`)}
  `;
}

/** @param {{chat: Chat, picture: Picture}} props */
const ShownPicture = ({ chat, picture: { name, label } }) =>
  html`<img class="shown-picture" src=${chat.state[`${name}_url`].replace(/^\//, "")} alt=${t(label)} />`;

/** @param {{chat: Chat, picture: Picture}} props */
function PictureField({ chat, picture }) {
  const { path, name, fields, label } = picture;
  const replace = (/** @type {File[]} */ [file]) => saved(call("POST", path, { file, ...fields }));
  const remove = () => report(call("DELETE", path, fields));
  return html`
    <div class="bar">
      <${ShownPicture} chat=${chat} picture=${picture} />
      <span>${t(label)}</span>
      <${FileButton} label=${`${t("settings.picture.choose")}: ${t(label)}`} accept=${PICTURE_TYPES} pick=${replace}>${t("settings.picture.choose")}<//>
      ${chat.state[`${name}_source`] === UPLOADED && html`<button type="button" aria-label=${t("picker.remove", { name: t(label) })} onClick=${remove}>${t("rows.remove")}</button>`}
    </div>
  `;
}
