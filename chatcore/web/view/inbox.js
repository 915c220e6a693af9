/** All conversations with unread messages. */

import { splitPlace } from "../model/chat.js";
import { Narrow } from "../model/narrow.js";
import { t } from "../text/text.js";
import { html } from "./html.js";

/** Unread conversations that are not muted; the newest first. @param {import("../model/chat.js").Chat} chat */
export function unreadPlaces(chat) {
  return chat.unread.places
    .map(({ place, count, newest }) => {
      const [channelId, rest] = splitPlace(place);
      const topic = chat.unread.topics.get(place) ?? rest;
      const narrow = channelId === null ? Narrow.of(["dm", rest.split(",").map(Number)]) : Narrow.of(["channel", channelId], ["topic", topic]);
      return { place, count, newest, channelId, topic, narrow };
    })
    .filter(({ channelId, topic }) => channelId === null || !chat.isMuted(channelId, topic))
    .sort((a, b) => b.newest - a.newest);
}

/** @param {{chat: import("../model/chat.js").Chat}} props */
export function Inbox({ chat }) {
  const places = unreadPlaces(chat);
  const name = (/** @type {number} */ id) => chat.channelName(id);
  return html`
    <div class="scroller inbox" tabindex="0">
      <h2>${t("nav.inbox")}</h2>
      ${!places.length && html`<p class="none">${t("inbox.empty")}</p>`}
      <ul>
        ${places.map(
          ({ place, count, channelId, topic, narrow }) => html`
          <li key=${place}>
            <a href=${narrow.hash(name)} dir="auto">${
              channelId === null
                ? (narrow.people ?? []).map((id) => chat.name(id)).join(", ")
                : html`<span class="mark">#${chat.channelName(channelId)}</span> › ${topic || t("topic.empty")}`
            }</a>
            <span class="count">${count}</span>
          </li>`,
        )}
      </ul>
    </div>
  `;
}
