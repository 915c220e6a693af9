/** The rights of the reader on messages and topics, by the groups and time limits of the state. The server has the last word. */

import { ROLE, holds, isAdministrator } from "./permissions.js";

export const RESOLVED = "✔ ";

/** @param {Chat} chat @param {Holders | undefined} holders */
const isIn = (chat, holders) => holders !== undefined && holds(chat, holders, chat.me);

/** @param {Chat} chat @param {string} name of the setting of the organization @param {number} [id] of a channel @param {string} [ofChannel] the name of its setting */
const permits = (chat, name, id = 0, ofChannel = name) => isIn(chat, chat.state[`realm_${name}`]) || isIn(chat, chat.channels.get(id)?.[ofChannel]);

/** @param {Message} message @param {number | null} limit */
const isInTime = (message, limit) => limit === null || Date.now() / 1000 - message.timestamp <= limit;

/** @param {Chat} chat @param {Message} message */
export function mayEdit(chat, message) {
  const { realm_allow_message_editing: isOn, realm_message_content_edit_limit_seconds: limit } = chat.state;
  return isOn && message.sender_id === chat.me && !message.submessages.length && isInTime(message, limit);
}

/** @param {Chat} chat @param {Message} message */
export function mayDelete(chat, message) {
  const { sender_id, stream_id } = message;
  if (permits(chat, "can_delete_any_message_group", stream_id)) return true;
  const isOwn = sender_id === chat.me || chat.people.get(sender_id)?.bot_owner_id === chat.me;
  return isOwn && permits(chat, "can_delete_own_message_group", stream_id) && isInTime(message, chat.state.realm_message_content_delete_limit_seconds);
}

/** @param {string} limit @param {string} name @param {string} ofChannel @returns {(chat: Chat, id: number, message?: Message) => boolean} */
const mayMove = (limit, name, ofChannel) => (chat, id, message) => {
  const isLimited = (chat.people.get(chat.me)?.role ?? Infinity) > ROLE.MODERATOR;
  if (message && isLimited && !isInTime(message, chat.state[limit])) return false;
  const administers = isAdministrator(chat) || isIn(chat, chat.channels.get(id)?.can_administer_channel_group);
  return administers || permits(chat, name, id, ofChannel);
};

/** Whether topics of a channel may be renamed. */
export const mayRename = mayMove(
  "realm_move_messages_within_stream_limit_seconds",
  "can_move_messages_between_topics_group",
  "can_move_messages_within_channel_group",
);

/** Whether messages may leave a channel. */
export const mayMoveOut = mayMove(
  "realm_move_messages_between_streams_limit_seconds",
  "can_move_messages_between_channels_group",
  "can_move_messages_out_of_channel_group",
);

/** @param {Chat} chat @param {number} id @param {string} topic */
export const mayResolve = (chat, id, topic) => topic !== "" && permits(chat, "can_resolve_topics_group", id);

/** @param {Chat} chat @param {number} id */
export const mayDeleteTopic = (chat, id) => permits(chat, "can_delete_any_message_group", id);
