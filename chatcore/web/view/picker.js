/** A field with which people, and groups, are found and chosen. */

import { named, t } from "../text/text.js";
import { html, useState } from "./html.js";

const SHOWN = 8;

/** The name of a group as people read it. @param {any} group */
export const groupName = (group) => (group.is_system_group ? named("group", group.name) : group.name);

/**
 * @param {{chat: import("../model/chat.js").Chat, label: string, isOut: (id: number, isGroup: boolean) => boolean, groups?: any[],
 *   pick: (id: number, isGroup: boolean) => void}} props `isOut` says who is chosen already
 */
export function Picker({ chat, label, isOut, groups = [], pick }) {
  const [part, setPart] = useState("");
  const wanted = part.trim().toLowerCase();
  const fits = (/** @type {string} */ name) => name.toLowerCase().includes(wanted);
  /** @type {{id: number, isGroup: boolean, name: string}[]} */
  const found = [];
  if (wanted) {
    for (const one of groups) if (fits(groupName(one)) && !isOut(one.id, true)) found.push({ id: one.id, isGroup: true, name: groupName(one) });
    for (const one of chat.people.values()) {
      if (found.length >= SHOWN) break;
      if (one.is_active && fits(one.full_name) && !isOut(one.user_id, false)) found.push({ id: one.user_id, isGroup: false, name: one.full_name });
    }
  }
  const choose = (/** @type {{id: number, isGroup: boolean}} */ { id, isGroup }) => {
    pick(id, isGroup);
    setPart("");
  };
  return html`
    <div class="picker">
      <input type="search" dir="auto" aria-label=${label} placeholder=${label} value=${part}
        onInput=${(/** @type {any} */ event) => setPart(event.target.value)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          if (found.length) choose(found[0]);
        }} />
      ${
        wanted &&
        html`
        <ul aria-label=${label}>
          ${found.slice(0, SHOWN).map(
            (one) => html`<li key=${`${one.isGroup} ${one.id}`}>
            <button type="button" dir="auto" onClick=${() => choose(one)}>${one.isGroup ? "@" : ""}${one.name}</button></li>`,
          )}
          ${!found.length && html`<li class="none">${t("picker.none")}</li>`}
        </ul>`
      }
    </div>
  `;
}

/** The chosen people and groups, each with a button that removes it. @param {{chosen: {id: number, isGroup: boolean, name: string}[], remove?: (id: number, isGroup: boolean) => void}} props */
export function Chosen({ chosen, remove }) {
  return html`
    <ul class="chosen">
      ${chosen.map(
        ({ id, isGroup, name }) => html`
        <li key=${`${isGroup} ${id}`}><span dir="auto">${isGroup ? "@" : ""}${name}</span>
          ${remove && html`<button type="button" class="link" aria-label=${t("picker.remove", { name })} onClick=${() => remove(id, isGroup)}>×</button>`}</li>`,
      )}
    </ul>
  `;
}
