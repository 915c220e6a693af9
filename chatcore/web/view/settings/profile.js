/** Name, picture, time zone, status, and the organization's profile fields. */

import { isAdministrator } from "../../model/rights.js";
import { Choice, Field, FileButton, Form, LongField, StatusForm, call, html, report, t } from "../kit.js";
import { Chosen, Picker, personHolder } from "../picker.js";
import { FIELD, choicesOf } from "../people.js";
import { SettingFields } from "../settings_fields.js";

const ZONE = [{ name: "timezone", type: "zone" }];

/** @param {{chat: Chat}} props */
export function Profile({ chat }) {
  const { state, settings } = chat;
  const isFixed = (/** @type {string} */ what) =>
    !isAdministrator(chat) && (state[`realm_${what}_changes_disabled`] || state[`server_${what}_changes_disabled`]);
  const me = /** @type {Person} */ (chat.people.get(chat.me));
  const change = (/** @type {Record<string, unknown>} */ fields) => call("PATCH", "settings", fields);
  return html`
    <${OwnPicture} person=${me} isFixed=${isFixed("avatar")} />
    <${Form} send=${change} isFixed=${isFixed("name")}>
      <${Field} label=${t("field.name")} name="full_name" defaultValue=${me.full_name} required maxlength="100" autocomplete="name" disabled=${isFixed("name")} />
    <//>
    <${SettingFields} chat=${chat} settings=${ZONE} read=${() => settings.timezone} set=${(/** @type {string} */ name, /** @type {string} */ value) => report(change({ [name]: value }))} />
    <section>
      <h3>${t("status.title")}</h3>
      <${StatusForm} chat=${chat} />
    </section>
    ${
      state.custom_profile_fields.length > 0 &&
      html`
      <section>
        <h3>${t("settings.fields")}</h3>
        ${state.custom_profile_fields.map((field) => html`<${ProfileField} key=${field.id} chat=${chat} field=${field} value=${me.profile_data?.[field.id]?.value ?? ""} />`)}
      </section>`
    }
  `;
}

/** @param {{person: Person, isFixed: boolean}} props */
function OwnPicture({ person, isFixed }) {
  const path = "users/me/avatar";
  const choose = (/** @type {File[]} */ [file]) => report(call("POST", path, { file }));
  return html`
    <div class="own-picture">
      <img src=${`avatar/${person.user_id}/medium?version=${person.avatar_version}`} alt=${t("settings.picture")} width="96" height="96" />
      ${!isFixed && html`<${FileButton} label=${t("settings.picture.choose")} accept="image/*" pick=${choose} />`}
      <button type="button" hidden=${isFixed} onClick=${() => report(call("DELETE", path))}>${t("settings.picture.remove")}</button>
    </div>
  `;
}

/** @param {{chat: Chat, field: any, value: any}} props */
function ProfileField({ chat, field, value }) {
  const path = "users/me/profile_data";
  const save = (/** @type {string | number[]} */ wanted) =>
    report(wanted.length ? call("PATCH", path, { data: [{ id: field.id, value: wanted }] }) : call("DELETE", path, { data: [field.id] }));
  const onBlur = (/** @type {any} */ { target }) => target.value !== value && target.reportValidity() && save(target.value);
  const common = { label: field.name, disabled: field.editable_by_user === false && !isAdministrator(chat) };
  if (field.type === FIELD.PEOPLE) return html`<${PeopleField} chat=${chat} value=${value} save=${save} ...${common} />`;
  if (field.type === FIELD.OPTIONS) return html`<${Choice} value=${value} options=${[["", "–"], ...choicesOf(field)]} set=${save} ...${common} />`;
  if (field.type === FIELD.LONG) return html`<${LongField} key=${value} defaultValue=${value} rows="4" maxlength="500" onBlur=${onBlur} ...${common} />`;
  const type = { [FIELD.DATE]: "date", [FIELD.LINK]: "url" }[field.type] ?? "text";
  return html`<${Field} key=${value} type=${type} defaultValue=${value} hint=${field.hint} maxlength=${type === "text" ? 50 : undefined} onBlur=${onBlur} ...${common} />`;
}

/** @param {{chat: Chat, label: string, value: any, disabled: boolean, save: (ids: number[]) => void}} props */
function PeopleField({ chat, label, value, disabled, save }) {
  /** @type {number[]} */
  const ids = typeof value === "string" ? JSON.parse(value || "[]") : value;
  const isOut = (/** @type {{id: number}} */ { id }) => ids.includes(id) || chat.people.get(id)?.is_bot;
  return html`
    <fieldset class="field" disabled=${disabled}>
      <legend>${label}</legend>
      <${Chosen} chosen=${ids.map((id) => personHolder(chat, id))} remove=${(/** @type {{id: number}} */ { id }) => save(ids.filter((one) => one !== id))} />
      <${Picker} chat=${chat} label=${t("picker.add_people")} isOut=${isOut} pick=${(/** @type {{id: number}} */ { id }) => save([...ids, id])} />
    </fieldset>
  `;
}
