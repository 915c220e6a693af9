/** All that the client knows of the organization: the initial state, kept current by events. */

import { joined } from "../text/text.js";
import { Drafts } from "./drafts.js";
import { HANDLERS } from "./events.js";
import { Observable } from "./observable.js";
import { own } from "./own.js";
import { messageOf, topicKey } from "./places.js";
import { Outbox } from "./sending.js";
import { Topics } from "./topics.js";
import { Unread } from "./unread.js";

const ORDER = new Intl.Collator();

/** Policies for a topic. */
export const POLICY = { NONE: 0, MUTED: 1, UNMUTED: 2, FOLLOWED: 3 };

/** A map of things by an id that they have. */
const by = (key, things) => new Map(things.map((one) => [one[key], one]));
/** A map of an object whose keys are ids. */
const byId = (object = {}) => new Map(Object.entries(object).map(([id, one]) => [Number(id), one]));

export class Chat extends Observable {
  /** @type {Map<number, Message>} */ messages = new Map();
  /** @type {Set<MessageList>} */ lists = new Set();
  /** @type {Map<string, Map<number, number>>} conversation to people who type, and until when */ typing =
    new Map();
  /** Counts what changed the topics of channels, apart from new messages. */
  topicChanges = 0;
  /** Whether the server has another version than the page. */
  isOutdated = false;
  /** The subscribers of channels whose lists are shown. @type {Map<number, Set<number>>} */
  subscribers = new Map();
  /** The time, in seconds, of a state that the browser has kept; 0 for what the server says now. */
  keptAt = 0;
  drafts = new Drafts(this);
  topics = new Topics(this);
  /**
   * Messages that are being edited: the texts, those of the server that their writer has seen, and whether
   * they differ from where the edit began.
   *
   * @type {Map<number, {text: string, seen: string, isOther?: boolean}>}
   */
  edits = new Map();
  #unmuted = {
    version: -1,
    places: /** @type {import("./unread.js").Unread["places"]} */ ([]),
    counts: new Map(),
  };

  constructor(/** @type {State} */ state, keptAt = 0) {
    super();
    this.start(state, keptAt);
    this.outbox = new Outbox(this);
    this.outbox.start();
  }

  /** Begin anew from an initial state, the answer of `POST register`, or one that was kept. */
  start(/** @type {State} */ state, keptAt = 0) {
    this.keptAt = keptAt;
    /** @type {State} */ this.state = state;
    this.settings = state.user_settings;
    /** @type {number} */ this.me = state.user_id;
    /** @type {string} */ this.queueId = state.queue_id;
    const active = [...state.realm_users, ...state.cross_realm_bots].map((one) => ({
      ...one,
      is_active: true,
    }));
    const inactive = state.realm_non_active_users.map((one) => ({ ...one, is_active: false }));
    /** @type {Map<number, Person>} */ this.people = by("user_id", [...active, ...inactive]);
    /** @type {Map<number, Channel>} */ this.channels = by("stream_id", [
      ...state.never_subscribed,
      ...state.unsubscribed,
      ...state.subscriptions,
    ]);
    /** @type {Set<number>} */ this.subscribed = new Set(state.subscriptions.map((one) => one.stream_id));
    /** @type {Map<string, number>} */ this.policies = new Map(
      state.user_topics.map((one) => [topicKey(one.stream_id, one.topic_name), one.visibility_policy]),
    );
    /** @type {Unread} */ this.unread = new Unread(state.unread_msgs, this.me);
    /** @type {Map<number, any>} */ this.presences = byId(state.presences);
    /** @type {Map<number, any>} */ this.statuses = byId(state.user_status);
    /** @type {State["realm_emoji"]} */ this.emoji = state.realm_emoji;
    /** @type {{user_ids: number[], max_message_id: number}[]} */ this.conversations =
      state.recent_private_conversations;
    // These are loaded anew, and stay on the page meanwhile.
    const shown = new Set([...this.lists].flatMap((one) => one.ids));
    for (const id of this.messages.keys()) if (!shown.has(id)) this.messages.delete(id);
    this.topicChanges += 1;
    this.drafts.start(state.drafts);
    this.outbox?.forget();
    this.changed();
  }

  /** @returns {Group[]} */
  get groups() {
    return this.state.realm_user_groups;
  }

  apply(event) {
    (own(HANDLERS, `${event.type} ${event.op}`) ?? own(HANDLERS, event.type))?.(this, event);
    this.changed();
  }

  /** Keep a message that an answer or an event brought. @param {any} fields */
  remember(fields) {
    const message = messageOf(fields);
    this.messages.set(message.id, message);
    if (message.flags.has("read")) this.unread.remove([message.id]);
    return message;
  }

  /** Change a message that is known. @param {number} id @param {(message: Message) => object} change */
  change(id, change) {
    const message = this.messages.get(id);
    if (!message) return;
    this.messages.set(id, messageOf({ ...message, ...change(message) }));
    for (const list of this.lists) list.changed();
  }

  /** Called with each new message; the page shows notifications. @type {(message: Message) => void} */
  onNewMessage = () => {};

  /** Learn when people were last seen. @param {Record<string, any>} [presences] */
  meet(presences) {
    for (const [id, presence] of byId(presences)) this.presences.set(id, presence);
    this.changed();
  }

  name = (id) => this.people.get(id)?.full_name ?? "?";
  names = (ids) => joined([...ids].map(this.name), ", ");
  channelName = (id) => this.channels.get(id)?.name ?? `${id}`;
  /** A name for what is kept of this person; organizations may share an origin, or ids. */
  ownName = (kind) => `${kind} ${new URL(".", document.baseURI).href} ${this.me} `;

  /** Channels in the order of their names. */
  get sortedChannels() {
    return [...this.channels.values()].sort((a, b) => ORDER.compare(a.name, b.name));
  }

  get openChannels() {
    return this.sortedChannels.filter((one) => !one.is_archived);
  }

  /** The address of a narrow in this page. */
  link = (/** @type {Narrow} */ narrow) => narrow.hash(this.channelName);

  /** The reader's policy for a topic, a value of `POLICY`. */
  policyOf = (channelId, topic) => this.policies.get(topicKey(channelId, topic)) ?? POLICY.NONE;

  /** Whether a topic, or else its channel, is muted; *key* is that of the topic, where it is known. */
  isMuted(channelId, topic, key = topicKey(channelId, topic)) {
    const policy = this.policies.get(key) ?? POLICY.NONE;
    return policy === POLICY.MUTED || (policy === POLICY.NONE && !!this.channels.get(channelId)?.is_muted);
  }

  /** The names of those who type in a conversation now. */
  whoTypes(place) {
    const now = Date.now();
    return [...(this.typing.get(place) ?? [])]
      .filter(([, until]) => until > now)
      .map(([id]) => this.name(id));
  }

  /**
   * Unmuted conversations with unread messages (`places`), and the number of unread messages by channel
   * (`counts`); computed once for each version.
   */
  get unmuted() {
    if (this.#unmuted.version !== this.version) {
      const places = this.unread.places.filter(
        ({ channelId, topic, key }) => channelId === undefined || !this.isMuted(channelId, topic, key),
      );
      /** @type {Map<number | undefined, number>} */
      const counts = new Map();
      for (const { channelId, count } of places) counts.set(channelId, (counts.get(channelId) ?? 0) + count);
      this.#unmuted = { version: this.version, places, counts };
    }
    return this.#unmuted;
  }

  get unreadCount() {
    return this.unmuted.places.reduce((all, { count }) => all + count, 0);
  }
}
