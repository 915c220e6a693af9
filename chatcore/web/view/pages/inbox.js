/** The inbox: conversations with unread messages. */

import { Narrow } from "../../model/narrow.js";
import { html, t, useState } from "../kit.js";
import { markRead } from "../places/actions.js";
import { ConversationRow, useMessages } from "./conversations.js";

const STEP = 50;

/** Unread conversations that are not muted, the newest first, and their narrows. @param {Chat} chat */
export const unreadPlaces = (chat) =>
  chat.unmuted.places.map((one) => ({ ...one, narrow: Narrow.at(one) })).sort((a, b) => b.newest - a.newest);

export function Inbox(/** @type {PageProps} */ { chat }) {
  const places = unreadPlaces(chat);
  const [most, setMost] = useState(STEP);
  const shown = places.slice(0, most);
  const messageOf = useMessages(
    chat,
    shown.map(({ newest }) => newest),
  );
  return html`
    <div class="scroller inbox" tabindex="0">
      ${!places.length && html`<p class="none">${t("inbox.empty")}</p>`}
      ${
        places.length > 0 &&
        html`<p class="bar"><button type="button" onClick=${() => markRead([])}>
          ${t("topic.read")}</button></p>`
      }
      <ul>
        ${shown.map(
          ({ key, count, newest, narrow }) => html`<${ConversationRow} key=${key} chat=${chat}
          place=${narrow.place} message=${messageOf(newest)} count=${count} />`,
        )}
      </ul>
      ${
        places.length > most &&
        html`<button type="button" onClick=${() => setMost(most + 4 * STEP)}>
          ${t("rows.more", { count: places.length - most })}</button>`
      }
    </div>
  `;
}
