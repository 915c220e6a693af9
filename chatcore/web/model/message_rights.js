/** The rights of the reader on messages and topics, by the groups and time limits of the state. The server has the last word. */

import { ROLE, holds, isAdministrator } from "./permissions.js";

/**
 * @typedef {import("./chat.js").Chat} Chat
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./permissions.js").Holders} Holders
 */

export const RESOLVED = "✔ ";

/** @param {Chat} chat @param {Holders | undefined} holders */
const isIn = (chat, holders) => holders !== undefined && holds(chat, holders, chat.me);

/** @param {Chat} chat @param {string} name of the setting of the organization @param {string} [ofChannel] @param {...number} channelIds */
function permits(chat, name, ofChannel = name, ...channelIds) {
  if (isIn(chat, chat.state[`realm_${name}`])) return true;
  return channelIds.some((id) => isIn(chat, /** @type {any} */ (chat.channels.get(id))?.[ofChannel]));
}

/** @param {Chat} chat @param {number} role */
const hasRole = (chat, role) => (chat.people.get(chat.me)?.role ?? Infinity) <= role;

/** @param {Chat} chat @param {...number} channelIds */
const administers = (chat, ...channelIds) =>
  isAdministrator(chat) || channelIds.some((id) => isIn(chat, /** @type {any} */ (chat.channels.get(id))?.can_administer_channel_group));

/** @param {Message} message @param {number | null} limit */
const isInTime = (message, limit) => limit === null || Date.now() / 1000 - message.timestamp <= limit;

/** @param {Chat} chat @param {Message} message */
export function mayEdit(chat, message) {
  const { realm_allow_message_editing: isOn, realm_message_content_edit_limit_seconds: limit } = chat.state;
  return isOn && message.sender_id === chat.me && !message.submessages.length && isInTime(message, limit);
}

/** @param {Chat} chat @param {Message} message */
export function mayDelete(chat, message) {
  const channels = message.stream_id === undefined ? [] : [message.stream_id];
  if (permits(chat, "can_delete_any_message_group", undefined, ...channels)) return true;
  const sender = /** @type {any} */ (chat.people.get(message.sender_id));
  const isOwn = message.sender_id === chat.me || sender?.bot_owner_id === chat.me;
  return (
    isOwn && permits(chat, "can_delete_own_message_group", undefined, ...channels) && isInTime(message, chat.state.realm_message_content_delete_limit_seconds)
  );
}

/** Whether topics of a channel may be renamed. @param {Chat} chat @param {number} id @param {Message} [message] */
export function mayRename(chat, id, message) {
  const limit = hasRole(chat, ROLE.MODERATOR) ? null : chat.state.realm_move_messages_within_stream_limit_seconds;
  if (message && !isInTime(message, limit)) return false;
  return administers(chat, id) || permits(chat, "can_move_messages_between_topics_group", "can_move_messages_within_channel_group", id);
}

/** Whether messages may leave a channel. @param {Chat} chat @param {number} id @param {Message} [message] */
export function mayMoveOut(chat, id, message) {
  const limit = hasRole(chat, ROLE.MODERATOR) ? null : chat.state.realm_move_messages_between_streams_limit_seconds;
  if (message && !isInTime(message, limit)) return false;
  return administers(chat, id) || permits(chat, "can_move_messages_between_channels_group", "can_move_messages_out_of_channel_group", id);
}

/** @param {Chat} chat @param {number} id @param {string} topic */
export const mayResolve = (chat, id, topic) => topic !== "" && permits(chat, "can_resolve_topics_group", undefined, id);

/** @param {Chat} chat @param {number} id */
export const mayDeleteTopic = (chat, id) => permits(chat, "can_delete_any_message_group", undefined, id);
