/** The actions of one message. */

import { Narrow } from "../model/narrow.js";
import { mayDelete, mayEdit, mayMoveOut, mayRename } from "../model/rights.js";
import { Icon, call, copy, html, report, sure, t } from "./kit.js";
import { Menu } from "./menu.js";

/** The narrow of the conversation of a message. @param {Chat} chat @param {Message} message */
export function conversationOf(chat, message) {
  return Narrow.at(message.stream_id === undefined ? { people: message.people(chat.me) } : { channelId: message.stream_id, topic: message.subject });
}

/** The address of a narrow, as others can open it. @param {Chat} chat @param {Narrow} narrow */
export const addressOf = (chat, narrow) => new URL(chat.link(narrow), document.baseURI).href;

/** @param {Chat} chat @param {Message} message */
export const linkTo = (chat, message) => addressOf(chat, conversationOf(chat, message).from(message.id));

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

/** @param {Chat} chat @param {Message} message @param {PageActions} act */
function unreadFrom(chat, message, act) {
  if (act.list) act.list.keepsUnread = true;
  const { forServer: narrow } = conversationOf(chat, message);
  const range = { anchor: message.id, include_anchor: true, num_before: 0, num_after: 5000 };
  report(call("POST", "messages/flags/narrow", { ...range, narrow, op: "remove", flag: "read" }));
}

/** @param {Chat} chat @param {Message} message @param {PageActions} act @returns {import("./menu.js").Item[]} */
function items(chat, message, act) {
  const channel = message.stream_id;
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = /** @type {any} */ (message);
  const show = (/** @type {Parameters<PageActions["show"]>[0]} */ name) => () => act.show(name, { message });
  return [
    { name: t("action.link"), run: () => copy(linkTo(chat, message)) },
    { name: t("action.unread"), run: () => unreadFrom(chat, message, act) },
    channel !== undefined && (mayRename(chat, channel, message) || mayMoveOut(chat, channel, message)) && { name: t("action.move"), run: show("Move") },
    message.reactions.length > 0 && { name: t("action.reactions"), run: show("WhoReacted") },
    chat.state.realm_enable_read_receipts && { name: t("action.readers"), run: show("Readers") },
    (edited || moved) && chat.state.realm_message_edit_history_visibility_policy !== "none" && { name: t("action.history"), run: show("History") },
    { name: t("action.remind"), run: show("Remind") },
    chat.state.realm_moderation_request_channel_id > 0 && message.sender_id !== chat.me && { name: t("action.report"), run: show("Report") },
    mayDelete(chat, message) && {
      name: t("action.delete"),
      run: () => sure(t("action.delete_sure"), t("action.delete"), () => report(call("DELETE", `messages/${message.id}`))),
    },
  ];
}

/** @param {{chat: Chat, message: Message, act: PageActions, edit: () => void, react: () => void, opens: boolean}} props */
export function Actions({ chat, message, act, edit, react: pick, opens }) {
  const isStarred = message.flags.has("starred");
  const button = (/** @type {"smile" | "quote" | "star" | "pen"} */ icon, /** @type {TextName} */ name, /** @type {() => void} */ run, more = {}) =>
    html`<button type="button" title=${t(name)} aria-label=${t(name)} onClick=${run} ...${more}><${Icon} name=${icon} filled=${icon === "star" && isStarred} /></button>`;
  return html`
    <div class="actions" role="toolbar" aria-label=${t("action.menu")}>
      ${button("smile", "action.react", pick)}
      ${button("quote", "action.quote", () => act.quote(message))}
      ${button("star", "action.star", () => star(message), { "aria-pressed": isStarred, title: t(isStarred ? "action.unstar" : "action.star") })}
      ${mayEdit(chat, message) && button("pen", "action.edit", edit)}
      <${Menu} label=${t("action.more")} items=${() => items(chat, message, act)} open=${opens} />
    </div>
  `;
}
