/** Emoji: their signs or pictures, names, and groups. */

import { local } from "../../api.js";
import { keep } from "../../model/written.js";
import { AS_PICTURE, glyph } from "../../text/text.js";
import { html } from "./html.js";

/**
 * An emoji under one of its names; `text` has all its names.
 *
 * @typedef {{emoji_name: string, emoji_code: string, reaction_type: string, text: string}} Emoji
 *
 * @typedef {[group: string, emoji: Emoji[]]} Emojis
 */

const RECENT = 18;
/** Offered as long as others were used less. */
const POPULAR = "👍❤😂😄🎉👏🙏👀🤔😢🔥🚀✅👋💯🙂😍👎";

const BASES = /\p{Emoji_Modifier_Base}\ufe0f?/gu;
/** Groups of people have one tone each, or none, in most fonts. */
const WITHOUT_TONES = /^[\u{1f46a}\u{1f46f}\u{1f93c}]/u;

/** The same with a tone of skin, if it is of one person. @param {string} code @param {string} tone */
export function toned(code, tone) {
  const text = glyph(code);
  if (!tone || text.match(BASES)?.length !== 1 || WITHOUT_TONES.test(text)) return "";
  return text.replace(BASES, (base) => base.replace(AS_PICTURE, "") + tone);
}

/** @param {Chat} chat @param {{emoji_name: string, emoji_code: string, reaction_type: string}} emoji */
export function emojiText(chat, { emoji_name, emoji_code, reaction_type }) {
  if (reaction_type === "unicode_emoji") return glyph(emoji_code);
  const source = chat.emoji[emoji_code]?.source_url;
  return source
    ? html`<img class="emoji" alt=${`:${emoji_name}:`} src=${local(source)} />`
    : `:${emoji_name}:`;
}

const emojiOf = (reaction_type, emoji_code, /** @type {string[]} */ names) => ({
  emoji_name: names.find((name) => /^[a-z]/.test(name)) ?? names[0], // rather than "+1"
  emoji_code,
  reaction_type,
  text: names.join(" "),
});

/**
 * All Unicode emoji in their groups, read once; asked for again by each page, as a new version has more.
 *
 * @type {Promise<Emojis[]> | undefined}
 */
let table;
export function unicodeEmoji(/** @type {Chat} */ chat) {
  table ??= fetch(new URL(chat.state.server_emoji_data_url, document.baseURI), { cache: "no-cache" })
    .then((response) => response.json())
    .then(({ code_to_names: names, groups }) =>
      Object.entries(groups).map(([group, codes]) => [
        group,
        codes.map((code) => emojiOf("unicode_emoji", code, names[code])),
      ]),
    );
  table.catch(() => (table = undefined));
  return table;
}

/** Those of the organization, as a group. @param {Chat} chat @returns {Emojis} */
const customEmoji = (chat) => [
  "custom",
  Object.values(chat.emoji)
    .filter((one) => !one.deactivated)
    .map((one) => emojiOf("realm_emoji", one.id, [one.name])),
];

export const keyOfEmoji = ({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`;

const usedBefore = (chat) => JSON.parse(localStorage.getItem(chat.ownName("emoji")) ?? "[]");

/** Note that the reader has used an emoji. */
export const noteUsed = (chat, emoji) =>
  keep(chat.ownName("emoji"), [...new Set([keyOfEmoji(emoji), ...usedBefore(chat)])].slice(0, RECENT));

/**
 * All groups, those of the reader first: the last ones used, and the organization's.
 *
 * @param {Chat} chat
 * @param {Emojis[]} unicode
 * @returns {Emojis[]}
 */
export function emojiGroups(chat, unicode) {
  const own = customEmoji(chat);
  const all = new Map([own, ...unicode].flatMap(([, those]) => those.map((one) => [keyOfEmoji(one), one])));
  const popular = [...POPULAR].map((sign) => `unicode_emoji ${sign.codePointAt(0)?.toString(16)}`);
  const keys = [...new Set([...usedBefore(chat), ...popular])];
  const recent = keys.flatMap((key) => all.get(key) ?? []).slice(0, RECENT);
  return [/** @type {Emojis} */ (["recent", recent]), own, ...unicode].filter(([, those]) => those.length);
}

/**
 * Those of some emoji whose names have all words of a text, each once, under the name that fits best: one
 * that begins with the text, and of these the shortest, as it may be the text itself.
 *
 * @param {Emoji[]} emoji
 * @param {string} part
 */
export function matching(emoji, part) {
  const words = part.toLowerCase().split(/[\s_:]+/);
  const wanted = words.filter(Boolean).join("_");
  const found = emoji.flatMap((one) => {
    if (!words.every((word) => one.text.includes(word))) return [];
    const names = one.text.split(" ").filter((name) => words.every((word) => name.includes(word)));
    const ranks = names.map((name) => name.length + (name.startsWith(wanted) ? 0 : 100));
    const rank = Math.min(...ranks);
    return { one: { ...one, emoji_name: names[ranks.indexOf(rank)] ?? one.emoji_name }, rank };
  });
  return found.sort((a, b) => a.rank - b.rank).map(({ one }) => one);
}

/** Find emoji by a part of a name. @param {Chat} chat @param {string} part */
export const findEmoji = async (chat, part) =>
  matching(
    [customEmoji(chat), ...(await unicodeEmoji(chat))].flatMap(([, those]) => those),
    part,
  );
