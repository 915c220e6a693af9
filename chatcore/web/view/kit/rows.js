/** Lists of things: of each a name, facts about it, and buttons. Long ones have a search, and show a part. */

import { spellings } from "../../model/search.js";
import { language, t } from "../../text/text.js";
import { Choice } from "./form.js";
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { Avatar } from "./person.js";

const STEP = 50;

/**
 * An entry has a key and a name; some have a label, which is the name as a text; `href`, to which the name
 * links; a mark before it, and a note and tags after it; a person with a face; a detail below; `more` before
 * the buttons; and buttons: the text, what it does, whether it is off.
 */

/**
 * `textOf` gives the text of an item in which a search looks; `shown` are kinds of items to choose from, the
 * first of them at first; `first` is how many items are shown at first.
 */
export function Rows({ label, items, entry, textOf, shown = {}, none = t("rows.empty"), first = STEP }) {
  const kinds = Object.keys(shown);
  const [kind, setKind] = useState(kinds[0]);
  const [part, setPart] = useState("");
  const [count, setCount] = useState(first);
  const list = useRef(/** @type {any} */ (null));
  const clicked = useRef(-1);
  const search = t("rows.search", { label });
  const wanted = spellings(part);
  const isFound = (text) => wanted.some((one) => text.includes(one));
  const found = items.filter(
    (one) => (shown[kind]?.(one) ?? true) && (!textOf || isFound(textOf(one).toLowerCase())),
  );
  const onClick = ({ target }) =>
    (clicked.current = [...list.current.children].indexOf(target.closest("li")));
  useLayoutEffect(() => {
    const at = clicked.current;
    clicked.current = -1;
    if (at < 0 || document.activeElement !== document.body) return;
    // The row whose button was clicked is gone, and the focus with it.
    const row = list.current.children[at] ?? list.current.lastElementChild;
    (row?.querySelector("a, button") ?? list.current).focus();
  }, [found.length]);
  const filters = html`
    <div class="filters">
      <input type="search" dir="auto" aria-label=${search} placeholder=${t("search.label")} value=${part}
        onInput=${({ target }) => setPart(target.value)} />
      ${
        kind &&
        html`<${Choice} label=${t("rows.shown")} value=${kind}
          options=${kinds.map((/** @type {any} */ one) => [one, t(one)])} set=${setKind} />`
      }
    </div>`;
  return html`
    ${textOf && filters}
    <ul class="rows" aria-label=${label} tabindex="-1" ref=${list} onClick=${onClick}>
      ${found.slice(0, count).map((one, at) => html`<${EntryRow} ...${entry(one, at)} />`)}</ul>
    ${!found.length && html`<p class="none">${wanted[0] ? t("rows.none") : none}</p>`}
    <${More} count=${found.length - count} show=${() => setCount(count + 4 * STEP)} />
  `;
}

/** The button that shows more of a list, if some are not shown. */
export const More = ({ count, show }) =>
  count > 0 && html`<button type="button" onClick=${show}>${t("rows.more", { count })}</button>`;

function EntryRow({ name, label = name, href, mark, note, person, detail, tags = [], more, buttons = [] }) {
  const shown = href ? html`<a href=${href} dir="auto">${mark}${name}</a>` : [mark, name];
  return html`
    <li>
      <div class="person">
        ${person && html`<${Avatar} person=${person} />`}
        <div dir="auto">${shown}${note}<${Tags} tags=${tags} />${
          detail && html`<small dir="auto">${detail}</small>`
        }</div>
      </div>
      ${more}
      <${Buttons} of=${label} buttons=${buttons} />
    </li>
  `;
}

export const Tags = ({ tags }) => tags.map((one) => one && html` <span class="tag" dir="auto">${one}</span>`);

/** Buttons for something, which has a name. */
export const Buttons = ({ of, buttons }) =>
  buttons.filter(Boolean).map(
    ([text, run, isOff]) =>
      html`<button type="button" key=${text} aria-label=${`${text}: ${of}`} disabled=${isOff}
          onClick=${run}>${text}</button>`,
  );

/** Facts, each with its name, as far as there is something to say. */
export const Facts = ({ facts }) =>
  html`<dl class="facts">${facts.map(
    ([name, fact]) => fact && html`<div><dt dir="auto">${name}</dt><dd dir="auto">${fact}</dd></div>`,
  )}</dl>`;

/** People, whom the reader may take out of something. */
export function PeopleRows({ chat, label, ids, remove }) {
  const people = byName([...ids].flatMap((id) => chat.people.get(id) ?? []).filter((one) => one.is_active));
  const entry = (one) => ({
    ...personEntry(one),
    buttons: [remove && [t("rows.remove"), () => remove(one.user_id)]],
  });
  return html`<${Rows} label=${label} items=${people} textOf=${(one) => one.full_name} entry=${entry} />`;
}

/** The beginning of a row for a person. @param {Person} person */
export const personEntry = (person) => ({
  key: person.user_id,
  name: person.full_name,
  href: `#people/${person.user_id}`,
  person,
});

const ORDER = new Intl.Collator(language);

export const byName = (/** @type {Person[]} */ people) =>
  people.sort((a, b) => ORDER.compare(a.full_name, b.full_name));
