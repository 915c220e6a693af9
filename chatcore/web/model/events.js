/** The change that each type of event makes, or each operation of a type that has several. */

import { directKey, keyOf, placeOf, topicKey } from "./places.js";
import { RESOLVED } from "./rights.js";

/**
 * Change a thing of a map, if it is known.
 *
 * @param {Map<any, any>} map
 * @param {unknown} id
 * @param {(one: any) => object} change
 */
function patch(map, id, change) {
  const known = map.get(id);
  if (known) map.set(id, { ...known, ...change(known) });
}

/** Change the things of a list of the state, as a map by their ids. */
function changeList(state, name, key, change) {
  const things = new Map(state[name].map((one) => [one[key], one]));
  change(things);
  state[name] = [...things.values()];
}

/**
 * The events of a list of the state. They have one *thing* or several that come or change, or the *id* of
 * one, with its new `data` or because it goes.
 */
const ofList =
  (name, key, thing, id = key) =>
  (chat, event) =>
    changeList(chat.state, name, key, (things) => {
      if (event.op === "remove") return things.delete(event[id]);
      for (const one of event[`${thing}s`] ?? [event[thing] ?? { [key]: event[id], ...event.data }])
        things.set(one[key], { ...things.get(one[key]), ...one });
    });

/** The events that add ids to those of a group, or remove them. @param {"union" | "difference"} how */
const ofGroup = (list, ids, how) => (chat, event) =>
  changeList(chat.state, "realm_user_groups", "id", (groups) =>
    patch(groups, event.group_id, (group) => ({
      [list]: [...new Set(group[list])[how](new Set(event[ids]))],
    })),
  );

/** Add something to a set, or remove it. */
const put = (set, one, isIn) => (isIn ? set?.add(one) : set?.delete(one));

/** Note channels with all that an event says of them. @param {Chat} chat */
function noteChannels({ channels }, those) {
  for (const one of those) channels.set(one.stream_id, { ...channels.get(one.stream_id), ...one });
}

/** Note that people have come to channels, or left them. @param {Chat} chat */
function countSubscribers(chat, channels, people, come) {
  for (const id of channels) {
    patch(chat.channels, id, ({ subscriber_count }) => ({
      subscriber_count: subscriber_count + (come ? people.length : -people.length),
    }));
    for (const one of people) put(chat.subscribers.get(id), one, come);
  }
}

/** @type {{[Name in keyof Api.Events]?: (chat: Chat, event: Api.Events[Name]) => unknown}} */
export const HANDLERS = {
  alert_words: ({ state }, { alert_words }) => (state.alert_words = alert_words),
  custom_profile_fields: ({ state }, { fields }) => (state.custom_profile_fields = fields),
  default_streams: ({ state }, { default_streams }) => (state.realm_default_streams = default_streams),
  muted_users: ({ state }, { muted_users }) => (state.muted_users = muted_users),
  realm_linkifiers: ({ state }, { realm_linkifiers }) => (state.realm_linkifiers = realm_linkifiers),
  invites_changed: ({ state }) => (state.invites_version = (state.invites_version ?? 0) + 1),
  restart: (chat) => (chat.isOutdated = true),
  user_topic: (chat, { stream_id, topic_name, visibility_policy }) =>
    chat.policies.set(topicKey(stream_id, topic_name), visibility_policy),
  presence: (chat, { presences }) => chat.meet(presences),
  user_status: (chat, { user_id, ...status }) =>
    chat.statuses.set(user_id, { ...chat.statuses.get(user_id), ...status }),
  user_settings: (chat, { property, value }) => (chat.settings[property] = value),
  drafts: (chat, event) => chat.drafts.apply(event),
  realm_emoji: (chat, { realm_emoji }) => (chat.emoji = realm_emoji),
  "realm update": ({ state }, { property, value }) => (state[`realm_${property}`] = value),
  "realm update_dict"({ state }, { data }) {
    for (const [name, value] of Object.entries(data)) state[`realm_${name}`] = value;
  },

  reminders: ofList("reminders", "reminder_id", "reminder"),
  scheduled_messages: ofList("scheduled_messages", "scheduled_message_id", "scheduled_message"),
  channel_folder: ofList("channel_folders", "id", "channel_folder", "channel_folder_id"),
  user_group: ofList("realm_user_groups", "id", "group", "group_id"),
  "user_group add_members": ofGroup("members", "user_ids", "union"),
  "user_group remove_members": ofGroup("members", "user_ids", "difference"),
  "user_group add_subgroups": ofGroup("direct_subgroup_ids", "direct_subgroup_ids", "union"),
  "user_group remove_subgroups": ofGroup("direct_subgroup_ids", "direct_subgroup_ids", "difference"),

  "realm_user add": (chat, { person }) => chat.people.set(person.user_id, { ...person, is_active: true }),
  "realm_user remove": (chat, { person }) => patch(chat.people, person.user_id, () => ({ is_active: false })),
  "realm_user update"(chat, { person: { custom_profile_field: field, ...person } }) {
    if (person.user_id === chat.me && person.delivery_email)
      chat.state.delivery_email = person.delivery_email;
    patch(chat.people, person.user_id, ({ profile_data }) => ({
      ...person,
      profile_data: field ? profileWith(profile_data, field) : profile_data,
    }));
  },

  "stream create": (chat, { streams }) => noteChannels(chat, streams),
  "stream update": (chat, { op, stream_id, property, value, type, id, name, ...more }) =>
    patch(chat.channels, stream_id, () => ({ ...more, [property]: value })),
  "stream delete"(chat, { streams, stream_ids = streams.map((one) => one.stream_id) }) {
    for (const id of stream_ids) {
      chat.channels.delete(id);
      chat.subscribed.delete(id);
    }
  },

  "subscription add"(chat, { subscriptions }) {
    noteChannels(chat, subscriptions);
    for (const { stream_id } of subscriptions) {
      chat.subscribed.add(stream_id);
      chat.topicChanges += 1; // no events have told of its topics
      chat.subscribers.get(stream_id)?.add(chat.me);
    }
  },
  "subscription remove"(chat, { subscriptions }) {
    const ids = subscriptions.map((one) => one.stream_id);
    for (const id of ids) chat.subscribed.delete(id);
    countSubscribers(chat, ids, [chat.me], false);
  },
  "subscription peer_add": (chat, { stream_ids, user_ids }) =>
    countSubscribers(chat, stream_ids, user_ids, true),
  "subscription peer_remove": (chat, { stream_ids, user_ids }) =>
    countSubscribers(chat, stream_ids, user_ids, false),
  "subscription update": (chat, { stream_id, property, value }) =>
    patch(chat.channels, stream_id, () =>
      property === "in_home_view" ? { is_muted: !value } : { [property]: value },
    ),

  message(chat, { message: fields, flags, local_message_id }) {
    const message = chat.remember({ ...fields, flags });
    if (local_message_id) chat.outbox.arrived(local_message_id, message.id);
    chat.outbox.came(message.id);
    chat.topics.take(message);
    chat.state.max_message_id = Math.max(chat.state.max_message_id, message.id);
    const place = placeOf(message, chat.me);
    const key = keyOf(place);
    chat.typing.get(key)?.delete(message.sender_id);
    if (!message.flags.has("read")) chat.unread.add(key, message.id, message.subject);
    chat.unread.mention(message.id, flags);
    if (place.people) {
      const user_ids = place.people.filter((id) => id !== chat.me);
      const others = chat.conversations.filter((one) => directKey(one.user_ids) !== directKey(user_ids));
      chat.conversations = [{ user_ids, max_message_id: message.id }, ...others];
    }
    for (const list of chat.lists) list.take(message);
    chat.onNewMessage(message);
  },

  update_message(chat, event) {
    const ids = event.message_ids ?? [event.message_id];
    const edited = event.rendering_only ? {} : { last_edit_timestamp: event.edit_timestamp };
    if (event.rendered_content !== undefined) {
      chat.change(event.message_id, () => ({
        content: event.rendered_content,
        match_content: undefined,
        flags: event.flags,
        ...edited,
      }));
      chat.unread.mention(event.message_id, event.flags);
    }
    if (event.subject === undefined && event.new_stream_id === undefined) return;
    const channel = event.new_stream_id ?? event.stream_id;
    const before = event.orig_subject ?? "";
    const topic = event.subject ?? before;
    const isOnlyResolved =
      event.new_stream_id === undefined && topic.replace(RESOLVED, "") === before.replace(RESOLVED, "");
    for (const id of ids) {
      chat.change(id, () => ({
        subject: topic,
        stream_id: channel,
        ...(!isOnlyResolved && { last_moved_timestamp: event.edit_timestamp }),
      }));
      chat.unread.move(id, topicKey(channel, topic), topic);
    }
    chat.topicChanges += 1;
    /** @type {Message[]} */ const known = ids.flatMap((id) => chat.messages.get(id) ?? []);
    for (const list of chat.lists) {
      list.drop(
        known.filter((message) => list.narrow.matches(message, chat.me) === false).map(({ id }) => id),
      );
      if (!list.narrow.isConversation || ids.every((id) => list.ids.includes(id))) continue;
      for (const message of known) list.take(message);
      if (known.length < ids.length && list.narrow.channelId === channel) list.load();
    }
  },

  delete_message(chat, { message_ids: ids = [] }) {
    chat.unread.remove(ids);
    for (const id of ids) chat.messages.delete(id);
    chat.topicChanges += 1;
    for (const list of chat.lists) list.drop(ids);
  },

  update_message_flags(chat, { operation, flag, messages, all, message_details = {} }) {
    const isSet = operation === "add";
    if (flag === "read" && isSet) all ? chat.unread.clear() : chat.unread.remove(messages);
    for (const [id, { type, user_ids, stream_id, topic, mentioned }] of Object.entries(message_details)) {
      const key = type === "private" ? directKey(user_ids, chat.me) : topicKey(stream_id, topic);
      chat.unread.add(key, Number(id), topic);
      if (mentioned) chat.unread.mentions.add(Number(id));
    }
    for (const id of all ? chat.messages.keys() : messages)
      chat.change(id, (message) => {
        const flags = new Set(message.flags);
        put(flags, flag, isSet);
        return { flags };
      });
  },

  submessage: (chat, event) =>
    chat.change(event.message_id, ({ submessages }) => ({
      submessages: [...submessages, { ...event, id: event.submessage_id }],
    })),

  reaction(chat, { op, message_id, ...reaction }) {
    const isOther = (one) =>
      ["user_id", "emoji_code", "reaction_type"].some((field) => one[field] !== reaction[field]);
    chat.change(message_id, ({ reactions }) => ({
      reactions: [...reactions.filter(isOther), ...(op === "add" ? [reaction] : [])],
    }));
  },

  typing(chat, { op, message_type, sender: { user_id }, recipients = [], stream_id, topic }) {
    if (user_id === chat.me) return;
    const people = () => recipients.map((one) => one.user_id);
    const place = message_type === "direct" ? directKey(people(), chat.me) : topicKey(stream_id, topic);
    const lasts = chat.state.server_typing_started_expiry_period_milliseconds;
    chat.typing.set(
      place,
      (chat.typing.get(place) ?? new Map()).set(user_id, op === "start" ? Date.now() + lasts : 0),
    );
    setTimeout(() => chat.changed(), lasts + 100);
  },
};

/** A person's profile with a field that was changed or cleared. */
function profileWith(profile = {}, /** @type {Api.FieldValueObject} */ { id, value, rendered_value }) {
  const { [id]: _, ...rest } = profile;
  return value === null ? rest : { ...rest, [id]: { value, rendered_value } };
}
