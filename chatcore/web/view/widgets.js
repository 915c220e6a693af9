/** Polls and lists of tasks: messages that others answer by submessages. */

import { call } from "../api.js";
import { html } from "./html.js";
import { report } from "./notice.js";

/** @param {{chat: import("../model/chat.js").Chat, message: import("../model/messages.js").Message}} props */
export function Submessages({ chat, message }) {
  if (!message.submessages.length) return null;
  let widget;
  try {
    widget = JSON.parse(message.submessages[0].content);
  } catch {
    return null;
  }
  if (widget.widget_type !== "poll") return null;
  const options = tally(message, widget.extra_data);
  const vote = (/** @type {string} */ key, /** @type {boolean} */ isMine) =>
    report(call("POST", "submessage", {
      message_id: message.id,
      msg_type: "widget",
      content: JSON.stringify({ type: "vote", key, vote: isMine ? -1 : 1 }),
    }));
  return html`
    <div class="poll">
      <strong dir="auto">${widget.extra_data?.question}</strong>
      ${options.map(({ key, text, voters }) => {
        const isMine = voters.has(chat.me);
        const names = [...voters].map((id) => chat.name(id)).join(", ");
        return html`<button type="button" key=${key} aria-pressed=${isMine} title=${names} onClick=${() => vote(key, isMine)}>
          <span class="count">${voters.size}</span> <span dir="auto">${text}</span></button>`;
      })}
    </div>
  `;
}

/** The options of a poll and who voted for each. @param {any} message @param {any} poll */
function tally(message, poll) {
  /** @type {Map<string, {key: string, text: string, voters: Set<number>}>} */
  const options = new Map();
  (poll?.options ?? []).forEach((/** @type {string} */ text, /** @type {number} */ at) => {
    options.set(`canned,${at}`, { key: `canned,${at}`, text, voters: new Set() });
  });
  for (const { sender_id, content } of message.submessages.slice(1)) {
    let data;
    try {
      data = JSON.parse(content);
    } catch {
      continue;
    }
    if (data.type === "new_option") {
      const key = `${sender_id},${data.idx}`;
      options.set(key, { key, text: data.option, voters: new Set([sender_id]) });
    }
    const option = data.type === "vote" ? options.get(data.key) : undefined;
    if (data.vote === 1) option?.voters.add(sender_id);
    else option?.voters.delete(sender_id);
  }
  return [...options.values()];
}
