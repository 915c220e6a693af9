/** The lists in which messages are shown. */

import { call, callMessages, persist } from "../api.js";
import { keepList, keptMessages } from "../device/kept.js";
import { Observable } from "./observable.js";

const PAGE = 60;
/** While scrolling: few enough to be rendered in a short task. */
const MORE = 15;
const MOST_KEPT = 300;
const LONGEST_PAUSE = 3_000;
/** Milliseconds from a change until the list is kept, which takes longer than showing a message. */
const KEPT_AFTER = 1_000;

/** @typedef {"" | "edit" | "edit last" | "react" | "menu"} Wanted */

/** The messages of one narrow that are loaded: all between the first and the last. */
export class MessageList extends Observable {
  /** @type {number[]} */ ids = [];
  foundOldest = false;
  foundNewest = false;
  isLoading = false;
  /** @type {Error | null} */ error = null;
  /** The message to begin at: the first unread one, or the one that a link leads to. */
  anchor = 0;
  isLoaded = false;
  /** Whether these are messages that the browser has kept, as the server is away. */
  isKept = false;
  /** The first message that was unread when the list was opened. */
  firstUnread = 0;
  /**
   * Where the reader is: the uppermost message that begins in the window, its distance from the edge, whether
   * the end is visible.
   */
  seen = { id: 0, offset: 0, isEnd: true };
  /** Whether the reader wants to come back: then what is on the screen stays unread. */
  keepsUnread = false;
  /** The id of the message that the reader has marked, or 0. */
  marked = 0;
  /** What the marked message is to do once it is shown. @type {Wanted} */
  wanted = "";
  /** New messages that were not read out yet. @type {Message[]} */
  news = [];
  /** Ends what was asked before the list is loaded anew, or left. */
  #stop = new AbortController();
  /** New messages while a page is loaded, which may be older. @type {Message[]} */
  #arrived = [];

  constructor(/** @type {Chat} */ chat, /** @type {Narrow} */ narrow) {
    super();
    this.chat = chat;
    this.narrow = narrow;
    let isWaiting = false;
    const keep = () => {
      isWaiting = false;
      keepList(this).catch(console.warn);
    };
    this.observe(() => {
      if (!isWaiting) setTimeout(keep, KEPT_AFTER);
      isWaiting = true;
    });
  }

  get messages() {
    return this.ids.flatMap((id) => this.chat.messages.get(id) ?? []);
  }

  /** Load the messages around the anchor. @param {number | "newest" | "oldest" | "first_unread"} [anchor] */
  async load(anchor = this.narrow.near ?? "first_unread") {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.chat.lists.add(this);
    this.set({ error: null });
    await this.#fetch(
      { anchor, num_before: PAGE, num_after: PAGE, include_anchor: true },
      ({ messages, found_oldest, found_newest, anchor }) => {
        if (!this.isLoaded && this.chat.messages.get(anchor)?.flags.has("read") === false)
          this.firstUnread = anchor;
        const ids = messages.map((one) => one.id);
        for (const id of new Set(this.ids).difference(new Set(ids))) this.chat.messages.delete(id);
        Object.assign(this, {
          ids,
          anchor,
          foundOldest: found_oldest,
          foundNewest: found_newest,
          isLoaded: true,
        });
      },
    );
  }

  close() {
    this.#stop.abort();
    this.chat.lists.delete(this);
  }

  /** Load again what the reader sees, because events may be missing. */
  reload = () => this.load(!this.isLoaded ? undefined : this.seen.isEnd ? "newest" : this.seen.id);

  older = () => this.#more(this.foundOldest, { anchor: this.ids[0], num_before: MORE, num_after: 0 });
  newer = () => this.#more(this.foundNewest, { anchor: this.ids.at(-1), num_before: 0, num_after: MORE });

  async #more(isAll, window) {
    if (isAll || this.isLoading || !this.ids.length) return;
    await this.#fetch({ ...window, include_anchor: false }, (page) => {
      this.foundOldest ||= page.found_oldest;
      this.foundNewest ||= page.found_newest;
      this.#keep(page.messages, window.num_before > 0);
    });
  }

  /** Keep more messages; of too many, those at one end. @param {{id: number}[]} more */
  #keep(more, isOlder = false) {
    const ids = [...new Set([...this.ids, ...more.map((one) => one.id)])].sort((a, b) => a - b);
    this.ids = isOlder ? ids.slice(0, MOST_KEPT) : ids.slice(-MOST_KEPT);
    if (ids.length > MOST_KEPT) this[isOlder ? "foundNewest" : "foundOldest"] = false;
  }

  /**
   * Ask for a page until it comes, and *put* it in its place.
   *
   * @param {object} window
   * @param {(page: any) => void} put
   */
  async #fetch(window, put) {
    const { signal } = this.#stop;
    const parameters = { narrow: this.narrow.forServer, ...window };
    const failed = (error) => (this.isKept ? undefined : this.#showKept(error, signal));
    const retry = { failed, signal, longest: LONGEST_PAUSE };
    this.isLoading = true;
    try {
      const page = await persist(() => callMessages(parameters, signal), retry);
      for (const fields of page.messages) this.chat.remember(fields);
      Object.assign(this, { error: null, isKept: false });
      put(page);
    } catch (error) {
      if (signal.aborted) return;
      this.error = error;
    }
    this.isLoading = false;
    for (const message of this.#arrived.splice(0)) this.take(message);
    this.changed();
  }

  /** Show what the browser has kept, if there is something and nothing else, or else the error. */
  async #showKept(/** @type {Error} */ error, /** @type {AbortSignal} */ signal) {
    const kept = this.isLoaded ? [] : await keptMessages(this);
    if (signal.aborted || !this.isLoading) return;
    if (!kept.length) return this.set({ error });
    const ids = kept.map((one) => this.chat.remember(one).id);
    this.set({ ids, anchor: ids.at(-1), foundNewest: true, isLoaded: true, isKept: true });
  }

  /** Take a new message, if it belongs here. @param {Message} message */
  async take(message) {
    if (this.isLoading) {
      this.#arrived.push(message);
      return;
    }
    const { signal } = this.#stop;
    const isNew = this.foundNewest && !this.ids.includes(message.id);
    const matches =
      isNew && (this.narrow.matches(message, this.chat.me) ?? (await this.#isMatch(message.id)));
    if (!matches || signal.aborted || this.ids.includes(message.id)) return;
    this.news.push(message);
    this.#keep([message]);
    this.changed();
  }

  /** Ask the server whether a message matches. @param {number} id */
  async #isMatch(id) {
    // Without an answer it is found when the list is opened again.
    const { messages } = await call("GET", "messages/matches_narrow", {
      msg_ids: [id],
      narrow: this.narrow.forServer,
    }).catch(() => ({ messages: {} }));
    if (id in messages) this.chat.change(id, () => messages[id]); // with what is found marked
    return id in messages;
  }

  /** Mark a message, which then may have to do something. @param {number} id @param {Wanted} [wanted] */
  mark(id, wanted = "") {
    this.set({ marked: id, wanted });
  }

  /** Drop messages that were deleted or moved away. @param {Iterable<number>} ids */
  drop(ids) {
    const gone = new Set(ids);
    this.set({ ids: this.ids.filter((id) => !gone.has(id)) });
  }
}
