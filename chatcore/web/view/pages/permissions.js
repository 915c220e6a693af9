/** Permissions: fields in which a group, or people and groups, are chosen. */

import {
  Choice,
  Selection,
  call,
  groupHolder,
  groupName,
  html,
  named,
  personHolder,
  report,
  t,
  useState,
} from "../kit.js";

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
  return Object.entries(chat.state.server_supported_permission_settings[kind]).map(
    ([name, rule]) => html`
    <${PermissionField} key=${name} chat=${chat} label=${named("permission", name)} rule=${rule}
      value=${holdersOf(name)} isFixed=${isFixed(name)} set=${set(name)} />`,
  );
}

/** Those of a channel or a group, which has each as a field, below a heading that opens them. */
export const FoldedPermissions = ({ thing, isFixed, ...props }) => html`
  <details>
    <summary><h3>${t("organization.permissions")}</h3></summary>
    <${Permissions} ...${props} holdersOf=${(name) => thing[name]} isFixed=${() => isFixed} />
  </details>
`;

function PermissionField({ chat, label, rule, value, isFixed, set }) {
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
      <${Choice} label=${label}
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
