/** The rights of the reader, by groups, settings and time limits. The server has the last word. */

export const ROLE = { OWNER: 100, ADMINISTRATOR: 200, MODERATOR: 300, MEMBER: 400, GUEST: 600 };
export const RESOLVED = "✔ ";

/**
 * Whether somebody is a member of a group, directly or by its subgroups.
 *
 * @param {Chat} chat
 * @param {Holders | undefined} holders
 * @param {number} id
 * @returns {boolean}
 */
export function holds(chat, holders, id) {
  if (typeof holders === "object")
    return (
      holders.direct_members.includes(id) || holders.direct_subgroups.some((one) => holds(chat, one, id))
    );
  const group = chat.groups.find((one) => one.id === holders);
  return (
    !!group && holds(chat, { direct_members: group.members, direct_subgroups: group.direct_subgroup_ids }, id)
  );
}

const roleOf = (/** @type {Chat} */ chat) => chat.people.get(chat.me)?.role ?? ROLE.GUEST;
export const isOwner = (/** @type {Chat} */ chat) => roleOf(chat) === ROLE.OWNER;
export const isAdministrator = (/** @type {Chat} */ chat) => roleOf(chat) <= ROLE.ADMINISTRATOR;
export const isGuest = (/** @type {Chat} */ chat) => roleOf(chat) === ROLE.GUEST;

/** Whether a person is a guest. @param {Chat} chat @param {number} id */
export const isGuestWith = (chat, id) => chat.people.get(id)?.role === ROLE.GUEST;

/** Whether the reader has a permission of the organization. @param {Chat} chat @param {string} name */
export function may(chat, name) {
  const isForGuests = () => chat.state.server_supported_permission_settings.realm[name].allow_everyone_group;
  return holds(chat, chat.state[`realm_${name}`], chat.me) && (!isGuest(chat) || isForGuests());
}

/** The rights of the reader in a channel. @param {Chat} chat @param {any} channel */
export function rightsIn(chat, channel) {
  const isGuestHere = isGuest(chat);
  const has = (name) => !isGuestHere && holds(chat, channel[name], chat.me);
  const administers = isAdministrator(chat) || has("can_administer_channel_group");
  const adds = has("can_add_subscribers_group");
  const reads =
    chat.subscribed.has(channel.stream_id) ||
    channel.is_web_public ||
    (!isGuestHere && !channel.invite_only) ||
    adds ||
    has("can_subscribe_group");
  return {
    administers,
    reads,
    joins: reads && !isGuestHere,
    adds: reads && !isGuestHere && (administers || adds || may(chat, "can_add_subscribers_group")),
    removes: administers || holds(chat, channel.can_remove_subscribers_group, chat.me),
  };
}

/** The rights of the reader on a group. @param {Chat} chat @param {any} group */
export function rightsOn(chat, group) {
  const has = (name) => !group.is_system_group && !isGuest(chat) && holds(chat, group[name], chat.me);
  const manages = !group.is_system_group && (may(chat, "can_manage_all_groups") || has("can_manage_group"));
  const adds = manages || has("can_add_members_group");
  const removes = manages || has("can_remove_members_group");
  return {
    manages,
    adds,
    removes,
    joins: adds || has("can_join_group"),
    leaves: removes || has("can_leave_group"),
  };
}

/** Whether the reader has a permission, of a channel too. @param {Chat} chat @param {string} name */
const permits = (chat, name, channelId = 0, ofChannel = name) =>
  holds(chat, chat.state[`realm_${name}`], chat.me) ||
  holds(chat, chat.channels.get(channelId)?.[ofChannel], chat.me);

/** Whether a message is not older than a limit in seconds. */
const isInTime = (message, limit) => limit === null || Date.now() / 1000 - message.timestamp <= limit;

export function mayEdit(/** @type {Chat} */ chat, /** @type {Message} */ message) {
  const { realm_allow_message_editing: isOn, realm_message_content_edit_limit_seconds: limit } = chat.state;
  return isOn && message.sender_id === chat.me && !message.submessages.length && isInTime(message, limit);
}

export function mayDelete(/** @type {Chat} */ chat, /** @type {Message} */ message) {
  const { sender_id, stream_id } = message;
  if (permits(chat, "can_delete_any_message_group", stream_id)) return true;
  const isOwn = sender_id === chat.me || chat.people.get(sender_id)?.bot_owner_id === chat.me;
  return (
    isOwn &&
    permits(chat, "can_delete_own_message_group", stream_id) &&
    isInTime(message, chat.state.realm_message_content_delete_limit_seconds)
  );
}

/**
 * @param {string} limit
 * @param {string} name
 * @param {string} ofChannel
 * @returns {(chat: Chat, id: number, message?: Message) => boolean}
 */
const mayMove = (limit, name, ofChannel) => (chat, id, message) => {
  const longest = chat.state[`realm_move_messages_${limit}_limit_seconds`];
  if (message && roleOf(chat) > ROLE.MODERATOR && !isInTime(message, longest)) return false;
  const administers =
    isAdministrator(chat) || holds(chat, chat.channels.get(id)?.can_administer_channel_group, chat.me);
  return administers || permits(chat, name, id, ofChannel);
};

/** Whether topics of a channel may be renamed. */
export const mayRename = mayMove(
  "within_stream",
  "can_move_messages_between_topics_group",
  "can_move_messages_within_channel_group",
);

/** Whether messages may leave a channel. */
export const mayMoveOut = mayMove(
  "between_streams",
  "can_move_messages_between_channels_group",
  "can_move_messages_out_of_channel_group",
);

/** Whether messages can be written to a place. @param {Chat} chat @param {Place} place */
export const mayWriteTo = (chat, { channelId, people }) =>
  people !== undefined || (channelId !== undefined && !chat.channels.get(channelId)?.is_archived);

export const mayResolve = (/** @type {Chat} */ chat, id, topic) =>
  topic !== "" && permits(chat, "can_resolve_topics_group", id);

export const mayDeleteTopic = (/** @type {Chat} */ chat, id) =>
  permits(chat, "can_delete_any_message_group", id);

/** Whether the reader may invite people, by mail or by a link. @param {Chat} chat */
export const invites = (chat) =>
  may(chat, "can_invite_users_group") || may(chat, "create_multiuse_invite_group");
