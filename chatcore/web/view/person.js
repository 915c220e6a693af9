/** What is seen of a person everywhere: the picture, whether somebody is here, the status. */

import { presenceOf } from "../model/presence.js";
import { t } from "../text/text.js";
import { emojiText } from "./emoji.js";
import { html } from "./html.js";

/** The picture of a person; the name stands beside it. @param {{src: string | null | undefined}} props */
export function Avatar({ src }) {
  if (!src) return html`<span class="avatar"></span>`;
  const local = src.startsWith("/") && !src.startsWith("//") ? src.slice(1) : src;
  return html`<img class="avatar" src=${local} alt="" loading="lazy" width="36" height="36" />`;
}

/** @param {{chat: Chat, id: number}} props */
export function Presence({ chat, id }) {
  if (chat.people.get(id)?.is_bot) return null;
  const presence = presenceOf(chat, id);
  const name = t(`presence.${presence}`);
  return html`<span class=${`presence ${presence}`} role="img" aria-label=${name} title=${name}></span>`;
}

/** The whole status of a person. @param {{chat: Chat, id: number}} props */
export function Status({ chat, id }) {
  const status = chat.statuses.get(id);
  return status && html`${status.emoji_name && emojiText(chat, status)} ${status.status_text}`;
}

/** The emoji of a person's status, with its text. @param {{chat: Chat, id: number}} props */
export function StatusEmoji({ chat, id }) {
  const status = chat.statuses.get(id);
  if (!status?.emoji_name && !status?.status_text) return null;
  const label = status.status_text || `:${status.emoji_name}:`;
  return html`<span class="status" role="img" aria-label=${label} title=${label}>${status.emoji_name ? emojiText(chat, status) : "💬"}</span>`;
}
