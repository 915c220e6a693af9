/** Lists of things: of each a name, facts about it, and buttons. Long ones have a search, and show a part. */

import { language, t } from "../text/text.js";
import { Choice } from "./form.js";
import { html, useState } from "./html.js";
import { Avatar } from "./person.js";

const STEP = 50;

/**
 * @typedef {[text: string, run: () => unknown, isOff?: boolean]} Button
 * @typedef {{key: unknown, name: unknown, label?: string, picture?: string | null, detail?: unknown, tags?: unknown[], more?: unknown,
 *   buttons?: (Button | false | null | undefined)[]}} Entry
 *   `label` is the name as a text, where `name` is more than that; `more` stands before the buttons
 */

/**
 * @param {{label: string, items: any[], entry: (item: any, at: number) => Entry, textOf?: (item: any) => string,
 *   shown?: Partial<Record<TextName, (item: any) => boolean>>, none?: string}} props
 *   `textOf` gives the text in which a search looks; `shown` are kinds of items to choose from, the first of them at first
 */
export function Rows({ label, items, entry, textOf, shown = {}, none = t("rows.empty") }) {
  const kinds = /** @type {TextName[]} */ (Object.keys(shown));
  const [kind, setKind] = useState(kinds[0]);
  const [part, setPart] = useState("");
  const [count, setCount] = useState(STEP);
  const wanted = part.trim().toLowerCase();
  const search = t("rows.search", { label });
  const found = items.filter((one) => (shown[kind]?.(one) ?? true) && (!wanted || textOf?.(one).toLowerCase().includes(wanted)));
  return html`
    ${
      textOf &&
      html`
      <div class="filters">
        <input type="search" dir="auto" aria-label=${search} placeholder=${t("search.label")} value=${part} onInput=${(/** @type {any} */ { target }) => setPart(target.value)} />
        ${kind && html`<${Choice} label=${t("rows.shown")} value=${kind} options=${kinds.map((one) => [one, t(one)])} set=${setKind} />`}
      </div>`
    }
    <ul class="rows" aria-label=${label}>${found.slice(0, count).map((one, at) => html`<${EntryRow} ...${entry(one, at)} />`)}</ul>
    ${!found.length && html`<p class="none">${wanted ? t("rows.none") : none}</p>`}
    ${found.length > count && html`<button type="button" onClick=${() => setCount(count + 4 * STEP)}>${t("rows.more", { count: found.length - count })}</button>`}
  `;
}

/** @param {Entry} props */
function EntryRow({ name, label = String(name), picture, detail, tags = [], more, buttons = [] }) {
  return html`
    <li>
      <div class="person">
        ${picture !== undefined && html`<${Avatar} src=${picture} />`}
        <div dir="auto">${name}${tags.map((one) => one && html` <span class="tag" dir="auto">${one}</span>`)}${detail && html`<small dir="auto">${detail}</small>`}</div>
      </div>
      ${more}
      <${Buttons} of=${label} buttons=${buttons} />
    </li>
  `;
}

/** Buttons for something, which has a name. @param {{of: string, buttons: (Button | false | null | undefined)[]}} props */
export function Buttons({ of, buttons }) {
  return buttons.map(
    (one) => one && html`<button type="button" key=${one[0]} aria-label=${`${one[0]}: ${of}`} disabled=${one[2]} onClick=${one[1]}>${one[0]}</button>`,
  );
}

/** A line of a list of facts, if there is something to say. @param {{name: string, children?: any}} props */
export function Fact({ name, children }) {
  return children ? html`<div><dt dir="auto">${name}</dt><dd dir="auto">${children}</dd></div>` : null;
}

/** People, whom the reader may take out of something. @param {{chat: Chat, label: string, ids: Iterable<number>, remove?: (id: number) => void}} props */
export function PeopleRows({ chat, label, ids, remove }) {
  const people = byName([...ids].flatMap((id) => chat.people.get(id) ?? []).filter((one) => one.is_active));
  return html`
    <${Rows} label=${label} items=${people} textOf=${(/** @type {Person} */ one) => one.full_name}
      entry=${(/** @type {Person} */ one) => ({ ...personEntry(one), buttons: [remove && [t("rows.remove"), () => remove(one.user_id)]] })} />
  `;
}

/** The beginning of a row for a person. @param {Person} person @returns {Entry} */
export const personEntry = ({ user_id, full_name, avatar_url }) => ({
  key: user_id,
  label: full_name,
  picture: avatar_url,
  name: html`<a href=${`#people/${user_id}`} dir="auto">${full_name}</a>`,
});

const ORDER = new Intl.Collator(language);

/** @param {Person[]} people */
export const byName = (people) => people.sort((a, b) => ORDER.compare(a.full_name, b.full_name));
