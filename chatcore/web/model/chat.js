/** All that the client knows of the organization: the initial state, kept current by events. */

import { Drafts } from "./drafts.js";
import { HANDLERS } from "./events.js";
import { Message } from "./messages.js";
import { Observable } from "./observable.js";
import { Unread } from "./unread.js";

/**
 * @typedef {{user_id: number, full_name: string, avatar_url: string | null, email: string, is_bot: boolean,
 *   is_active: boolean, role: number, [field: string]: any}} Person
 * @typedef {{stream_id: number, name: string, description: string, color: string, is_muted: boolean,
 *   invite_only: boolean, is_web_public: boolean, is_archived: boolean, pin_to_top: boolean, subscriber_count: number, [field: string]: any}} Channel
 */

export class Chat extends Observable {
  /** @type {Map<number, Message>} */
  messages = new Map();
  /** @type {Set<import("./messages.js").MessageList>} */
  lists = new Set();
  /** @type {Map<string, Map<number, number>>} conversation to people who type, and until when */
  typing = new Map();
  /** Counts what changed the topics of channels, apart from new messages. */
  moves = 0;
  /** Messages that were sent from here, and are not known to have arrived. @type {Map<string, any>} */
  outbox = new Map();

  /** The subscribers of channels whose lists are shown. @type {Map<number, Set<number>>} */
  subscribers = new Map();
  #counted = { version: -1, counts: /** @type {Map<number | null, number>} */ (new Map()) };

  /** @param {any} state the answer of `POST register` */
  constructor(state) {
    super();
    /** @type {Map<number, Person>} */ this.people = new Map();
    /** @type {Map<number, Channel>} */ this.channels = new Map();
    /** @type {Set<number>} */ this.subscribed = new Set();
    /** @type {Map<string, number>} */ this.policies = new Map();
    this.unread = new Unread(null, 0);
    this.drafts = new Drafts(this);
    this.start(state);
  }

  /** Begin anew from an initial state. @param {any} state */
  start(state) {
    this.state = state;
    /** @type {number} */ this.me = state.user_id;
    /** @type {string} */ this.queueId = state.queue_id;
    this.people = new Map();
    for (const one of [...state.realm_users, ...state.cross_realm_bots]) this.people.set(one.user_id, { ...one, is_active: true });
    for (const one of state.realm_non_active_users) this.people.set(one.user_id, { ...one, is_active: false });
    this.channels = new Map();
    this.subscribed = new Set();
    this.subscribers.clear();
    for (const one of [...state.never_subscribed, ...state.unsubscribed, ...state.subscriptions]) this.channels.set(one.stream_id, one);
    for (const one of state.subscriptions) this.subscribed.add(one.stream_id);
    this.policies = new Map();
    for (const one of state.user_topics) this.policies.set(`${one.stream_id}:${one.topic_name.toLowerCase()}`, one.visibility_policy);
    this.unread = new Unread(state.unread_msgs, this.me);
    /** @type {Set<number>} */ this.starred = new Set(state.starred_messages);
    /** @type {Map<number, any>} */ this.presences = new Map(Object.entries(state.presences ?? {}).map(([id, presence]) => [Number(id), presence]));
    /** @type {Map<number, any>} */ this.statuses = new Map(Object.entries(state.user_status ?? {}).map(([id, status]) => [Number(id), status]));
    /** @type {any[]} */ this.groups = state.realm_user_groups;
    /** @type {Record<string, any>} */ this.emoji = state.realm_emoji;
    /** @type {any[]} */ this.conversations = state.recent_private_conversations;
    this.messages.clear();
    this.moves += 1;
    this.drafts.start(state.drafts);
    this.changed();
  }

  /** @returns {any} */
  get settings() {
    return this.state.user_settings;
  }

  /** @param {any} event */
  apply(event) {
    HANDLERS[event.type]?.(this, event);
    this.changed();
  }

  /** Keep a message that an answer or an event brought. @param {any} fields */
  remember(fields) {
    const message = new Message(fields);
    this.messages.set(message.id, message);
    if (message.flags.has("read")) this.unread.remove([message.id]);
    return message;
  }

  /** Change a message that is known. @param {number} id @param {(message: Message) => Record<string, unknown>} change */
  change(id, change) {
    const message = this.messages.get(id);
    if (!message) return;
    this.messages.set(id, message.with(change(message)));
    for (const list of this.lists) list.changed();
  }

  /** @param {number} id @param {number[]} people @param {boolean} come or leave */
  countSubscribers(id, people, come) {
    const known = this.channels.get(id);
    if (known) this.channels.set(id, { ...known, subscriber_count: known.subscriber_count + (come ? people.length : -people.length) });
    const those = this.subscribers.get(id);
    for (const one of people) come ? those?.add(one) : those?.delete(one);
  }

  /** Called with each new message; the page shows notifications. @type {(message: Message) => void} */
  arrived = () => {};

  /** Learn when people were last seen. @param {Record<string, any>} presences */
  meet(presences) {
    for (const [id, presence] of Object.entries(presences ?? {})) this.presences.set(Number(id), presence);
    this.changed();
  }

  /** @param {number} id */
  name(id) {
    return this.people.get(id)?.full_name ?? "?";
  }

  /** @param {number} id */
  channelName(id) {
    return this.channels.get(id)?.name ?? `${id}`;
  }

  /** Whether a topic, or else its channel, is muted. @param {number} channelId @param {string} topic */
  isMuted(channelId, topic) {
    const policy = this.policies.get(`${channelId}:${topic.toLowerCase()}`) ?? 0;
    if (policy === 1) return true;
    return policy === 0 && !!this.channels.get(channelId)?.is_muted;
  }

  /** @param {string} place @param {number} userId @param {boolean} isTyping */
  types(place, userId, isTyping) {
    const lasts = this.state.server_typing_started_expiry_period_milliseconds;
    let people = this.typing.get(place);
    if (!people) this.typing.set(place, (people = new Map()));
    if (isTyping) people.set(userId, Date.now() + lasts);
    else people.delete(userId);
    setTimeout(() => this.changed(), lasts + 100);
  }

  /** The names of those who type in a conversation now. @param {string} place */
  whoTypes(place) {
    const now = Date.now();
    return [...(this.typing.get(place) ?? [])].filter(([, until]) => until > now).map(([id]) => this.name(id));
  }

  /** Unread messages of a channel that are not muted. @param {number} channelId */
  unreadIn(channelId) {
    return this.#unreadCounts.get(channelId) ?? 0;
  }

  get unreadCount() {
    let count = 0;
    for (const one of this.#unreadCounts.values()) count += one;
    return count;
  }

  /** Unread messages that are not muted, by channel (null: direct ones), counted once after each change. */
  get #unreadCounts() {
    if (this.#counted.version === this.version) return this.#counted.counts;
    /** @type {Map<number | null, number>} */
    const counts = new Map();
    for (const { place, count } of this.unread.places) {
      const [id, topic] = splitPlace(place);
      if (id === null || !this.isMuted(id, topic)) counts.set(id, (counts.get(id) ?? 0) + count);
    }
    this.#counted = { version: this.version, counts };
    return counts;
  }
}

/** @param {string} place @returns {[number | null, string]} the channel, or null, and the topic or the people */
export function splitPlace(place) {
  const at = place.indexOf(":");
  return place.startsWith("dm:") ? [null, place.slice(3)] : [Number(place.slice(0, at)), place.slice(at + 1)];
}
