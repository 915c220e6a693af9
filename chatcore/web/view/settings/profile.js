/** Name, picture, time zone, status, and the organization's profile fields. */

import { isAdministrator } from "../../model/rights.js";
import { Choice, Chosen, Face, Field, FileButton, Form, LongField, Picker, StatusForm } from "../kit.js";
import { call, html, isUploaded, noteSaved, personHolder, report, t } from "../kit.js";
import { FIELD, choicesOf } from "../pages/person_facts.js";
import { SettingFields, own } from "../pages/settings_fields.js";

const ZONE = [{ name: "timezone", type: "zone" }];

export function Profile({ chat }) {
  const { state, me } = chat;
  const { full_name, avatar_url, avatar_version, profile_data } = chat.people.get(me);
  const isFixed = (what) =>
    !isAdministrator(chat) &&
    (state[`realm_${what}_changes_disabled`] || state[`server_${what}_changes_disabled`]);
  const changePicture = (method, fields) => report(call(method, "users/me/avatar", fields));
  const fields = state.custom_profile_fields.map(
    (field) =>
      html`<${ProfileField} key=${field.id} chat=${chat} field=${field}
        value=${profile_data?.[field.id]?.value ?? ""} />`,
  );
  return html`
    <div class="own-picture">
      <${Face} id=${me} name=${full_name} kind="large" label=${t("settings.picture")}
        src=${isUploaded(avatar_url) && `avatar/${me}/medium?version=${avatar_version}`} />
      ${
        !isFixed("avatar") &&
        html`<${FileButton} label=${t("settings.picture.choose")} accept="image/*"
          pick=${([file]) => changePicture("POST", { file })} />
          <button type="button" hidden=${!isUploaded(avatar_url)} onClick=${() => changePicture("DELETE")}>
            ${t("settings.picture.remove")}</button>`
      }
    </div>
    <${Form} send=${(fields) => call("PATCH", "settings", fields)} isFixed=${isFixed("name")}>
      <${Field} label=${t("field.name")} name="full_name" defaultValue=${full_name} required max=${100}
        autocomplete="name" disabled=${isFixed("name")} />
    <//>
    <${SettingFields} settings=${ZONE} ...${own(chat)} />
    <section><h3>${t("status.title")}</h3><${StatusForm} chat=${chat} /></section>
    ${fields.length > 0 && html`<section><h3>${t("settings.fields")}</h3>${fields}</section>`}
  `;
}

function ProfileField({ chat, field, value }) {
  const path = "users/me/profile_data";
  const save = (wanted) =>
    report(
      wanted.length
        ? call("PATCH", path, { data: [{ id: field.id, value: wanted }] })
        : call("DELETE", path, { data: [field.id] }),
    );
  const onBlur = ({ target }) =>
    target.value !== value && target.reportValidity() && save(target.value).then(noteSaved);
  const common = { label: field.name, disabled: field.editable_by_user === false && !isAdministrator(chat) };
  if (field.type === FIELD.PEOPLE)
    return html`<${PeopleField} chat=${chat} value=${value} save=${save} ...${common} />`;
  if (field.type === FIELD.OPTIONS)
    return html`<${Choice} value=${value} options=${[["", "–"], ...choicesOf(field)]} set=${save}
      ...${common} />`;
  if (field.type === FIELD.LONG)
    return html`<${LongField} defaultValue=${value} rows="4" max=${500} onBlur=${onBlur} ...${common} />`;
  const type = { [FIELD.DATE]: "date", [FIELD.LINK]: "url" }[field.type] ?? "text";
  return html`<${Field} type=${type} defaultValue=${value} hint=${field.hint}
    max=${type === "text" ? 50 : undefined} onBlur=${onBlur} ...${common} />`;
}

function PeopleField({ chat, label, value, disabled, save }) {
  const ids = typeof value === "string" ? JSON.parse(value || "[]") : value;
  const isExcluded = ({ id }) => ids.includes(id) || chat.people.get(id)?.is_bot;
  return html`
    <fieldset class="field" disabled=${disabled}>
      <legend>${label}</legend>
      <${Chosen} chosen=${ids.map((id) => personHolder(chat, id))}
        remove=${({ id }) => save(ids.filter((one) => one !== id))} />
      <${Picker} chat=${chat} label=${t("picker.add_people")} isExcluded=${isExcluded}
        pick=${({ id }) => save([...ids, id])} />
    </fieldset>
  `;
}
