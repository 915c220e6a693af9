/** The picker of emoji: groups, a search, and tones of skin where characters are inserted. */

import { glyph, named, t } from "../../text/text.js";
import { emojiGroups, emojiText, keyOfEmoji, matching, noteUsed, toned, unicodeEmoji } from "./emoji.js";
import { html, useEffect, useLayoutEffect, useMemo, useModel, useRef, useState } from "./html.js";
import { putBeside } from "./menu.js";
import { useLater } from "./notice.js";

/** As in the style. */
const COLUMNS = 9;
const FOUND = 180;
/** Groups that are drawn at once; the others follow. */
const FIRST = 3;
const STEPS = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };
const TONES = ["", "\u{1f3fb}", "\u{1f3fc}", "\u{1f3fd}", "\u{1f3fe}", "\u{1f3ff}"];
const HAND = "270b";
const TONE = "skin tone";

/** The cell beside, below or above another one, also in the next group; null before the first one. */
function cellFrom(grids, cell, by) {
  if (!cell) return by > 0 ? (grids[0]?.children[0] ?? null) : null;
  const cells = [...cell.parentElement.children];
  const [at, last] = [cells.indexOf(cell), cells.length - 1];
  if (cells[at + by]) return cells[at + by];
  const row = (place) => Math.floor(place / COLUMNS);
  if (by === COLUMNS && row(at) < row(last)) return cells[last];
  const near = [...(grids[grids.indexOf(cell.parentElement) + Math.sign(by)]?.children ?? [])];
  if (!near.length) return by > 0 ? cell : null;
  if (Math.abs(by) === 1) return near.at(by > 0 ? 0 : -1);
  const start = by > 0 ? 0 : row(near.length - 1) * COLUMNS;
  return near[Math.min(start + (at % COLUMNS), near.length - 1)];
}

/** The tones of skin, of which this browser keeps the last one. */
function Tones({ tone, set }) {
  const choose = (one) => {
    localStorage.setItem(TONE, one);
    set(one);
  };
  const button = (one, number) => {
    const name = t("emoji.tone", { number });
    return html`<button type="button" key=${one} aria-pressed=${one === tone} aria-label=${name}
      title=${name} onClick=${() => choose(one)}>${toned(HAND, one) || glyph(HAND)}</button>`;
  };
  return html`<span class="icons" role="group" aria-label=${t("emoji.tones")}>${TONES.map(button)}</span>`;
}

/** `done` gets an emoji, with its `sign` if it has a tone, or null; `hasTones` offers tones. */
export function EmojiPicker({ chat, done, hasTones = false }) {
  useModel(chat);
  const [part, setPart] = useState("");
  const [unicode, setUnicode] = useState(/** @type {import("./emoji.js").Emojis[] | null} */ (null));
  const [isWhole, setWhole] = useState(false);
  const [shown, setShown] = useState(/** @type {any} */ (null));
  const [tone, setTone] = useState(() => (hasTones && localStorage.getItem(TONE)) || "");
  const [here, setHere] = useState("recent");
  const [frame, field, list] = [useRef(null), useRef(null), useRef(null)];
  useLater(() => unicodeEmoji(chat), setUnicode, []);
  useLayoutEffect(() => {
    const before = /** @type {Element} */ (document.activeElement);
    const anchor = (before === document.body ? frame.current.parentElement : before).getBoundingClientRect();
    frame.current.showPopover();
    putBeside(frame.current, anchor, anchor.left);
    field.current.focus();
  }, []);
  useEffect(() => setShown(null), [part]);
  useEffect(() => {
    if (unicode) setTimeout(setWhole, 0, true);
  }, [unicode]);

  const groups = useMemo(() => emojiGroups(chat, unicode ?? []), [unicode, chat.emoji]);
  const found = useMemo(
    () =>
      part.trim() &&
      matching([...new Set(groups.slice(1).flatMap(([, those]) => those))], part).slice(0, FOUND),
    [groups, part],
  );
  /** @type {import("./emoji.js").Emojis[]} */
  const sections = found ? (found.length ? [["found", found]] : groups.slice(0, 1)) : groups;
  const choose = (one) => {
    if (one) noteUsed(chat, one);
    done(one && { ...one, sign: one.reaction_type === "unicode_emoji" && toned(one.emoji_code, tone) });
  };
  const drawn = (one) =>
    (one.reaction_type === "unicode_emoji" && toned(one.emoji_code, tone)) || emojiText(chat, one);
  // Thousands of cells: not drawn again for what is pointed at, and without a listener each.
  const view = useMemo(
    () =>
      sections.slice(0, isWhole ? undefined : FIRST).map(
        ([name, those], at) => html`<section key=${name} data-group=${name}
          ref=${(one) => one?.style.setProperty("--rows", String(Math.ceil(those.length / COLUMNS)))}>
          <h3>${named("emoji.group", name)}</h3>
          <div class="found">${those.map(
            (one, place) => html`<button type="button" key=${keyOfEmoji(one)} tabindex=${at || place ? -1 : 0}
              aria-label=${one.emoji_name} title=${`:${one.emoji_name}:`}>${drawn(one)}</button>`,
          )}</div></section>`,
      ),
    [groups, found, tone, isWhole],
  );
  const emojiAt = (target) => {
    const cell = target.closest(".found button");
    const section = cell && sections.find(([name]) => name === cell.closest("section").dataset.group);
    return section?.[1][[...cell.parentElement.children].indexOf(cell)] ?? null;
  };
  const focus = (cell) => {
    for (const one of list.current.querySelectorAll("[tabindex='0']")) one.tabIndex = -1;
    if (cell) cell.tabIndex = 0;
    (cell ?? field.current).focus();
  };
  const onKeyDown = (event) => {
    event.stopPropagation();
    const { key, target } = event;
    const cell = target.closest(".found button");
    const by = cell || target === field.current ? STEPS[key] : undefined;
    if (key === "Escape") done(null);
    else if (key === "Enter" && target === field.current) choose(sections[0]?.[1][0] ?? null);
    else if (by && (cell || Math.abs(by) === COLUMNS))
      focus(cellFrom([...list.current.querySelectorAll(".found")], cell, by));
    else {
      // More of a name may be typed anywhere.
      if (cell && key.length === 1 && key !== " " && !event.ctrlKey && !event.metaKey) field.current.focus();
      return;
    }
    event.preventDefault(); // the focus may be in a text by now
  };
  const onScroll = () => {
    const passed = [...list.current.children].filter((one) => one.offsetTop <= list.current.scrollTop + 4);
    setHere(passed.at(-1)?.dataset.group ?? "recent");
  };
  const goTo = (group) => {
    setPart("");
    setWhole(true);
    requestAnimationFrame(() => {
      list.current.scrollTop = list.current.querySelector(`[data-group=${group}]`).offsetTop;
    });
  };
  const heading = (/** @type {import("./emoji.js").Emojis} */ [name, [first]]) => {
    const title = named("emoji.group", name);
    return html`<button type="button" key=${name} aria-current=${(!found && name === here) || undefined}
      title=${title} aria-label=${title} onClick=${() => goTo(name)}>
      ${name === "recent" ? "🕘" : drawn(first)}</button>`;
  };
  const pointed = shown ?? (found ? found[0] : null);
  const show = ({ target }) => setShown(emojiAt(target));
  const label = (one) => [html`<b>${drawn(one)}</b>`, ` :${one.emoji_name}:`];
  const search = t("emoji.search");
  return html`
    <div class="emoji-picker" popover="auto" role="dialog" aria-label=${t("compose.emoji")} ref=${frame}
      onKeyDown=${onKeyDown} onToggle=${({ newState }) => newState === "closed" && done(null)}>
      <input type="search" aria-label=${search} placeholder=${search} value=${part} ref=${field}
        onInput=${({ target }) => setPart(target.value)} />
      <div class="groups icons" role="toolbar" aria-label=${t("emoji.groups")}>
        ${groups.map(heading)}</div>
      <div class="emoji-list" ref=${list} onScroll=${onScroll} onPointerOver=${show} onFocusIn=${show}
        onClick=${({ target }) => emojiAt(target) && choose(emojiAt(target))}>
        ${found && !found.length && html`<p class="none" role="status">${t("rows.none")}</p>`}
        ${view}</div>
      <div class="shown">
        <span aria-hidden="true">${pointed ? label(pointed) : t("emoji.hint")}</span>
        ${hasTones && html`<${Tones} tone=${tone} set=${setTone} />`}
      </div>
    </div>
  `;
}
