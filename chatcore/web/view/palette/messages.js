/** What the palette finds in messages. */

import { messageOf, plainText } from "../../model/places.js";
import { termsOf } from "../../model/search.js";
import { Avatar, callMessages, html, useEffect, useLater, useRef, useState } from "../kit.js";
import { conversationOf } from "../messages/actions.js";
import { titleOf } from "../titles.js";

/** How many letters of a text, after how many ms without a key, find how many messages, cut to how many. */
const [SHORTEST, PAUSE, MESSAGES, LONGEST] = [3, 300, 5, 100];
/** How many letters at most are shown before the first word that was found; and a sign that no text has. */
const [BEFORE, FOUND] = [12, "\ue000"];

/** The newest messages that a text finds, once nobody types. @param {Chat} chat */
export function useFound(chat, text, pills) {
  const [found, setFound] = useState(/** @type {Message[]} */ ([]));
  const last = useRef(text);
  last.current = text;
  useEffect(() => () => void (last.current = null), []);
  const ask = async () => {
    await new Promise((done) => setTimeout(done, PAUSE));
    if (last.current !== text || text.trim().length < SHORTEST) return [];
    const narrow = termsOf(chat, text.trim(), pills);
    const newest = { anchor: "newest", num_before: MESSAGES, num_after: 0, narrow };
    return (await callMessages(newest)).messages.map(messageOf).toReversed();
  };
  useLater(ask, setFound, [text, pills], () => setFound([]));
  return found;
}

/** The part of a message with the first word that was found. @param {Message} message */
function foundPart({ match_content: matched, content }) {
  const marked = (matched || content).replace('<span class="highlight">', `$&${FOUND}`);
  const text = plainText({ content: marked }).trim().replace(/\s+/g, " ");
  const at = text.indexOf(FOUND);
  const start = at > BEFORE ? Math.min(at, text.indexOf(" ", at - BEFORE) + 1 || at) : 0;
  return (start ? "… " : "") + text.slice(start).replace(FOUND, "").slice(0, LONGEST);
}

/** Messages with their conversations, in which they are opened. @param {Message[]} found  */
export const messagesOf = (/** @type {Chat} */ chat, found) =>
  found.map((message) => {
    const conversation = conversationOf(chat, message);
    const person = chat.people.get(message.sender_id) ?? {};
    return {
      key: `message ${message.id}`,
      name: titleOf(chat, conversation, ""),
      note: `${chat.name(message.sender_id)}: ${foundPart(message)}`,
      mark: () => html`<${Avatar} person=${person} kind="small" />`,
      run: () => void (location.hash = chat.link(conversation.from(message.id))),
    };
  });
