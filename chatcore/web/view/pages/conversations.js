/** Conversations in a list: each with its newest message, and when that was. */

import { Narrow } from "../../model/narrow.js";
import { messageOf, plainText } from "../../model/places.js";
import { Faces, Icon, Mark, More, dayOf, fullTime, hourOf, html, t } from "../kit.js";
import { callMessages, useLater, useState } from "../kit.js";
import { markRead } from "../places/actions.js";

const LONGEST = 200;
/** How many are rendered at once. */
const STEP = 50;

/** The messages of ids that are known; others are asked for. @param {Chat} chat @param {number[]} ids */
export function useMessages(chat, ids) {
  const [known, setKnown] = useState(/** @type {Map<number, Message>} */ (new Map()));
  const missing = ids.filter((id) => !chat.messages.has(id) && !known.has(id));
  const ask = async () => (missing.length ? (await callMessages({ message_ids: missing })).messages : []);
  const take = (messages) =>
    messages.length && setKnown(new Map([...known, ...messages.map((one) => [one.id, messageOf(one)])]));
  useLater(ask, take, [missing.join()], () => {}); // a list without beginnings is one, too
  return (id) => chat.messages.get(id) ?? known.get(id);
}

/** When something was, in few letters. */
const shortTime = (timestamp) => {
  const day = dayOf(timestamp);
  return new Date(timestamp * 1000).toDateString() === new Date().toDateString() ? hourOf(timestamp) : day;
};

export function Beginning({ chat, message }) {
  const said = plainText(message).slice(0, LONGEST).replace(/\s+/g, " ");
  return html`<small dir="auto">${chat.name(message.sender_id)}: ${said}</small>`;
}

/**
 * Conversations: of each its key and place, its newest message or the id of that, and how many of its
 * messages are unread.
 *
 * @typedef {{key: string, place: Place, message?: Message, newest?: number, count: number}} Conversation
 */
export function Conversations(/** @type {{chat: Chat, items: Conversation[]}} */ { chat, items }) {
  const [most, setMost] = useState(chat.keptAt ? Infinity : STEP);
  const shown = items.slice(0, most);
  const find = useMessages(
    chat,
    shown.filter(({ message }) => !message).map(({ newest = 0 }) => newest),
  );
  return html`
    <ul>
      ${shown.map(
        ({ key, place, message, newest = 0, count }) => html`<${ConversationRow} key=${key} chat=${chat}
        place=${place} message=${message ?? find(newest)} count=${count} />`,
      )}
    </ul>
    <${More} count=${items.length - most} show=${() => setMost(most + 4 * STEP)} />
  `;
}

/** A conversation, with the number of its unread messages and the button that marks them as read. */
function ConversationRow({ chat, place, message, count = 0 }) {
  const { channelId, topic, people } = place;
  const narrow = Narrow.at(place);
  const subject = ` › ${topic || t("topic.empty")}`;
  const [name, rest] = people ? [chat.names(people), ""] : [chat.channelName(channelId), subject];
  const sign = people
    ? html`<${Faces} chat=${chat} people=${people} />`
    : html`<${Mark} channel=${chat.channels.get(channelId) ?? {}} />`;
  const label = `${t("topic.read")}: ${name}${rest}`;
  return html`
    <li>
      <a href=${chat.link(narrow)}><span class="sign">${sign}</span>
        <span class="name" dir="auto"><b>${name}</b>${rest}</span>
        ${
          message &&
          html`<time title=${fullTime(message.timestamp)}>${shortTime(message.timestamp)}</time>
          <${Beginning} chat=${chat} message=${message} />`
        }</a>
      ${
        count > 0 &&
        html`<span class="count">${count}</span>
        <button type="button" class="plain" title=${t("topic.read")} aria-label=${label}
          onClick=${() => markRead(chat, place)}><${Icon} name="check" /></button>`
      }
    </li>
  `;
}
