/** What people have said of themselves: whether they are there, and their status. */

import { t } from "../../text/text.js";
import { emojiText } from "../emoji.js";
import { html } from "../html.js";

/** @typedef {{chat: import("../../model/chat.js").Chat, id: number}} Props */

/** @param {Props} props @returns {"active" | "idle" | null} */
function presenceOf({ chat, id }) {
  const known = chat.presences.get(id);
  if (!known) return null;
  const since = Date.now() / 1000 - chat.state.server_presence_offline_threshold_seconds;
  if (known.active_timestamp > since) return "active";
  return known.idle_timestamp > since ? "idle" : null;
}

/** @param {Props} props */
export function Presence(props) {
  const presence = presenceOf(props);
  return presence && html`<span class=${`presence ${presence}`} role="img" aria-label=${t(`presence.${presence}`)} title=${t(`presence.${presence}`)}></span>`;
}

/** @param {Props} props */
export function Status({ chat, id }) {
  const status = chat.state.user_status[id];
  if (!status) return null;
  return html`${status.emoji_name && emojiText(chat, status)} ${status.status_text}`;
}
