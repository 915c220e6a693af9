/** The change that each type of event makes. */

import { directKey, topicKey } from "./narrow.js";
import { RESOLVED } from "./rights.js";
import { arrived } from "./sending.js";

/** @param {any[]} list @param {string} key @param {unknown} id @param {(one: any) => object} change */
const changed = (list, key, id, change) => list.map((one) => (one[key] === id ? { ...one, ...change(one) } : one));

/** @param {number[]} ids @param {number[]} gone */
const without = (ids, gone) => ids.filter((id) => !gone.includes(id));

/** @param {any[]} list @param {string} key @param {number | undefined} id */
const withoutOne = (list, key, id) => list.filter((one) => one[key] !== id);

/** @type {Record<string, (chat: Chat, event: any) => unknown>} */
export const HANDLERS = {
  alert_words: ({ state }, { alert_words }) => (state.alert_words = alert_words),
  custom_profile_fields: ({ state }, { fields }) => (state.custom_profile_fields = fields),
  default_streams: ({ state }, { default_streams }) => (state.realm_default_streams = default_streams),
  muted_users: ({ state }, { muted_users }) => (state.muted_users = muted_users),
  realm_linkifiers: ({ state }, { realm_linkifiers }) => (state.realm_linkifiers = realm_linkifiers),
  realm_export: ({ state }, { exports }) => (state.exports = exports),
  invites_changed: ({ state }) => (state.invites_version = (state.invites_version ?? 0) + 1),
  restart: (chat) => (chat.isOutdated = true),
  reminders: ({ state }, { reminders = [], reminder_id }) => (state.reminders = [...withoutOne(state.reminders, "reminder_id", reminder_id), ...reminders]),
  user_topic: (chat, { stream_id, topic_name, visibility_policy }) => chat.policies.set(topicKey(stream_id, topic_name), visibility_policy),
  presence: (chat, { presences }) => chat.meet(presences),
  user_status: (chat, { user_id, ...status }) => chat.statuses.set(user_id, { ...chat.statuses.get(user_id), ...status }),
  user_settings: (chat, { property, value }) => (chat.settings[property] = value),
  drafts: (chat, event) => chat.drafts.apply(event),
  realm_emoji: (chat, { realm_emoji }) => (chat.emoji = realm_emoji),
  submessage: (chat, event) => chat.change(event.message_id, ({ submessages }) => ({ submessages: [...submessages, { ...event, id: event.submessage_id }] })),

  message(chat, { message: fields, flags, local_message_id }) {
    const message = chat.remember({ ...fields, flags });
    if (local_message_id) arrived(chat, local_message_id);
    const place = message.conversation(chat.me);
    chat.typing.get(place)?.delete(message.sender_id);
    if (!message.flags.has("read")) chat.unread.add(place, message.id, message.subject);
    chat.unread.mention(message.id, flags);
    if (message.stream_id === undefined) noteConversation(chat, message);
    for (const list of chat.lists) list.take(message);
    chat.arrived(message);
  },

  update_message(chat, event) {
    const ids = event.message_ids ?? [event.message_id];
    const edited = event.rendering_only ? {} : { last_edit_timestamp: event.edit_timestamp };
    if (event.rendered_content !== undefined) {
      chat.change(event.message_id, () => ({ content: event.rendered_content, match_content: undefined, flags: event.flags, ...edited }));
      chat.unread.mention(event.message_id, event.flags);
    }
    if (event.subject === undefined && event.new_stream_id === undefined) return;
    const channel = event.new_stream_id ?? event.stream_id;
    const topic = event.subject ?? event.orig_subject;
    const isRename = !isResolving(event);
    for (const id of ids) {
      chat.change(id, () => ({ subject: topic, stream_id: channel, ...(isRename ? { last_moved_timestamp: event.edit_timestamp } : {}) }));
      chat.unread.move(id, topicKey(channel, topic), topic);
    }
    chat.moves += 1;
    /** @type {Message[]} */
    const known = ids.flatMap((/** @type {number} */ id) => chat.messages.get(id) ?? []);
    for (const list of chat.lists) {
      list.drop(known.filter((message) => list.narrow.matches(message, chat.me) === false).map(({ id }) => id));
      if (!list.narrow.isConversation || ids.every((/** @type {number} */ id) => list.ids.includes(id))) continue;
      for (const message of known) list.take(message);
      if (known.length < ids.length && list.narrow.channelId === channel) list.load();
    }
  },

  delete_message(chat, event) {
    const ids = event.message_ids ?? [event.message_id];
    chat.unread.remove(ids);
    for (const id of ids) chat.messages.delete(id);
    chat.moves += 1;
    for (const list of chat.lists) list.drop(ids);
  },

  update_message_flags(chat, { op, operation, flag, messages, all, message_details }) {
    const isSet = (op ?? operation) === "add";
    if (flag === "read") {
      if (all) chat.unread.clear();
      else if (isSet) chat.unread.remove(messages);
      else
        for (const id of messages) {
          const detail = message_details?.[id];
          if (!detail) continue;
          if (detail.type === "private") chat.unread.add(directKey(detail.user_ids, chat.me), id);
          else chat.unread.add(topicKey(detail.stream_id, detail.topic), id, detail.topic);
          if (detail.mentioned) chat.unread.mentions.add(id);
        }
    }
    if (flag === "starred") for (const id of messages) isSet ? chat.starred.add(id) : chat.starred.delete(id);
    for (const id of all ? chat.messages.keys() : messages)
      chat.change(id, (message) => {
        const flags = new Set(message.flags);
        if (isSet) flags.add(flag);
        else flags.delete(flag);
        return { flags };
      });
  },

  reaction(chat, { op, message_id, ...reaction }) {
    const isSame = (/** @type {any} */ one) =>
      one.user_id === reaction.user_id && one.emoji_code === reaction.emoji_code && one.reaction_type === reaction.reaction_type;
    chat.change(message_id, ({ reactions }) => {
      const others = reactions.filter((one) => !isSame(one));
      return { reactions: op === "add" ? [...others, reaction] : others };
    });
  },

  typing(chat, { op, message_type, sender, recipients, stream_id, topic }) {
    if (sender.user_id === chat.me) return;
    const people = () => recipients.map((/** @type {{user_id: number}} */ one) => one.user_id);
    const isDirect = message_type === "direct" || message_type === "private";
    chat.types(isDirect ? directKey(people(), chat.me) : topicKey(stream_id, topic), sender.user_id, op === "start");
  },

  scheduled_messages({ state }, { op, scheduled_messages, scheduled_message: one, scheduled_message_id: id }) {
    const more = { add: scheduled_messages, update: [one], remove: [] }[/** @type {"add" | "update" | "remove"} */ (op)];
    state.scheduled_messages = [...withoutOne(state.scheduled_messages, "scheduled_message_id", id ?? one?.scheduled_message_id), ...more];
  },

  realm_user(chat, { op, person: { custom_profile_field: field, ...person } }) {
    /** @type {any} */
    const known = chat.people.get(person.user_id);
    if (field) person.profile_data = profileWith(known?.profile_data, field);
    if (person.user_id === chat.me && person.delivery_email) chat.state.delivery_email = person.delivery_email;
    if (op === "add") chat.people.set(person.user_id, { ...person, is_active: true });
    else if (op === "update" && known) chat.people.set(person.user_id, { ...known, ...person });
    else if (op === "remove" && known) chat.people.set(person.user_id, { ...known, is_active: false });
  },

  stream(chat, { op, streams, stream_id, stream_ids, property, value, type, id, name, ...more }) {
    if (op === "create") for (const one of streams) chat.channels.set(one.stream_id, { ...chat.channels.get(one.stream_id), ...one });
    if (op === "delete")
      for (const id of stream_ids ?? streams.map((/** @type {any} */ one) => one.stream_id)) {
        chat.channels.delete(id);
        chat.subscribed.delete(id);
      }
    const known = chat.channels.get(stream_id);
    if (op === "update" && known) chat.channels.set(stream_id, { ...known, ...more, [property]: value });
  },

  subscription(chat, { op, subscriptions, stream_id, property, value, stream_ids, user_ids }) {
    if (op === "add")
      for (const one of subscriptions) {
        chat.channels.set(one.stream_id, { ...chat.channels.get(one.stream_id), ...one });
        chat.subscribed.add(one.stream_id);
        chat.subscribers.get(one.stream_id)?.add(chat.me);
      }
    if (op === "remove")
      for (const one of subscriptions) {
        chat.subscribed.delete(one.stream_id);
        chat.countSubscribers(one.stream_id, [chat.me], false);
      }
    if (op === "peer_add" || op === "peer_remove") for (const one of stream_ids) chat.countSubscribers(one, user_ids, op === "peer_add");
    const known = chat.channels.get(stream_id);
    if (op === "update" && known)
      chat.channels.set(stream_id, { ...known, [property === "in_home_view" ? "is_muted" : property]: property === "in_home_view" ? !value : value });
  },

  realm(chat, { op, property, value, data }) {
    if (op === "update") chat.state[`realm_${property}`] = value;
    if (op === "update_dict") for (const [name, one] of Object.entries(data)) chat.state[`realm_${name}`] = one;
  },

  user_group(chat, { op, group, group_id, data, user_ids, direct_subgroup_ids }) {
    const change = (/** @type {(one: any) => object} */ how) => {
      chat.groups = changed(chat.groups, "id", group_id, how);
    };
    if (op === "add") chat.groups = [...chat.groups, group];
    if (op === "remove") chat.groups = chat.groups.filter((one) => one.id !== group_id);
    if (op === "update") change(() => data);
    if (op === "add_members") change((one) => ({ members: [...new Set([...one.members, ...user_ids])] }));
    if (op === "remove_members") change((one) => ({ members: without(one.members, user_ids) }));
    if (op === "add_subgroups") change((one) => ({ direct_subgroup_ids: [...new Set([...one.direct_subgroup_ids, ...direct_subgroup_ids])] }));
    if (op === "remove_subgroups") change((one) => ({ direct_subgroup_ids: without(one.direct_subgroup_ids, direct_subgroup_ids) }));
  },

  channel_folder({ state }, { op, channel_folder, channel_folder_id, data, order }) {
    if (op === "add") state.channel_folders = [...state.channel_folders, channel_folder];
    if (op === "update") state.channel_folders = changed(state.channel_folders, "id", channel_folder_id, () => data);
    if (op === "reorder") state.channel_folders = [...state.channel_folders].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  },

  realm_domains({ state }, { op, realm_domain, domain }) {
    const name = domain ?? realm_domain.domain;
    if (op === "add") state.realm_domains = [...state.realm_domains, realm_domain];
    if (op === "change") state.realm_domains = changed(state.realm_domains, "domain", name, () => realm_domain);
    if (op === "remove") state.realm_domains = state.realm_domains.filter((/** @type {any} */ one) => one.domain !== name);
  },
};

/** Whether a move only marks a topic as resolved, or no longer. @param {any} event */
function isResolving({ subject, orig_subject, new_stream_id }) {
  return new_stream_id === undefined && subject.replace(RESOLVED, "") === orig_subject.replace(RESOLVED, "");
}

/** A person's profile with a field that was changed or cleared. @param {Record<string, any>} profile @param {any} field */
function profileWith(profile = {}, { id, value, rendered_value }) {
  const { [id]: _, ...rest } = profile;
  return value === null ? rest : { ...rest, [id]: { value, rendered_value } };
}

/** @param {Chat} chat @param {Message} message */
function noteConversation(chat, message) {
  const ids = message.people(chat.me).filter((/** @type {number} */ id) => id !== chat.me);
  const isIt = (/** @type {any} */ one) => one.user_ids.length === ids.length && ids.every((/** @type {number} */ id) => one.user_ids.includes(id));
  chat.conversations = [{ max_message_id: message.id, user_ids: ids }, ...chat.conversations.filter((one) => !isIt(one))];
}
