/** Long lists: some rows, a search, and a button that shows more of them. */

import { language, t } from "../text/text.js";
import { Avatar } from "./avatar.js";
import { html, useState } from "./html.js";

const STEP = 50;

/**
 * @param {{label: string, items: any[], nameOf: (item: any) => string, row: (item: any) => unknown, children?: unknown}} props
 *   `row` renders an item, a list item with its key; `children` are further fields beside the search
 */
export function Rows({ label, items, nameOf, row, children }) {
  const [part, setPart] = useState("");
  const [count, setCount] = useState(STEP);
  const wanted = part.trim().toLowerCase();
  const found = wanted ? items.filter((one) => nameOf(one).toLowerCase().includes(wanted)) : items;
  return html`
    <div class="filters">
      <input type="search" dir="auto" aria-label=${t("rows.search", { label })} placeholder=${t("rows.search", { label })} value=${part}
        onInput=${(/** @type {any} */ event) => setPart(event.target.value)} />
      ${children}
    </div>
    <ul class="rows" aria-label=${label}>${found.slice(0, count).map(row)}</ul>
    ${!found.length && html`<p class="none">${t(items.length ? "rows.none" : "rows.empty")}</p>`}
    ${found.length > count && html`<button type="button" onClick=${() => setCount(count + 4 * STEP)}>${t("rows.more", { count: found.length - count })}</button>`}
  `;
}

/** A person as the beginning of a row. @param {{person: any, children?: unknown}} props */
export function PersonName({ person, children }) {
  return html`
    <span class="person"><${Avatar} src=${person.avatar_url} /><span><a href=${`#people/${person.user_id}`} dir="auto">${person.full_name}</a>${children}</span></span>
  `;
}

/**
 * People, whom the reader may take out of something.
 *
 * @param {{chat: import("../model/chat.js").Chat, label: string, ids: Iterable<number>, remove?: (id: number) => void}} props
 */
export function PeopleRows({ chat, label, ids, remove }) {
  const people = byName([...ids].flatMap((id) => chat.people.get(id) ?? []).filter((one) => one.is_active));
  return html`
    <${Rows} label=${label} items=${people} nameOf=${(/** @type {any} */ one) => one.full_name} row=${(/** @type {any} */ one) => html`
      <li key=${one.user_id}><${PersonName} person=${one} />
        ${remove && html`<button type="button" aria-label=${t("picker.remove", { name: one.full_name })} onClick=${() => remove(one.user_id)}>${t("rows.remove")}</button>`}</li>`} />
  `;
}

const ORDER = new Intl.Collator(language);

/** @param {any[]} people */
export const byName = (people) => people.sort((a, b) => ORDER.compare(a.full_name, b.full_name));
