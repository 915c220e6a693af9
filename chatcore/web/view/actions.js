/** The actions of one message. */

import { call } from "../api.js";
import { Narrow } from "../model/narrow.js";
import { mayDelete, mayEdit, mayMoveOut, mayRename } from "../model/message_rights.js";
import { t } from "../text/text.js";
import { copy } from "./copy.js";
import { html } from "./html.js";
import { Icon } from "./icon.js";
import { Menu } from "./menu.js";
import { report } from "./notice.js";

/**
 * @typedef {import("../model/chat.js").Chat} Chat
 * @typedef {import("../model/messages.js").Message} Message
 */

/** The narrow of the conversation of a message. @param {Chat} chat @param {Message} message */
export function conversationOf(chat, message) {
  return message.stream_id === undefined
    ? Narrow.of(["dm", message.people(chat.me).sort((a, b) => a - b)])
    : Narrow.of(["channel", message.stream_id], ["topic", message.subject]);
}

/** The address of a narrow, as others can open it. @param {Chat} chat @param {Narrow} narrow */
export const addressOf = (chat, narrow) =>
  new URL(
    narrow.hash((id) => chat.channelName(id)),
    document.baseURI,
  ).href;

/** @param {Chat} chat @param {Message} message */
export const linkTo = (chat, message) => addressOf(chat, new Narrow([...conversationOf(chat, message).terms, { operator: "near", operand: message.id }]));

/** @param {Message} message @param {{emoji_name: string, emoji_code?: string, reaction_type?: string}} emoji @param {boolean} isSet */
export function react(message, { emoji_name, emoji_code, reaction_type }, isSet) {
  report(call(isSet ? "POST" : "DELETE", `messages/${message.id}/reactions`, { emoji_name, emoji_code, reaction_type }));
}

/** The reactions of a message by emoji. @param {Message} message */
export function reactionsOf(message) {
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const one of message.reactions) {
    const key = `${one.reaction_type}:${one.emoji_code}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

/** @param {Message} message */
export function star(message) {
  const op = message.flags.has("starred") ? "remove" : "add";
  report(call("POST", "messages/flags", { messages: [message.id], op, flag: "starred" }));
}

/** @param {Chat} chat @param {Message} message @param {import("./app.js").Acts} act */
async function unreadFrom(chat, message, act) {
  if (act.list) act.list.keepsUnread = true;
  await report(
    call("POST", "messages/flags/narrow", {
      anchor: message.id,
      include_anchor: true,
      num_before: 0,
      num_after: 5000,
      narrow: conversationOf(chat, message).forServer,
      op: "remove",
      flag: "read",
    }),
  );
}

/** @param {Chat} chat @param {Message} message @param {import("./app.js").Acts} act @returns {import("./menu.js").Item[]} */
function items(chat, message, act) {
  const channel = message.stream_id;
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = /** @type {any} */ (message);
  const show = (/** @type {string} */ name) => () => act.show(name, { message });
  return [
    { name: t("action.link"), run: () => copy(linkTo(chat, message)) },
    { name: t("action.unread"), run: () => unreadFrom(chat, message, act) },
    channel !== undefined && (mayRename(chat, channel, message) || mayMoveOut(chat, channel, message)) && { name: t("action.move"), run: show("move") },
    message.reactions.length > 0 && { name: t("action.reactions"), run: show("reactions") },
    chat.state.realm_enable_read_receipts && { name: t("action.readers"), run: show("readers") },
    (edited || moved) && chat.state.realm_message_edit_history_visibility_policy !== "none" && { name: t("action.history"), run: show("history") },
    { name: t("action.remind"), run: show("remind") },
    chat.state.realm_moderation_request_channel_id > 0 && message.sender_id !== chat.me && { name: t("action.report"), run: show("report") },
    mayDelete(chat, message) && {
      name: t("action.delete"),
      run: () => act.show("sure", { question: t("action.delete_sure"), name: t("action.delete"), run: () => report(call("DELETE", `messages/${message.id}`)) }),
    },
  ];
}

/** @param {{chat: Chat, message: Message, act: import("./app.js").Acts, edit: () => void, react: () => void, opens: boolean}} props */
export function Actions({ chat, message, act, edit, react: pick, opens }) {
  const isStarred = message.flags.has("starred");
  return html`
    <div class="actions" role="toolbar" aria-label=${t("action.menu")}>
      <button type="button" title=${t("action.react")} aria-label=${t("action.react")} onClick=${pick}><${Icon} name="smile" /></button>
      <button type="button" title=${t("action.quote")} aria-label=${t("action.quote")} onClick=${() => act.quote(message)}><${Icon} name="quote" /></button>
      <button type="button" aria-pressed=${isStarred} title=${t(isStarred ? "action.unstar" : "action.star")}
        aria-label=${t("action.star")} onClick=${() => star(message)}><${Icon} name="star" filled=${isStarred} /></button>
      ${mayEdit(chat, message) && html`<button type="button" title=${t("action.edit")} aria-label=${t("action.edit")} onClick=${edit}><${Icon} name="pen" /></button>`}
      <${Menu} label=${t("action.more")} items=${() => items(chat, message, act)} open=${opens} />
    </div>
  `;
}
