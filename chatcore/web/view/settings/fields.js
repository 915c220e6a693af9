/** The profile fields of the organization, with inputs for each kind. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Choice, Field, LongField } from "../form.js";
import { html } from "../html.js";
import { report } from "../notice.js";

const LONG_TEXT = 2;
const OPTIONS = 3;
const DATE = 4;
const LINK = 5;
const PEOPLE = 6;

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function ProfileFields({ chat }) {
  const fields = chat.state.custom_profile_fields;
  if (!fields.length) return null;
  const profile = /** @type {any} */ (chat.people.get(chat.me))?.profile_data ?? {};
  return html`
    <section>
      <h2>${t("settings.fields")}</h2>
      ${fields.map((/** @type {any} */ field) => html`<${ProfileField} key=${field.id} chat=${chat} field=${field} value=${profile[field.id]?.value ?? ""} />`)}
    </section>
  `;
}

/** @param {{chat: import("../../model/chat.js").Chat, field: any, value: any}} props */
function ProfileField({ chat, field, value }) {
  const save = (/** @type {unknown} */ wanted) => {
    const isEmpty = wanted === "" || (Array.isArray(wanted) && !wanted.length);
    report(
      isEmpty
        ? call("DELETE", "users/me/profile_data", { data: [field.id] })
        : call("PATCH", "users/me/profile_data", { data: [{ id: field.id, value: wanted }] }),
    );
  };
  const onBlur = (/** @type {any} */ { target }) => target.value !== value && target.reportValidity() && save(target.value);
  const common = { label: field.name, disabled: field.editable_by_user === false && !chat.state.is_admin };
  if (field.type === PEOPLE) return html`<${People} chat=${chat} value=${value} save=${save} ...${common} />`;
  if (field.type === OPTIONS) {
    const choices = Object.entries(JSON.parse(field.field_data)).sort(([, one], [, other]) => one.order - other.order);
    const options = [["", "–"], ...choices.map(([key, { text }]) => [key, text])];
    return html`<${Choice} value=${value} options=${options} set=${save} ...${common} />`;
  }
  if (field.type === LONG_TEXT) return html`<${LongField} key=${value} defaultValue=${value} rows="4" maxlength="500" onBlur=${onBlur} ...${common} />`;
  const type = field.type === DATE ? "date" : field.type === LINK ? "url" : "text";
  return html`<${Field} key=${value} type=${type} defaultValue=${value} hint=${field.hint} maxlength=${type === "text" ? 50 : undefined} onBlur=${onBlur} ...${common} />`;
}

/** @param {{chat: import("../../model/chat.js").Chat, label: string, value: any, disabled: boolean, save: (ids: number[]) => void}} props */
function People({ chat, label, value, disabled, save }) {
  /** @type {number[]} */
  const ids = typeof value === "string" ? JSON.parse(value || "[]") : value;
  const others = [...chat.people.values()]
    .filter((one) => !one.is_bot && one.is_active !== false && !ids.includes(one.user_id))
    .sort((one, other) => one.full_name.localeCompare(other.full_name));
  const options = [[0, t("settings.fields.add")], ...others.map((one) => [one.user_id, one.full_name])];
  return html`
    <fieldset class="field" disabled=${disabled}>
      <legend>${label}</legend>
      <ul class="rows">
        ${ids.map(
          (id) => html`<li key=${id}><span dir="auto">${chat.name(id)}</span>
          <button type="button" aria-label=${t("settings.remove_one", { name: chat.name(id) })} onClick=${() => save(ids.filter((one) => one !== id))}>×</button></li>`,
        )}
      </ul>
      <${Choice} key=${ids.join()} label=${t("settings.fields.add")} value=${0} options=${options} set=${(/** @type {number} */ id) => id && save([...ids, id])} />
    </fieldset>
  `;
}
