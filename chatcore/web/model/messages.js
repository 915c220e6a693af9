/** Messages, and the lists in which they are shown. */

import { ApiError, call } from "../api.js";
import { Observable } from "./observable.js";

const PAGE = 60;
/** While scrolling: few enough to be rendered between two frames. */
const MORE = 30;
const MOST_KEPT = 300;
const RETRY = 3_000;

/** One message, as the server has it. A change makes a new object, so that views see what is new. */
export class Message {
  /** @param {any} fields as in an answer of `GET messages` */
  constructor(fields) {
    Object.assign(this, fields);
    /** @type {number} */ this.id = fields.id;
    /** @type {number | undefined} */ this.stream_id = fields.stream_id;
    /** @type {string} */ this.subject = fields.subject;
    /** @type {number} */ this.sender_id = fields.sender_id;
    /** @type {string} */ this.content = fields.content;
    /** @type {number} */ this.timestamp = fields.timestamp;
    /** @type {any[]} */ this.reactions = fields.reactions ?? [];
    /** @type {any[]} */ this.submessages = fields.submessages ?? [];
    /** @type {Set<string>} */ this.flags = new Set(fields.flags ?? []);
    /** @type {any} */ this.display_recipient = fields.display_recipient;
  }

  /** Return the message with some fields changed. @param {Record<string, unknown>} changes */
  with(changes) {
    return new Message({ ...this, ...changes });
  }

  /** The ids of the others of a direct message; of myself, if there are none. @param {number} me @returns {number[]} */
  people(me) {
    if (this.stream_id !== undefined) return [];
    const ids = this.display_recipient.map((/** @type {any} */ one) => one.id);
    const others = ids.filter((/** @type {number} */ id) => id !== me);
    return others.length ? others : [me];
  }

  /** What identifies its conversation. @param {number} me */
  conversation(me) {
    return this.stream_id === undefined
      ? `dm:${this.people(me)
          .sort((a, b) => a - b)
          .join(",")}`
      : `${this.stream_id}:${this.subject.toLowerCase()}`;
  }
}

/** The messages of one narrow that are loaded: all between the first and the last. */
export class MessageList extends Observable {
  /** @type {number[]} */
  ids = [];
  foundOldest = false;
  foundNewest = false;
  isLoading = false;
  /** @type {Error | null} */
  error = null;
  /** The message to begin at: the first unread one, or the one that a link leads to. */
  anchor = 0;
  isLoaded = false;
  /** The first message that was unread when the list was opened. */
  firstUnread = 0;
  /** Where the reader is: the uppermost message that begins in the window, its distance from the edge, whether the end is visible. */
  seen = { id: 0, offset: 0, isEnd: true };
  /** Whether the reader wants to come back: then what is on the screen stays unread. */
  keepsUnread = false;
  /** New messages that were not read out yet. @type {Message[]} */
  news = [];
  #generation = 0;
  /** New messages of the time in which a page is loaded: the page may be older than they are. @type {Message[]} */
  #arrived = [];

  /**
   * @param {Chat} chat
   * @param {import("./narrow.js").Narrow} narrow
   */
  constructor(chat, narrow) {
    super();
    this.chat = chat;
    this.narrow = narrow;
  }

  /** @returns {Message[]} */
  get messages() {
    return this.ids.flatMap((id) => this.chat.messages.get(id) ?? []);
  }

  /** Load the messages around the anchor anew. @param {number | "newest" | "oldest" | "first_unread"} [anchor] */
  async load(anchor = this.narrow.near ?? "first_unread") {
    const generation = ++this.#generation;
    this.isLoading = true;
    this.error = null;
    this.changed();
    try {
      const page = await this.#fetch({ anchor, num_before: PAGE, num_after: PAGE, include_anchor: true });
      if (generation !== this.#generation) return;
      this.ids = page.messages.map((/** @type {any} */ one) => one.id);
      this.foundOldest = page.found_oldest;
      this.foundNewest = page.found_newest;
      this.anchor = page.anchor;
      if (!this.isLoaded && this.chat.messages.get(page.anchor)?.flags.has("read") === false) this.firstUnread = page.anchor;
      this.isLoaded = true;
    } catch (error) {
      if (generation !== this.#generation) return;
      this.error = /** @type {Error} */ (error);
      if (error instanceof ApiError && error.isTemporary)
        setTimeout(() => generation === this.#generation && this.chat.lists.has(this) && this.load(anchor), RETRY);
    }
    this.#loaded();
  }

  /** Load again what the reader sees, because events may be missing. */
  reload() {
    return this.load(!this.isLoaded ? undefined : this.seen.isEnd ? "newest" : this.seen.id);
  }

  #loaded() {
    this.isLoading = false;
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const message of arrived) this.take(message);
    this.changed();
  }

  async older() {
    if (this.foundOldest || !this.ids.length) return;
    await this.#more({ anchor: this.ids[0], num_before: MORE, num_after: 0, include_anchor: false }, true);
  }

  async newer() {
    if (this.foundNewest || !this.ids.length) return;
    const anchor = /** @type {number} */ (this.ids.at(-1));
    await this.#more({ anchor, num_before: 0, num_after: MORE, include_anchor: false }, false);
  }

  /** @param {Record<string, unknown>} window @param {boolean} isOlder */
  async #more(window, isOlder) {
    if (this.isLoading) return;
    const generation = this.#generation;
    this.isLoading = true;
    try {
      const page = await this.#fetch(window);
      if (generation !== this.#generation) return;
      const known = new Set(this.ids);
      const ids = page.messages.map((/** @type {any} */ one) => one.id).filter((/** @type {number} */ id) => !known.has(id));
      if (isOlder) {
        this.ids = [...ids, ...this.ids];
        this.foundOldest = page.found_oldest;
        if (this.ids.length > MOST_KEPT) {
          this.ids.length = MOST_KEPT;
          this.foundNewest = false;
        }
      } else {
        this.ids = [...this.ids, ...ids].sort((a, b) => a - b);
        this.foundNewest = page.found_newest;
        if (this.ids.length > MOST_KEPT) {
          this.ids = this.ids.slice(-MOST_KEPT);
          this.foundOldest = false;
        }
      }
    } catch (error) {
      this.error = /** @type {Error} */ (error);
    } finally {
      if (generation === this.#generation) this.#loaded();
    }
  }

  /** @param {Record<string, unknown>} window */
  async #fetch(window) {
    const page = await call("GET", "messages", {
      narrow: this.narrow.forServer,
      apply_markdown: true,
      client_gravatar: false,
      allow_empty_topic_name: true,
      ...window,
    });
    for (const fields of page.messages) this.chat.remember(fields);
    return page;
  }

  /** Take a new message, if it belongs here. @param {Message} message */
  async take(message) {
    if (this.isLoading) {
      this.#arrived.push(message);
      return;
    }
    if (!this.foundNewest || this.ids.includes(message.id)) return;
    const matches = this.narrow.matches(message, this.chat.me);
    if (matches === false) return;
    if (matches === null) {
      const generation = this.#generation;
      if (!(await this.#isMatch(message.id)) || generation !== this.#generation || this.ids.includes(message.id)) return;
    }
    this.ids = [...this.ids, message.id].sort((a, b) => a - b);
    this.news.push(message);
    if (this.ids.length > MOST_KEPT) {
      this.ids = this.ids.slice(-MOST_KEPT);
      this.foundOldest = false;
    }
    this.changed();
  }

  /** Ask the server whether a message matches. @param {number} id */
  async #isMatch(id) {
    /** @type {Record<number, Record<string, unknown>>} */
    let messages = {};
    try {
      ({ messages } = await call("GET", "messages/matches_narrow", { msg_ids: [id], narrow: this.narrow.forServer }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // without an answer it is found when the list is opened again
    }
    if (id in messages) this.chat.change(id, () => messages[id]); // with what is found marked
    return id in messages;
  }

  /** Drop messages that were deleted or moved away. @param {Iterable<number>} ids */
  drop(ids) {
    const gone = new Set(ids);
    this.ids = this.ids.filter((id) => !gone.has(id));
    this.changed();
  }
}
