/** Permissions: fields in which a group, or people and groups, are chosen. */

import { call } from "../api.js";
import { named, t } from "../text/text.js";
import { Choice } from "./form.js";
import { html, useState } from "./html.js";
import { report } from "./notice.js";
import { Chosen, Picker, groupName } from "./picker.js";

/** @typedef {import("../model/chat.js").Chat} Chat @typedef {import("../model/permissions.js").Holders} Holders */

/** The groups that may hold a permission. @param {Chat} chat @param {any} rule */
function allowedGroups(chat, rule) {
  const isAllowed = (/** @type {any} */ group) => {
    if (!group.is_system_group) return !rule.require_system_group && !group.deactivated;
    if (rule.allowed_system_groups?.length) return rule.allowed_system_groups.includes(group.name);
    return rule[`allow_${group.name.slice("role:".length)}_group`] ?? true;
  };
  return chat.groups.filter(isAllowed);
}

/**
 * All permissions of the organization, a channel or a group.
 *
 * @param {{chat: Chat, kind: "realm" | "stream" | "group", path: string, holdersOf: (name: string) => Holders, isFixed: (name: string) => boolean}} props
 *   `path` is the endpoint that changes them
 */
export function Permissions({ chat, kind, path, holdersOf, isFixed }) {
  return Object.entries(chat.state.server_supported_permission_settings[kind]).map(
    ([name, rule]) => html`
    <${Permission} key=${name} chat=${chat} label=${named("permission", name)} rule=${rule} value=${holdersOf(name)} isFixed=${isFixed(name)}
      set=${(/** @type {Holders} */ value) => report(call("PATCH", path, { [name]: { new: value, old: holdersOf(name) } }))} />`,
  );
}

/** @param {{chat: Chat, label: string, rule: any, value: Holders, isFixed: boolean, set: (value: Holders) => void}} props */
function Permission({ chat, label, rule, value, isFixed, set }) {
  const [isOpen, setOpen] = useState(false);
  const groups = allowedGroups(chat, rule);
  const held = typeof value === "number" && !groups.some((one) => one.id === value) ? chat.groups.filter((one) => one.id === value) : [];
  /** @type {[unknown, string][]} */
  const options = [...groups, ...held].map((one) => [one.id, groupName(one)]);
  if (!rule.require_system_group)
    options.push([
      "custom",
      typeof value === "number"
        ? t("permission.custom")
        : chosenOf(chat, value)
            .map(({ name }) => name)
            .join(", "),
    ]);
  const choose = (/** @type {any} */ chosen) => (chosen === "custom" ? setOpen(true) : set(chosen));
  return html`
    <div class="permission">
      <${Choice} label=${label} value=${typeof value === "number" && !isOpen ? value : "custom"} options=${options} set=${choose} disabled=${isFixed} />
      ${!isFixed && typeof value !== "number" && !isOpen && html`<button type="button" class="link" aria-label=${`${t("action.edit")}: ${label}`} onClick=${() => setOpen(true)}>${t("action.edit")}</button>`}
      ${isOpen && html`<${Custom} chat=${chat} label=${label} start=${value} groups=${groups} close=${() => setOpen(false)} set=${set} />`}
    </div>
  `;
}

/** @param {Chat} chat @param {Holders} value */
function chosenOf(chat, value) {
  const { direct_members, direct_subgroups } = typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
  const groups = chat.groups.filter((one) => direct_subgroups.includes(one.id) && one.name !== "role:nobody");
  return [
    ...groups.map((one) => ({ id: one.id, isGroup: true, name: groupName(one) })),
    ...direct_members.map((id) => ({ id, isGroup: false, name: chat.name(id) })),
  ];
}

/** @param {{chat: Chat, label: string, start: Holders, groups: any[], close: () => void, set: (value: Holders) => void}} props */
function Custom({ chat, label, start, groups, close, set }) {
  const [chosen, setChosen] = useState(() => chosenOf(chat, start).map(({ id, isGroup }) => ({ id, isGroup })));
  const is = (/** @type {number} */ id, /** @type {boolean} */ isGroup) => (/** @type {any} */ one) => one.id === id && one.isGroup === isGroup;
  const shown = chosen.map((one) => ({ ...one, name: one.isGroup ? groupName(chat.groups.find((group) => group.id === one.id)) : chat.name(one.id) }));
  const save = () => {
    const ids = (/** @type {boolean} */ isGroup) => chosen.filter((one) => one.isGroup === isGroup).map((one) => one.id);
    set({ direct_members: ids(false), direct_subgroups: ids(true) });
    close();
  };
  return html`
    <fieldset>
      <legend>${label}</legend>
      <${Chosen} chosen=${shown} remove=${(/** @type {number} */ id, /** @type {boolean} */ isGroup) => setChosen(chosen.filter((one) => !is(id, isGroup)(one)))} />
      <${Picker} chat=${chat} label=${t("picker.add")} groups=${groups} isOut=${(/** @type {number} */ id, /** @type {boolean} */ isGroup) => chosen.some(is(id, isGroup))}
        pick=${(/** @type {number} */ id, /** @type {boolean} */ isGroup) => setChosen([...chosen, { id, isGroup }])} />
      <button type="button" class="primary" onClick=${save}>${t("action.save")}</button>
      <button type="button" onClick=${close}>${t("action.cancel")}</button>
    </fieldset>
  `;
}
