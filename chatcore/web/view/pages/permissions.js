/** Permissions: fields in which a group, or people and groups, are chosen. */

import { Choice, Selection } from "../kit.js";
import { call, groupHolder, groupName, html, named, personHolder, report, t, useState } from "../kit.js";

/** The groups that may hold a permission. @param {Chat} chat @param {any} rule */
const allowedGroups = (chat, rule) =>
  chat.groups.filter(({ is_system_group, name, deactivated }) => {
    if (!is_system_group) return !rule.require_system_group && !deactivated;
    if (rule.allowed_system_groups?.length) return rule.allowed_system_groups.includes(name);
    return rule[`allow_${name.slice("role:".length)}_group`] ?? true;
  });

/**
 * All permissions of the organization, a channel or a group, which `kind` names; `path` is the endpoint that
 * changes them.
 */
export function Permissions({ chat, kind, path, holdersOf, isFixed }) {
  const set = (name) => (value) =>
    report(call("PATCH", path, { [name]: { new: value, old: holdersOf(name) } }));
  const fields = Object.entries(chat.state.server_supported_permission_settings[kind]);
  const field = ([name, rule]) => html`
    <${PermissionField} key=${name} chat=${chat} label=${named("permission", name)} rule=${rule}
      hint=${HINTS[name]} value=${holdersOf(name)} isFixed=${isFixed(name)} set=${set(name)} />`;
  if (kind !== "realm") return html`<div class="group">${fields.map(field)}</div>`;
  return TOPICS.map(
    (topic) => html`
    <section class="group" key=${topic}><h3>${t(topic)}</h3>
      ${fields.filter(([name]) => topicOf(name) === topic).map(field)}</section>`,
  );
}

/** What the permissions of the organization are about. @type {TextName[]} */
const TOPICS = ["list.messages", "nav.channels", "nav.people"];

/** What one is about. @param {string} name */
function topicOf(name) {
  if (name === "can_summarize_topics_group") return ""; // the server makes no summaries
  if (/message|mention|topics/.test(name)) return TOPICS[0];
  return TOPICS[/channel|subscriber/.test(name) ? 1 : 2];
}

/** Permissions whose names do not say all. @type {Record<string, TextName>} */
const HINTS = {
  can_access_all_users_group: "hint.can_access_all_users_group",
  can_mention_many_users_group: "hint.can_mention_many_users_group",
  direct_message_initiator_group: "hint.direct_message_initiator_group",
  direct_message_permission_group: "hint.direct_message_permission_group",
};

/** Those of a channel or a group, which has each as a field, below a heading that opens them. */
export const FoldedPermissions = ({ thing, isFixed, ...props }) => html`
  <details>
    <summary><h3>${t("organization.permissions")}</h3></summary>
    <${Permissions} ...${props} holdersOf=${(name) => thing[name]} isFixed=${() => isFixed} />
  </details>
`;

function PermissionField({ chat, label, hint, rule, value, isFixed, set }) {
  const [isOpen, setOpen] = useState(false);
  const isGroup = typeof value === "number";
  const groups = allowedGroups(chat, rule);
  const held = chat.groups.filter((one) => one.id === value && !groups.includes(one));
  const options = [...groups, ...held].map((one) => [one.id, groupName(one)]);
  const chosen = chosenOf(chat, value).map((one) => one.name);
  if (!rule.require_system_group)
    options.push(["custom", isGroup ? t("permission.custom") : chosen.join(", ")]);
  const choose = (to) => (to === "custom" ? setOpen(true) : set(to));
  const edit = t("action.edit");
  return html`
    <div class="permission">
      <${Choice} label=${label} hint=${hint && t(hint)}
        value=${isGroup && !isOpen ? value : "custom"} options=${options} set=${choose} disabled=${isFixed} />
      ${
        !isFixed &&
        !isGroup &&
        !isOpen &&
        html`<button type="button" class="link" aria-label=${`${edit}: ${label}`}
          onClick=${() => setOpen(true)}>${edit}</button>`
      }
      ${
        isOpen &&
        html`<${ChosenHolders} chat=${chat} label=${label} start=${value} groups=${groups}
          close=${() => setOpen(false)} set=${set} />`
      }
    </div>
  `;
}

/** @param {Chat} chat @param {Holders} value */
function chosenOf(chat, value) {
  const { direct_members, direct_subgroups } =
    typeof value === "number" ? { direct_members: [], direct_subgroups: [value] } : value;
  const groups = chat.groups.filter((one) => direct_subgroups.includes(one.id) && one.name !== "role:nobody");
  return [...groups.map(groupHolder), ...direct_members.map((id) => personHolder(chat, id))];
}

function ChosenHolders({ chat, label, start, groups, close, set }) {
  const [chosen, setChosen] = useState(() => chosenOf(chat, start));
  const ids = (isGroup) => chosen.filter((one) => one.isGroup === isGroup).map((one) => one.id);
  const save = () => {
    set({ direct_members: ids(false), direct_subgroups: ids(true) });
    close();
  };
  return html`
    <fieldset>
      <legend>${label}</legend>
      <${Selection} chat=${chat} label=${t("picker.add")} groups=${groups} chosen=${chosen}
        set=${setChosen} />
      <button type="button" class="primary" onClick=${save}>${t("action.save")}</button>
      <button type="button" onClick=${close}>${t("action.cancel")}</button>
    </fieldset>
  `;
}
