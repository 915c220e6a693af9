/** Emoji by name. */

import { focusNew, html, useEffect, useState } from "./html.js";

const SHOWN = 60;

/** @type {Promise<{name: string, code: string}[]> | null} */
let table = null;

/** Names and codes of all Unicode emoji, read once. @param {Chat} chat */
function emojiTable(chat) {
  table ??= fetch(new URL(chat.state.server_emoji_data_url, document.baseURI))
    .then((response) => response.json())
    .then((data) => Object.entries(data.code_to_names).flatMap(([code, names]) => names.map((/** @type {string} */ name) => ({ name, code }))));
  return table;
}

/** The character of an emoji's code. @param {string} code */
export const glyph = (code) => String.fromCodePoint(...code.split("-").map((part) => Number.parseInt(part, 16)));

/** @param {Chat} chat @param {{emoji_name: string, emoji_code: string, reaction_type: string}} emoji */
export function emojiText(chat, { emoji_name, emoji_code, reaction_type }) {
  if (reaction_type === "unicode_emoji") return glyph(emoji_code);
  const source = chat.emoji[emoji_code]?.source_url;
  if (!source) return `:${emoji_name}:`;
  return html`<img class="emoji" alt=${`:${emoji_name}:`} src=${source.replace(/^\//, "")} />`;
}

/** Find emoji by a part of the name. @param {Chat} chat @param {string} part */
export async function findEmoji(chat, part) {
  const wanted = part.toLowerCase().replace(/ /g, "_");
  const custom = Object.values(chat.emoji)
    .filter((one) => !one.deactivated && one.name.includes(wanted))
    .map((one) => ({ emoji_name: one.name, emoji_code: one.id, reaction_type: "realm_emoji" }));
  const known = (await emojiTable(chat))
    .filter(({ name }) => name.includes(wanted))
    .sort((a, b) => Number(b.name.startsWith(wanted)) - Number(a.name.startsWith(wanted)))
    .map(({ name, code }) => ({ emoji_name: name, emoji_code: code, reaction_type: "unicode_emoji" }));
  return [...custom, ...known];
}

/** @param {{chat: Chat, done: (emoji: any) => void}} props */
export function EmojiPicker({ chat, done }) {
  const [part, setPart] = useState("");
  const [found, setFound] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    let isGone = false;
    findEmoji(chat, part).then((those) => !isGone && setFound(those.slice(0, SHOWN)));
    return () => {
      isGone = true;
    };
  }, [part]);
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") done(null);
    if (event.key === "Enter" && found.length) done(found[0]);
  };
  return html`
    <div class="emoji-picker" role="dialog" aria-label=":)" onKeyDown=${onKeyDown}>
      <input type="search" aria-label=":name:" value=${part} ref=${focusNew}
        onInput=${(/** @type {any} */ event) => setPart(event.target.value)} onBlur=${(/** @type {FocusEvent} */ event) => {
          const next = /** @type {Element | null} */ (event.relatedTarget);
          if (!next?.closest(".emoji-picker")) done(null);
        }} />
      <div class="found">
        ${found.map((one) => html`<button type="button" key=${one.emoji_name} title=${`:${one.emoji_name}:`} aria-label=${one.emoji_name} onClick=${() => done(one)}>${emojiText(chat, one)}</button>`)}
      </div>
    </div>
  `;
}
