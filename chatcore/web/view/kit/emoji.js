/** Emoji by name. */

import { local } from "../../api.js";
import { t } from "../../text/text.js";
import { focusNew, html, useModel, useState } from "./html.js";
import { useLater } from "./notice.js";

const SHOWN = 160;

/** Emoji offered before a search. */
const POPULAR =
  `thumbs_up thumbs_down heart joy smile tada clap pray eyes thinking cry fire rocket check cross_mark
  wave 100`.split(/\s+/);
const FACES = /^[\u{1f600}-\u{1f644}\u{1f910}-\u{1f917}\u{1f920}-\u{1f92f}\u{1f970}-\u{1f97a}]/u;

/**
 * Names and codes of all Unicode emoji, read once.
 *
 * @type {Promise<{name: string, code: string}[]> | undefined}
 */
let table;
const emojiTable = (chat) =>
  (table ??= fetch(new URL(chat.state.server_emoji_data_url, document.baseURI))
    .then((response) => response.json())
    .then((data) =>
      Object.entries(data.code_to_names).flatMap(([code, names]) => names.map((name) => ({ name, code }))),
    ));

const COLORED = /^\p{Emoji_Presentation}/u;
const AS_PICTURE = "\ufe0f";

/**
 * The character of an emoji's code, as a picture also where it is a letter by itself.
 *
 * @param {string} code
 */
export function glyph(code) {
  const points = code.split("-").map((part) => Number.parseInt(part, 16));
  const text = String.fromCodePoint(...points);
  return points.length > 1 || COLORED.test(text) ? text : text + AS_PICTURE;
}

/** The order without a search: faces, then other pictures, then signs. */
function order({ emoji_name, emoji_code, reaction_type }) {
  const popular = POPULAR.indexOf(emoji_name);
  if (popular >= 0) return popular;
  if (reaction_type !== "unicode_emoji") return POPULAR.length;
  return POPULAR.length + 1 + (FACES.test(glyph(emoji_code)) ? 0 : COLORED.test(glyph(emoji_code)) ? 1 : 2);
}

/** @param {Chat} chat @param {{emoji_name: string, emoji_code: string, reaction_type: string}} emoji */
export function emojiText(chat, { emoji_name, emoji_code, reaction_type }) {
  if (reaction_type === "unicode_emoji") return glyph(emoji_code);
  const source = chat.emoji[emoji_code]?.source_url;
  return source
    ? html`<img class="emoji" alt=${`:${emoji_name}:`} src=${local(source)} />`
    : `:${emoji_name}:`;
}

/** Find emoji by a part of the name. @param {Chat} chat @param {string} part */
export async function findEmoji(chat, part) {
  const wanted = part.toLowerCase().replace(/ /g, "_");
  const custom = Object.values(chat.emoji)
    .filter((one) => !one.deactivated && one.name.includes(wanted))
    .map((one) => ({ emoji_name: one.name, emoji_code: one.id, reaction_type: "realm_emoji" }));
  const known = (await emojiTable(chat))
    .filter(({ name }) => name.includes(wanted))
    .map(({ name, code }) => ({ emoji_name: name, emoji_code: code, reaction_type: "unicode_emoji" }));
  // A name that begins with the part comes first, and of these the shortest one: it may be the part itself.
  const rank = wanted ? ({ emoji_name: name }) => name.length + (name.startsWith(wanted) ? 0 : 100) : order;
  return [...custom, ...known]
    .map((one) => ({ one, rank: rank(one) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

export function EmojiPicker({ chat, done }) {
  useModel(chat);
  const [part, setPart] = useState("");
  const [found, setFound] = useState(/** @type {any[]} */ ([]));
  useLater(
    () => findEmoji(chat, part),
    (those) => {
      // Each once, whatever its names.
      const named = Map.groupBy(those, (one) => `${one.reaction_type} ${one.emoji_code}`);
      setFound([...named.values()].slice(0, SHOWN).map(([first]) => first));
    },
    [part, chat.emoji],
  );
  const search = t("emoji.search");
  const onKeyDown = (event) => {
    if (event.key === "Escape") done(null);
    else if (event.key === "Enter" && found.length) done(found[0]);
    else return;
    event.preventDefault(); // the focus may be in a text by now
  };
  const button = (one) =>
    html`<button type="button" key=${one.emoji_name} title=${`:${one.emoji_name}:`}
      aria-label=${one.emoji_name} onClick=${() => done(one)}>${emojiText(chat, one)}</button>`;
  return html`
    <div class="emoji-picker" role="dialog" aria-label=${t("compose.emoji")} onKeyDown=${onKeyDown}>
      <input type="search" aria-label=${search} placeholder=${search} value=${part} ref=${focusNew}
        onInput=${({ target }) => setPart(target.value)}
        onBlur=${({ relatedTarget }) => relatedTarget?.closest(".emoji-picker") || done(null)} />
      <div class="found">${found.map(button)}</div>
    </div>
  `;
}
