/** Custom fields of people's profiles. */

import { Check, Choice, Field, LongField, call, html, named, t, useState } from "../kit.js";
import { FIELD, choicesOf } from "../people.js";
import { Editable } from "./editable.js";

const CUSTOM = "custom";
const FLAGS = ["display_in_profile_summary", "required", "editable_by_user"];

/** @param {{chat: Chat}} props */
export function ProfileFields({ chat }) {
  return html`
    <${Editable} label=${t("organization.fields")} items=${chat.state.custom_profile_fields} path="realm/profile_fields" fields=${FieldFields} requestOf=${requestOf}
      nameOf=${(/** @type {any} */ one) => one.name} detailOf=${(/** @type {any} */ one) => [named("field_type", one.type), one.hint].filter(Boolean).join(" · ")}
      reorder=${(/** @type {number[]} */ order) => call("PATCH", "realm/profile_fields", { order })} />
  `;
}

/** What a field knows beside its name: the options, or the kind of the account. @param {any} item */
const dataOf = (item) => JSON.parse(item?.field_data || "{}");

/** @param {{chat: Chat, item: any}} props */
function FieldFields({ chat, item }) {
  const isNew = !item;
  const { custom_profile_field_types: known, realm_default_external_accounts: accounts } = chat.state;
  const types = Object.values(known).map(({ id }) => [id, named("field_type", id)]);
  const subtypes = [...Object.entries(accounts).map(([key, { name }]) => [key, name]), [CUSTOM, t("fields.other_account")]];
  const [type, setType] = useState(item?.type ?? FIELD.TEXT);
  const [subtype, setSubtype] = useState(dataOf(item).subtype ?? subtypes[0][0]);
  const isAccount = type === FIELD.ACCOUNT;
  return html`
    <${Choice} label=${t("fields.type")} name="type" value=${type} options=${types} disabled=${!isNew} set=${setType} />
    ${isAccount && html`<${Choice} label=${t("settings.account")} name="subtype" value=${subtype} options=${subtypes} disabled=${!isNew} set=${setSubtype} />`}
    ${
      (!isNew || !isAccount || subtype === CUSTOM) && // known accounts have their own
      html`
      <${Field} label=${t("field.name")} required maxlength="40" name="name" defaultValue=${item?.name} />
      <${Field} label=${t("fields.hint")} maxlength="80" name="hint" defaultValue=${item?.hint} />`
    }
    ${isAccount && subtype === CUSTOM && html`<${Field} label=${t("fields.url")} required hint="https://example.com/%(username)s" name="url_pattern" defaultValue=${dataOf(item).url_pattern} />`}
    ${
      type === FIELD.OPTIONS &&
      html`<${LongField} label=${t("fields.options")} required rows="5" name="options" defaultValue=${
        item &&
        choicesOf(item)
          .map(([, text]) => text)
          .join("\n")
      } />`
    }
    ${FLAGS.map((name) => html`<${Check} key=${name} label=${named("fields", name)} name=${name} isOn=${!!(item ?? { editable_by_user: true })[name]} />`)}
  `;
}

/** @param {any} values @param {any} item */
function requestOf({ name, hint, ...values }, item) {
  const flags = Object.fromEntries(FLAGS.map((one) => [one, one in values]));
  return { ...flags, name, hint, field_type: item ? undefined : Number(values.type), field_data: fieldData(values, item) };
}

/** @param {any} values @param {any} item */
function fieldData({ type, options = "", subtype, url_pattern }, item) {
  const data = dataOf(item);
  const isType = (/** @type {number} */ wanted) => (item?.type ?? Number(type)) === wanted;
  if (isType(FIELD.ACCOUNT) && (subtype ?? data.subtype) === CUSTOM) return { subtype: CUSTOM, url_pattern };
  if (isType(FIELD.ACCOUNT)) return item ? undefined : { subtype };
  if (!isType(FIELD.OPTIONS)) return undefined;
  const keys = new Map(item ? choicesOf(item).map(([key, text]) => [text, key]) : []);
  let last = Math.max(0, ...Object.keys(data).map(Number).filter(Number.isFinite));
  const texts = options
    .split("\n")
    .map((/** @type {string} */ one) => one.trim())
    .filter(Boolean);
  return Object.fromEntries(texts.map((/** @type {string} */ text, /** @type {number} */ at) => [keys.get(text) ?? `${++last}`, { text, order: `${at + 1}` }]));
}
