/** All that the client knows of the organization: the initial state, kept current by events. */

import { Drafts } from "./drafts.js";
import { HANDLERS } from "./events.js";
import { Message } from "./messages.js";
import { splitKey, topicKey } from "./narrow.js";
import { Observable } from "./observable.js";
import { Unread } from "./unread.js";

const ORDER = new Intl.Collator();

/** What somebody can want of a topic. */
export const POLICY = { NONE: 0, MUTED: 1, UNMUTED: 2, FOLLOWED: 3 };

export class Chat extends Observable {
  /** @type {Map<number, Message>} */
  messages = new Map();
  /** @type {Set<MessageList>} */
  lists = new Set();
  /** @type {Map<string, Map<number, number>>} conversation to people who type, and until when */
  typing = new Map();
  /** Counts what changed the topics of channels, apart from new messages. */
  moves = 0;
  /** Whether the server has another version than the page. */
  isOutdated = false;
  /** Messages that were sent from here, and are not known to have arrived. @type {Map<string, import("./sending.js").Outgoing>} */
  outbox = new Map();

  /** The subscribers of channels whose lists are shown. @type {Map<number, Set<number>>} */
  subscribers = new Map();
  #counted = { version: -1, counts: /** @type {Map<number | null, number>} */ (new Map()) };

  /** @param {any} state the answer of `POST register` */
  constructor(state) {
    super();
    this.drafts = new Drafts(this);
    this.start(state);
  }

  /** Begin anew from an initial state. @param {any} state */
  start(state) {
    /** @type {RegisterState} */ this.state = state;
    /** @type {number} */ this.me = state.user_id;
    /** @type {string} */ this.queueId = state.queue_id;
    const active = [...state.realm_users, ...state.cross_realm_bots].map((one) => ({ ...one, is_active: true }));
    const inactive = state.realm_non_active_users.map((/** @type {any} */ one) => ({ ...one, is_active: false }));
    /** @type {Map<number, Person>} */ this.people = new Map([...active, ...inactive].map((one) => [one.user_id, one]));
    const channels = [...state.never_subscribed, ...state.unsubscribed, ...state.subscriptions];
    /** @type {Map<number, Channel>} */ this.channels = new Map(channels.map((one) => [one.stream_id, one]));
    /** @type {Set<number>} */ this.subscribed = new Set(state.subscriptions.map((/** @type {Channel} */ one) => one.stream_id));
    this.subscribers.clear();
    /** @type {[string, number][]} */
    const policies = state.user_topics.map((/** @type {any} */ one) => [topicKey(one.stream_id, one.topic_name), one.visibility_policy]);
    /** @type {Map<string, number>} */ this.policies = new Map(policies);
    /** @type {Unread} */ this.unread = new Unread(state.unread_msgs, this.me);
    /** @type {Set<number>} */ this.starred = new Set(state.starred_messages);
    /** @type {Map<number, any>} */ this.presences = new Map(Object.entries(state.presences ?? {}).map(([id, presence]) => [Number(id), presence]));
    /** @type {Map<number, any>} */ this.statuses = new Map(Object.entries(state.user_status ?? {}).map(([id, status]) => [Number(id), status]));
    /** @type {Group[]} */ this.groups = state.realm_user_groups;
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

  /** A name for what the browser keeps of this person: other organizations may have the same origin, or the same ids. @param {string} kind */
  ownName(kind) {
    return `${kind} ${new URL(".", document.baseURI).href} ${this.me} `;
  }

  /** @param {Iterable<number>} ids */
  names(ids) {
    return [...ids].map((id) => this.name(id)).join(", ");
  }

  /** @param {number} id */
  channelName(id) {
    return this.channels.get(id)?.name ?? `${id}`;
  }

  /** Channels in the order of their names. */
  get sortedChannels() {
    return [...this.channels.values()].sort((a, b) => ORDER.compare(a.name, b.name));
  }

  get openChannels() {
    return this.sortedChannels.filter((one) => !one.is_archived);
  }

  /** The address of a narrow in this page. @param {import("./narrow.js").Narrow} narrow */
  link(narrow) {
    return narrow.hash((id) => this.channelName(id));
  }

  /** What the reader wants of a topic, as a value of `POLICY`. @param {number} channelId @param {string} topic */
  policyOf(channelId, topic) {
    return this.policies.get(topicKey(channelId, topic)) ?? POLICY.NONE;
  }

  /** Whether a topic, or else its channel, is muted. @param {number} channelId @param {string} topic */
  isMuted(channelId, topic) {
    const policy = this.policyOf(channelId, topic);
    return policy === POLICY.MUTED || (policy === POLICY.NONE && !!this.channels.get(channelId)?.is_muted);
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
      const [id, topic] = splitKey(place);
      if (id === null || !this.isMuted(id, topic)) counts.set(id, (counts.get(id) ?? 0) + count);
    }
    this.#counted = { version: this.version, counts };
    return counts;
  }
}
