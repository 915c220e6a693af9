/** Fields with which people, and groups, are found and chosen. */

import { named, t } from "../../text/text.js";
import { html, useState } from "./html.js";

const SHOWN = 8;

/**
 * @typedef {{id: number, isGroup: boolean, name: string, label: string}} Holder a person or a group; groups
 *   have a sign before the name in the label
 */

/** The name of a group as people read it. @param {Group} group */
export const groupName = (group) => (group.is_system_group ? named("group", group.name) : group.name);

/** @param {Group} group @returns {Holder} */
export const groupHolder = (group) => ({
  id: group.id,
  isGroup: true,
  name: groupName(group),
  label: `@${groupName(group)}`,
});

/** @param {Chat} chat @param {number} id @returns {Holder} */
export const personHolder = (chat, id) => ({ id, isGroup: false, name: chat.name(id), label: chat.name(id) });

/** A search that picks people, and those of `groups`; `isExcluded` says who is chosen already. */
export function Picker({ chat, label, isExcluded, groups = [], pick }) {
  const [part, setPart] = useState("");
  const wanted = part.trim().toLowerCase();
  const people = [...chat.people.values()].filter((one) => one.is_active);
  const all = wanted
    ? [...groups.map(groupHolder), ...people.map((one) => personHolder(chat, one.user_id))]
    : [];
  const found = all
    .filter((one) => one.name.toLowerCase().includes(wanted) && !isExcluded(one))
    .slice(0, SHOWN);
  const choose = (one) => {
    pick(one);
    setPart("");
  };
  const onKeyDown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (found.length) choose(found[0]);
  };
  const list = html`
    <ul aria-label=${label}>
      ${found.map(
        (one) => html`<li key=${`${one.isGroup} ${one.id}`}>
        <button type="button" dir="auto" onClick=${() => choose(one)}>${one.label}</button></li>`,
      )}
      ${!found.length && html`<li class="none">${t("rows.none")}</li>`}
    </ul>`;
  return html`
    <div class="picker">
      <input type="search" dir="auto" aria-label=${label} placeholder=${label} value=${part}
        onKeyDown=${onKeyDown} onInput=${({ target }) => setPart(target.value)} />
      ${wanted && list}
    </div>
  `;
}

/** The chosen people and groups, each with a button if `remove` removes it. */
export function Chosen({ chosen, remove }) {
  const button = (one) =>
    html`<button type="button" class="link" aria-label=${t("picker.remove", one)}
      onClick=${() => remove(one)}>×</button>`;
  return html`<ul class="chosen">
    ${chosen.map(
      (one) => html`<li key=${`${one.isGroup} ${one.id}`}><span dir="auto">${one.label}</span>
      ${remove && button(one)}</li>`,
    )}</ul>`;
}

/** The chosen people and groups, and the field that finds more. */
export function Selection({ chosen, set, ...props }) {
  const isExcluded = ({ id, isGroup }) => chosen.some((one) => one.id === id && one.isGroup === isGroup);
  return html`
    <${Chosen} chosen=${chosen} remove=${(one) => set(chosen.filter((other) => other !== one))} />
    <${Picker} ...${props} isExcluded=${isExcluded} pick=${(one) => set([...chosen, one])} />
  `;
}
