/** Whether a person is here, as a dot. */

import { presenceOf } from "../model/presence.js";
import { t } from "../text/text.js";
import { emojiText } from "./emoji.js";
import { html } from "./html.js";

/** @type {Record<string, Parameters<typeof t>[0]>} */
const NAMES = { active: "presence.active", idle: "presence.idle", offline: "presence.offline" };

/** @param {{chat: import("../model/chat.js").Chat, id: number}} props */
export function Presence({ chat, id }) {
  if (chat.people.get(id)?.is_bot) return null;
  const presence = presenceOf(chat, id);
  return html`<span class=${`presence ${presence}`} role="img" aria-label=${t(NAMES[presence])} title=${t(NAMES[presence])}></span>`;
}

/** The whole status of a person. @param {{chat: import("../model/chat.js").Chat, id: number}} props */
export function Status({ chat, id }) {
  const status = chat.statuses.get(id);
  return status && html`${status.emoji_name && emojiText(chat, status)} ${status.status_text}`;
}

/** The emoji of a person's status, with its text. @param {{chat: import("../model/chat.js").Chat, id: number}} props */
export function StatusEmoji({ chat, id }) {
  const status = chat.statuses.get(id);
  if (!status?.emoji_name && !status?.status_text) return null;
  const label = status.status_text || `:${status.emoji_name}:`;
  return html`<span class="status" role="img" aria-label=${label} title=${label}>${status.emoji_name ? emojiText(chat, status) : "💬"}</span>`;
}
