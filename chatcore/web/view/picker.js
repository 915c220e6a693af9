/** Fields with which people, and groups, are found and chosen. */

import { html, named, t, useState } from "./kit.js";

const SHOWN = 8;

/** @typedef {{id: number, isGroup: boolean, name: string}} Holder a person or a group */

/** The name of a group as people read it. @param {Group} group */
export const groupName = (group) => (group.is_system_group ? named("group", group.name) : group.name);

/** @param {Group} group @returns {Holder} */
export const groupHolder = (group) => ({ id: group.id, isGroup: true, name: groupName(group) });

/** @param {Chat} chat @param {number} id @returns {Holder} */
export const personHolder = (chat, id) => ({ id, isGroup: false, name: chat.name(id) });

/**
 * @param {{chat: Chat, label: string, isOut: (one: Holder) => boolean, groups?: Group[], pick: (one: Holder) => void}} props
 *   `isOut` says who is chosen already
 */
export function Picker({ chat, label, isOut, groups = [], pick }) {
  const [part, setPart] = useState("");
  const wanted = part.trim().toLowerCase();
  /** @type {Holder[]} */
  const found = [];
  const take = (/** @type {Holder} */ one) => found.length < SHOWN && one.name.toLowerCase().includes(wanted) && !isOut(one) && found.push(one);
  if (wanted) {
    for (const one of groups) take(groupHolder(one));
    for (const one of chat.people.values()) if (one.is_active) take(personHolder(chat, one.user_id));
  }
  const choose = (/** @type {Holder} */ one) => {
    pick(one);
    setPart("");
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (found.length) choose(found[0]);
  };
  return html`
    <div class="picker">
      <input type="search" dir="auto" aria-label=${label} placeholder=${label} value=${part} onKeyDown=${onKeyDown}
        onInput=${(/** @type {any} */ { target }) => setPart(target.value)} />
      ${
        wanted &&
        html`
        <ul aria-label=${label}>
          ${found.map((one) => html`<li key=${`${one.isGroup} ${one.id}`}><button type="button" dir="auto" onClick=${() => choose(one)}>${one.isGroup ? "@" : ""}${one.name}</button></li>`)}
          ${!found.length && html`<li class="none">${t("picker.none")}</li>`}
        </ul>`
      }
    </div>
  `;
}

/** The chosen people and groups, each with a button that removes it. @param {{chosen: Holder[], remove?: (one: Holder) => void}} props */
export function Chosen({ chosen, remove }) {
  return html`
    <ul class="chosen">
      ${chosen.map(
        (one) => html`
        <li key=${`${one.isGroup} ${one.id}`}><span dir="auto">${one.isGroup ? "@" : ""}${one.name}</span>
          ${remove && html`<button type="button" class="link" aria-label=${t("picker.remove", one)} onClick=${() => remove(one)}>×</button>`}</li>`,
      )}
    </ul>
  `;
}

/** Who is chosen, and the field that finds more. @param {{chat: Chat, label: string, groups?: Group[], chosen: Holder[], set: (chosen: Holder[]) => void}} props */
export function Selection({ chosen, set, ...props }) {
  const isOut = (/** @type {Holder} */ { id, isGroup }) => chosen.some((one) => one.id === id && one.isGroup === isGroup);
  return html`
    <${Chosen} chosen=${chosen} remove=${(/** @type {Holder} */ one) => set(chosen.filter((other) => other !== one))} />
    <${Picker} ...${props} isOut=${isOut} pick=${(/** @type {Holder} */ one) => set([...chosen, one])} />
  `;
}
