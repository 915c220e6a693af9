/** Changes of accounts by administrators. */

import { call } from "../../api.js";
import { ROLE, isOwner } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Choice } from "../form.js";
import { html } from "../html.js";
import { report } from "../notice.js";

/** @typedef {{chat: import("../../model/chat.js").Chat, person: any}} Props */

/** The roles that the reader may give. @param {import("../../model/chat.js").Chat} chat @param {number} [present] @returns {[number, string][]} */
export function roleOptions(chat, present) {
  const roles = Object.values(ROLE).filter((role) => role === present || role !== ROLE.OWNER || isOwner(chat));
  return roles.map((role) => [role, t(/** @type {any} */ (`role.${role}`))]);
}

/** Whether only owners may change an account. @param {Props} props */
const isForOwners = ({ chat, person }) => person.role === ROLE.OWNER && !isOwner(chat);

/** @param {Props} props */
export function RoleChoice({ chat, person }) {
  return html`<${Choice} label=${t("person.role")} aria-label=${`${t("person.role")}: ${person.full_name}`} value=${person.role} options=${roleOptions(chat, person.role)}
    disabled=${!person.is_active || isForOwners({ chat, person })} set=${(/** @type {number} */ role) => report(call("PATCH", `users/${person.user_id}`, { role }))} />`;
}

/** @param {Props} props */
export function Activity({ chat, person }) {
  const { user_id: id, full_name: name, is_active } = person;
  const change = () => {
    if (!is_active) report(call("POST", `users/${id}/reactivate`));
    else if (confirm(t("person.deactivate_sure", { name }))) report(call("DELETE", person.is_bot ? `bots/${id}` : `users/${id}`));
  };
  if (id === chat.me || person.is_system_bot || isForOwners({ chat, person })) return null;
  const text = t(is_active ? "action.deactivate" : "action.reactivate");
  return html`<button type="button" aria-label=${`${text}: ${name}`} onClick=${change}>${text}</button>`;
}
