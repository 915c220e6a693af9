/** Custom fields of people's profiles. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Check, Choice, Field, LongField } from "../form.js";
import { html } from "../html.js";
import { Editable, bound } from "./editable.js";

const TYPE = { TEXT: 1, OPTIONS: 3, ACCOUNT: 7 };
const CUSTOM = "custom";
const FLAGS = ["display_in_profile_summary", "required", "editable_by_user"];

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function ProfileFields({ chat }) {
  const types = Object.values(chat.state.custom_profile_field_types).map(({ id }) => [id, t(/** @type {any} */ (`field_type.${id}`))]);
  /** @type {[string, {name: string}][]} */
  const accounts = Object.entries(chat.state.realm_default_external_accounts);
  const subtypes = [...accounts.map(([key, { name }]) => [key, name]), [CUSTOM, t("fields.other_account")]];
  return html`
    <${Editable} label=${t("organization.fields")} items=${chat.state.custom_profile_fields.map(draftOf)} nameOf=${(/** @type {any} */ one) => one.name}
      detail=${(/** @type {any} */ one) => [t(/** @type {any} */ (`field_type.${one.type}`)), one.hint].filter(Boolean).join(" · ")}
      empty=${{ name: "", hint: "", type: TYPE.TEXT, options: "", subtype: accounts[0]?.[0] ?? CUSTOM, editable_by_user: true }}
      fields=${(/** @type {any} */ draft, /** @type {any} */ change, /** @type {boolean} */ isNew) => html`
        <${Choice} label=${t("fields.type")} value=${draft.type} options=${types} disabled=${!isNew} set=${(/** @type {number} */ type) => change({ type })} />
        ${draft.type === TYPE.ACCOUNT && html`<${Choice} label=${t("fields.account")} value=${draft.subtype} options=${subtypes} disabled=${!isNew} set=${(/** @type {string} */ subtype) => change({ subtype })} />`}
        ${
          hasName(draft, isNew) &&
          html`
          <${Field} label=${t("field.name")} required maxlength="40" ...${bound(draft, change, "name")} />
          <${Field} label=${t("fields.hint")} maxlength="80" ...${bound(draft, change, "hint")} />`
        }
        ${draft.type === TYPE.ACCOUNT && draft.subtype === CUSTOM && html`<${Field} label=${t("fields.url")} required hint="https://example.com/%(username)s" ...${bound(draft, change, "url_pattern")} />`}
        ${draft.type === TYPE.OPTIONS && html`<${LongField} label=${t("fields.options")} required rows="5" ...${bound(draft, change, "options")} />`}
        ${FLAGS.map((name) => html`<${Check} key=${name} label=${t(/** @type {any} */ (`fields.${name}`))} isOn=${!!draft[name]} set=${(/** @type {boolean} */ isOn) => change({ [name]: isOn })} />`)}`}
      save=${(/** @type {any} */ draft, /** @type {boolean} */ isNew) => call(isNew ? "POST" : "PATCH", isNew ? "realm/profile_fields" : `realm/profile_fields/${draft.id}`, requestOf(draft, isNew))}
      remove=${(/** @type {any} */ one) => call("DELETE", `realm/profile_fields/${one.id}`)}
      reorder=${(/** @type {number[]} */ order) => call("PATCH", "realm/profile_fields", { order })} />
  `;
}

/** Whether the name and hint are chosen; known accounts have their own. @param {any} draft @param {boolean} isNew */
const hasName = (draft, isNew) => !isNew || draft.type !== TYPE.ACCOUNT || draft.subtype === CUSTOM;

/** @param {any} field */
function draftOf(field) {
  const data = field.field_data ? JSON.parse(field.field_data) : {};
  if (field.type === TYPE.ACCOUNT) return { ...field, ...data };
  const choices = Object.values(data).sort((a, b) => Number(a.order) - Number(b.order));
  return { ...field, choices: data, options: choices.map(({ text }) => text).join("\n") };
}

/** @param {any} draft @param {boolean} isNew */
function requestOf(draft, isNew) {
  const fields = Object.fromEntries(FLAGS.map((name) => [name, !!draft[name]]));
  return {
    ...fields,
    ...(hasName(draft, isNew) && { name: draft.name, hint: draft.hint }),
    field_type: isNew ? draft.type : undefined,
    field_data: fieldData(draft, isNew),
  };
}

/** @param {any} draft @param {boolean} isNew */
function fieldData({ type, options, choices = {}, subtype, url_pattern }, isNew) {
  if (type === TYPE.ACCOUNT) return subtype === CUSTOM ? { subtype, url_pattern } : isNew ? { subtype } : undefined;
  if (type !== TYPE.OPTIONS) return undefined;
  const keys = new Map(Object.entries(choices).map(([key, { text }]) => [text, key]));
  let last = Math.max(0, ...Object.keys(choices).map(Number).filter(Number.isFinite));
  const texts = options
    .split("\n")
    .map((/** @type {string} */ one) => one.trim())
    .filter(Boolean);
  return Object.fromEntries(texts.map((/** @type {string} */ text, /** @type {number} */ at) => [keys.get(text) ?? `${++last}`, { text, order: `${at + 1}` }]));
}
