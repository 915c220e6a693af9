/** All conversations in which something was said lately, the newest first. */

import { keyOf, messageOf, placeOf } from "../../model/places.js";
import { html, t, useAnswer } from "../kit.js";
import { ConversationRow } from "./conversations.js";

const LOOKED_AT = 400;

/** The newest messages of all that the reader has not muted. */
const NEWEST = {
  anchor: "newest",
  num_before: LOOKED_AT,
  num_after: 0,
  narrow: [{ operator: "in", operand: "home" }],
  client_gravatar: false,
  allow_empty_topic_name: true,
};

export function Recent(/** @type {PageProps} */ { chat }) {
  const answer = useAnswer("messages", { parameters: NEWEST, again: [chat.queueId, chat.topicChanges] });
  /** @type {Map<string, {place: Place, message: any}>} */ const conversations = new Map();
  const messages = [...(answer?.messages ?? []).map(messageOf), ...chat.messages.values()].sort(
    (a, b) => b.id - a.id,
  );
  for (const message of messages) {
    const place = placeOf(message, chat.me);
    const key = keyOf(place);
    const isMuted = place.channelId !== undefined && chat.isMuted(place.channelId, place.topic);
    if (!conversations.has(key) && !isMuted) conversations.set(key, { place, message });
  }
  return html`
    <div class="scroller inbox" tabindex="0">
      ${answer && !messages.length && html`<p class="none">${t("rows.empty")}</p>`}
      <ul>
        ${[...conversations].map(
          ([key, { place, message }]) => html`<${ConversationRow} key=${key} chat=${chat} place=${place}
          message=${message} count=${chat.unread.count(key)} />`,
        )}
      </ul>
    </div>
  `;
}
