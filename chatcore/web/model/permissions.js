/** Permissions of people. */

export const ROLE = { OWNER: 100, ADMINISTRATOR: 200, MODERATOR: 300, MEMBER: 400, GUEST: 600 };

/** Whether somebody is a member of a group, directly or by its subgroups. @param {Chat} chat @param {Holders} holders @param {number} id @returns {boolean} */
export function holds(chat, holders, id) {
  if (typeof holders !== "number") return holders.direct_members.includes(id) || holders.direct_subgroups.some((one) => holds(chat, one, id));
  const group = chat.groups.find((one) => one.id === holders);
  return !!group && holds(chat, { direct_members: group.members, direct_subgroups: group.direct_subgroup_ids }, id);
}

/** @param {Chat} chat */
const roleOf = (chat) => chat.people.get(chat.me)?.role ?? ROLE.GUEST;
/** @param {Chat} chat */
export const isOwner = (chat) => roleOf(chat) === ROLE.OWNER;
/** @param {Chat} chat */
export const isAdministrator = (chat) => roleOf(chat) <= ROLE.ADMINISTRATOR;
/** @param {Chat} chat */
export const isGuest = (chat) => roleOf(chat) === ROLE.GUEST;

/** Whether the reader has a permission of the organization. @param {Chat} chat @param {string} name */
export function may(chat, name) {
  const holders = chat.state[`realm_${name}`];
  return (
    holders !== undefined &&
    holds(chat, holders, chat.me) &&
    (!isGuest(chat) || chat.state.server_supported_permission_settings.realm[name].allow_everyone_group)
  );
}

/** The rights of the reader in a channel. @param {Chat} chat @param {any} channel */
export function rightsIn(chat, channel) {
  const isGuestHere = isGuest(chat);
  const has = (/** @type {string} */ name) => !isGuestHere && holds(chat, channel[name], chat.me);
  const administers = isAdministrator(chat) || has("can_administer_channel_group");
  const adds = has("can_add_subscribers_group");
  const reads = chat.subscribed.has(channel.stream_id) || channel.is_web_public || (!isGuestHere && !channel.invite_only) || adds || has("can_subscribe_group");
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
  const has = (/** @type {string} */ name) => !group.is_system_group && !isGuest(chat) && holds(chat, group[name], chat.me);
  const manages = !group.is_system_group && (may(chat, "can_manage_all_groups") || has("can_manage_group"));
  const adds = manages || has("can_add_members_group");
  const removes = manages || has("can_remove_members_group");
  return { manages, adds, removes, joins: adds || has("can_join_group"), leaves: removes || has("can_leave_group") };
}
