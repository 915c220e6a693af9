/** One field for everything: it finds places, people, commands and messages. */

import { Narrow, isPlace } from "../../model/narrow.js";
import { find, termsOf } from "../../model/search.js";
import { Dialog, Icon, classes, html, t, useEffect, useLater, useMemo, useRef, useState } from "../kit.js";
import { titleOf } from "../titles.js";
import { entriesOf, loadTopics, messagesOf, useFound } from "./entries.js";
import { completionsOf, pillOf } from "./terms.js";

const FOUND = 10;
const RECENT = 7;

/** `here` are the terms of what is shown: a search (`isSearch`) begins with them, as pills. */
export function Palette(/** @type {Props} */ { chat, close, here = [], isSearch, logOut }) {
  const words = here.find((one) => one.operator === "search");
  const [pills, setPills] = useState(
    isSearch ? here.filter((one) => one !== words && one.operator !== "in") : [],
  );
  const [text, setText] = useState(isSearch && words ? `${words.operand}` : "");
  const [at, setAt] = useState("");
  const field = useRef(null);
  const list = useRef(null);
  const [loadedAt, setLoadedAt] = useState(0);
  const isOpen = useRef(true);
  useEffect(() => () => void (isOpen.current = false), []);
  useLater(async () => (text ? loadTopics(chat, () => isOpen.current) : loadedAt), setLoadedAt, [!text]);
  const entries = useMemo(() => entriesOf(chat, logOut), [chat, loadedAt]);
  const found = useFound(chat, text, pills);
  const options = optionsOf({ chat, text, pills, isSearch, entries, found });
  const chosen = Math.max(0, options.map(({ key }) => key).indexOf(at));
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: "nearest" }), [chosen]);
  const write = (wanted, terms = pills) => {
    setText(wanted);
    setPills(terms);
    setAt("");
    field.current.focus();
  };
  const choose = (option) => {
    if (option?.text !== undefined) return write(option.text, option.term ? [...pills, option.term] : pills);
    close();
    option?.run?.();
  };
  const step = (by) => setAt(options[(chosen + by + options.length) % options.length]?.key);
  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => options.length && choose(options[chosen]),
    Tab: () => {
      const one = options[chosen];
      if (one?.text !== undefined) choose(one);
      else if (one?.isName) write(one.name);
    },
  };
  const onKeyDown = (event) => {
    if (event.key === "Backspace" && !text && pills.length) return write("", pills.slice(0, -1));
    if (!Object.hasOwn(keys, event.key) || event.shiftKey) return;
    event.preventDefault();
    keys[event.key]();
  };
  const pill = (term, index) => {
    const name = pillOf(chat, term);
    const label = t("picker.remove", { name });
    return html`<button type="button" class="pill" key=${`${index} ${name}`} dir="auto" title=${label}
      aria-label=${label} onClick=${() => write(text, pills.toSpliced(index, 1))}>
      ${name} <${Icon} name="x" /></button>`;
  };
  const option = (/** @type {Option} */ { key, name, note, mark }, index) => html`
    <li key=${key} id=${`option-${index}`} role="option" aria-selected=${index === chosen}
      onPointerDown=${(event) => event.preventDefault()} onClick=${() => choose(options[index])}>
      <span class="sign" aria-hidden="true">${mark()}</span><span class="name" dir="auto">${name}</span>
      ${note && html`<small dir="auto">${note}</small>`}</li>`;
  return html`
    <${Dialog} title=${t("search.label")} close=${close} class="palette">
      <div class="line"><${Icon} name="search" />${pills.map(pill)}
        <input role="combobox" name="words" ref=${field} autofocus dir="auto" value=${text}
          aria-label=${t("search.label")} placeholder=${t(pills.length ? "search.hint" : "palette.hint")}
          aria-expanded="true" aria-controls="options" aria-autocomplete="list" autocomplete="off"
          aria-activedescendant=${options.length ? `option-${chosen}` : undefined}
          onInput=${({ target }) => write(target.value)} onKeyDown=${onKeyDown} /></div>
      <ul id="options" role="listbox" ref=${list} aria-label=${t("palette.found")}
        class=${classes(!options.length && "unseen")}>${options.map(option)}</ul>
      ${!options.length && html`<p class="none" role="status">${t("rows.none")}</p>`}
    <//>
  `;
}

/**
 * What is offered, in its order; `text` is written when it is chosen, with a `term` as a pill, or else it is
 * `run`; `isName` says that its name can be written.
 *
 * @typedef {{key: string, name: string, note?: string, mark: () => unknown, text?: string, term?: Term,
 *   run?: () => void, isName?: boolean}} Option
 *
 * @returns {Option[]}
 */
function optionsOf({ chat, text, pills, isSearch, entries, found }) {
  const isFiltered = isSearch || pills.length > 0;
  const completions = completionsOf(chat, text, pills);
  const isTerm = completions.some((one) => one.term);
  const places = pills.length || isTerm ? [] : placesOf(entries, text);
  const searches = [...searchesOf(chat, text, pills), ...(isTerm || !text ? [] : messagesOf(chat, found))];
  if (completions.some((one) => one.isWhole)) return [...searches, ...completions];
  if (isTerm) return [...completions, ...searches];
  if (isFiltered) return [...searches, ...(text ? places : []), ...completions, ...(text ? [] : places)];
  return text ? [...places, ...searches] : places;
}

/** @param {import("./entries.js").Entry[]} entries @returns {Option[]} */
function placesOf(entries, text) {
  const those = text.trim() ? entries : entries.filter((one) => one.recent !== undefined);
  return find(those, text, text.trim() ? FOUND : RECENT).map((one) => ({ ...one, isName: true }));
}

/** Searches for a text: where the pills say and, if they name a place, everywhere. */
function searchesOf(chat, text, pills) {
  const terms = termsOf(chat, text.trim(), pills);
  if (!terms.length || (!text.trim() && pills.every(isPlace))) return [];
  const search = (key, those, name) => ({
    key,
    name,
    note: those
      .filter((one) => !isPlace(one))
      .map((one) => pillOf(chat, one))
      .join(" "),
    mark: () => html`<${Icon} name="search" />`,
    run: () => void (location.hash = chat.link(new Narrow(those))),
  });
  const [place, wider] = [terms.filter(isPlace), terms.filter((one) => !isPlace(one))];
  if (!place.length || !wider.length) return [search("here", terms, t("search.hint"))];
  return [
    search("here", terms, t("search.in", { place: titleOf(chat, new Narrow(place), "") })),
    search("everywhere", wider, t("search.everywhere")),
  ];
}
