/** The inbox: conversations with unread messages. */

import { Narrow } from "../../model/narrow.js";
import { Faces, Mark, html, t } from "../kit.js";

/** Unread conversations that are not muted, the newest first, and their narrows. @param {Chat} chat */
export const unreadPlaces = (chat) =>
  chat.unmuted.places.map((one) => ({ ...one, narrow: Narrow.at(one) })).sort((a, b) => b.newest - a.newest);

export function Inbox(/** @type {PageProps} */ { chat }) {
  const places = unreadPlaces(chat);
  const inChannel = (id, topic) =>
    html`<${Mark} channel=${chat.channels.get(id) ?? {}} /><b dir="auto">
      ${chat.channelName(id)}</b> › <span dir="auto">${topic || t("topic.empty")}</span>`;
  const withPeople = (people) =>
    html`<${Faces} chat=${chat} people=${people} /> <b dir="auto">${chat.names(people)}</b>`;
  return html`
    <div class="scroller inbox" tabindex="0">
      ${!places.length && html`<p class="none">${t("inbox.empty")}</p>`}
      <ul>
        ${places.map(
          ({ key, count, channelId, topic, people, narrow }) => html`
          <li key=${key}>
            <a href=${chat.link(narrow)}>${people ? withPeople(people) : inChannel(channelId, topic)}</a>
            <span class="count">${count}</span>
          </li>`,
        )}
      </ul>
    </div>
  `;
}
