/** Texts being written: the server keeps them and, until it has them, the browser. */

import { call, persist, seen } from "../api.js";
import { Observable } from "./observable.js";
import { keyOf } from "./places.js";
import { excess, keep, parted, stored, withFiles } from "./written.js";

const PAUSE = 1_000;
const LONGEST = 5_000;

/**
 * The conversation that a draft is for, or a scheduled message.
 *
 * @param {{ type: string, to: any, topic?: string }} text
 * @returns {Place}
 */
export const placeOfDraft = ({ type, to, topic }) =>
  type === "private" ? { people: to } : { channelId: [to].flat()[0], topic };

/** The text that is being written in one conversation. */
const writingIn = (/** @type {Place} */ place, copy) => ({
  place,
  copy, // the name of the copy in the browser
  text: "",
  id: 0, // of the draft; 0 if there is none
  seen: "", // what that draft said, when the text was the same
  isSaved: true,
  isTaken: false, // whether it is on its way as a message
  timer: 0,
  sent: /** @type {Set<string>} */ (new Set()), // texts that have not come back by an event
  stores: /** @type {Promise<unknown>} */ (Promise.resolve()), // ends when what was begun is stored
});

/** @typedef {ReturnType<typeof writingIn>} Writing */

/** Whether a draft is what the server has of a text. @param {Writing} writing @param {Draft} draft */
const isOf = ({ id, sent, place }, draft) =>
  id === draft.id ||
  (draft.type !== "" && keyOf(placeOfDraft(draft)) === keyOf(place) && sent.has(draft.content));

const byTime = (a, b) => a.timestamp - b.timestamp || a.id - b.id;

export class Drafts extends Observable {
  /** @type {Map<number, Draft>} as the server has them */ known = new Map();
  /** @type {Map<string, Writing>} */ #writings = new Map();
  /** Texts of messages that are on their way. @type {Set<Writing>} */
  #leaving = new Set();

  constructor(/** @type {Chat} */ chat) {
    super();
    this.chat = chat;
  }

  /** Begin anew from the server's drafts, with those that it does not have yet. @param {Draft[]} drafts */
  start(drafts) {
    this.known = new Map(drafts.map((one) => [one.id, one]));
    for (const writing of this.#writings.values()) {
      if (!this.known.has(writing.id)) this.#show(writing);
      const draft = this.known.get(writing.id) ?? this.#find(keyOf(writing.place));
      if (draft) this.#show(writing, draft);
      if (!writing.isSaved) this.#later(writing, 0);
    }
    for (const name of Object.keys(localStorage).filter((one) =>
      one.startsWith(this.chat.ownName("draft")),
    )) {
      const { place, text, topic, id = 0, seen = "" } = JSON.parse(localStorage.getItem(name) ?? "{}");
      if (this.#writings.has(keyOf(place))) continue;
      this.#writings.set(keyOf(place), {
        ...writingIn(place, name),
        seen,
        id: this.known.get(id)?.content === seen ? id : 0,
      });
      this.write(place, text, topic);
    }
    this.changed();
  }

  text(/** @type {Place} */ place) {
    const key = keyOf(place);
    return this.#writings.get(key)?.text ?? this.#find(key)?.content ?? "";
  }

  /** The keys of the conversations with a text. */
  get keys() {
    const known = [...this.known.values()].filter((one) => one.type && !this.#leaves(one));
    known.sort(byTime);
    const texts = new Map(known.map((one) => [keyOf(placeOfDraft(one)), one.content]));
    for (const [key, { text }] of this.#writings) texts.set(key, text);
    return [...texts].filter(([, text]) => text.trim()).map(([key]) => key);
  }

  /** @param {Place} place @param {string} text @param {string} [topic] of a new conversation */
  write(place, text, topic = place.topic) {
    const writing = this.#open(place);
    Object.assign(writing, { place: { ...place, topic }, text, isSaved: false });
    keep(writing.copy, { place, text, topic, id: writing.id, seen: writing.seen });
    this.#later(writing, PAUSE);
    this.changed();
  }

  append(/** @type {Place} */ place, more, topic = this.#topicIn(place)) {
    const { body, files } = parted(this.text(place));
    const text = body && !body.endsWith("\n") ? `${body}\n${more}` : body + more;
    this.write(place, withFiles(text, files), topic);
  }

  /** Add the link to a file, or take it out. @param {Place} place @param {string} link */
  attach(place, link, isAdded = true) {
    const { body, files } = parted(this.text(place));
    const others = files.filter((one) => one.link !== link);
    this.write(place, withFiles(body, isAdded ? [...others, { link }] : others), this.#topicIn(place));
  }

  /** The topic of a conversation, also of one that is new and has its topic typed. */
  #topicIn = (/** @type {Place} */ place) => this.#writings.get(keyOf(place))?.place.topic ?? place.topic;

  /** Take a text to send it; its draft stays until the returned function is called. @param {Place} place */
  take(place) {
    const key = keyOf(place);
    const writing = this.#open(place);
    clearTimeout(writing.timer);
    writing.isTaken = true;
    localStorage.removeItem(writing.copy);
    this.#writings.set(key, writingIn(place, writing.copy));
    return this.#leave(writing);
  }

  /** The same for a text taken before the page was loaded. @param {Place} place @param {string} text */
  leave = (place, text) =>
    this.#leave({ ...writingIn(place, ""), isTaken: true, sent: new Set([stored(text)]) });

  #leave(/** @type {Writing} */ writing) {
    this.#leaving.add(writing);
    this.changed();
    return async () => {
      await writing.stores;
      const those = [...this.known.values()].filter((draft) => isOf(writing, draft)).map(({ id }) => id);
      this.#leaving.delete(writing);
      for (const id of new Set([writing.id, ...those]))
        if (id) this.remove(id, id === writing.id ? writing.seen : undefined);
    };
  }

  /** Remove a draft, if it is as it was when it was read. */
  remove = async (id, content = this.known.get(id)?.content ?? "") =>
    call("DELETE", `drafts/${id}`, await seen(content)).catch(() => {});

  apply(/** @type {any} */ { op, draft, drafts = draft ? [draft] : [], draft_id }) {
    const ofId = (id) => [...this.#writings.values()].find((writing) => writing.id === id);
    for (const one of drafts) {
      this.known.set(one.id, one);
      const writing = ofId(one.id) ?? this.#writings.get(keyOf(placeOfDraft(one)));
      if (writing && !this.#leaves(one)) this.#show(writing, one);
    }
    if (op === "remove") {
      this.known.delete(draft_id);
      const writing = ofId(draft_id);
      if (writing) this.#show(writing);
    }
    this.changed();
  }

  /**
   * Show what another browser wrote; what is written here and not stored becomes a draft of its own.
   *
   * @param {Writing} writing
   * @param {{id: number, content: string}} [draft]
   */
  #show(writing, { id, content } = { id: 0, content: "" }) {
    const isOwn = id > 0 && writing.sent.has(content);
    if (id && (writing.id ? id !== writing.id : !writing.isSaved && !isOwn)) return; // it is another draft
    if (isOwn) {
      writing.id = id;
      if ([...writing.sent].at(-1) !== content) return;
      writing.sent.clear();
      writing.seen = content;
    } else if (writing.isSaved) Object.assign(writing, { id, text: content, seen: content });
    else if (!id || content !== writing.seen) writing.id = 0;
  }

  #open(/** @type {Place} */ place) {
    const key = keyOf(place);
    const writing = this.#writings.get(key) ?? writingIn(place, this.chat.ownName("draft") + key);
    if (!this.#writings.has(key)) this.#show(writing, this.#find(key));
    this.#writings.set(key, writing);
    return writing;
  }

  /** The newest draft of a conversation. @param {string} key */
  #find(key) {
    const those = [...this.known.values()].filter(
      (one) => one.type && keyOf(placeOfDraft(one)) === key && !this.#leaves(one),
    );
    return those.sort(byTime).at(-1);
  }

  /** Whether a draft is the text of a message that is on its way. @param {Draft} draft */
  #leaves(draft) {
    return [...this.#leaving].some((writing) => isOf(writing, draft));
  }

  #later(/** @type {Writing} */ writing, pause) {
    clearTimeout(writing.timer);
    // A refused text stays in the browser.
    const store = () => persist(() => this.#store(writing), { longest: LONGEST }).catch(() => {});
    writing.timer = setTimeout(() => (writing.stores = writing.stores.then(store)), pause);
  }

  /** @param {Writing} writing @returns {Promise<void>} */
  async #store(writing) {
    if (writing.isTaken || !this.chat.settings.enable_drafts_synchronization) return;
    const { text, place, id } = writing;
    const { max_message_length, max_topic_length } = this.chat.state;
    // The server would cut it.
    if (excess(text, max_message_length) || excess(place.topic ?? "", max_topic_length)) return;
    const before = await seen(writing.seen);
    const draft = {
      type: place.people ? "private" : "stream",
      to: place.people ?? [place.channelId],
      topic: place.topic ?? "",
      content: text,
    };
    writing.sent.add(stored(text));
    try {
      if (text.trim() && !id) [writing.id] = (await call("POST", "drafts", { drafts: [draft] })).ids;
      else if (text.trim()) await call("PATCH", `drafts/${id}`, { draft, ...before });
      else if (id) await call("DELETE", `drafts/${id}`, before);
      writing.seen = stored(text);
    } catch (error) {
      if (error.status !== 404 && error.code !== "EXPECTATION_MISMATCH") throw error;
      // Removed elsewhere, or changed: by another browser, or from here by a request whose answer was lost.
      const draft =
        error.status === 404 ? undefined : (await call("GET", "drafts")).drafts.find((one) => one.id === id);
      const isOwn = draft && writing.sent.has(draft.content);
      Object.assign(writing, isOwn ? { seen: draft.content } : { id: 0, seen: "" });
      if (isOwn || text.trim()) return this.#store(writing);
    }
    if (!text.trim()) writing.id = 0;
    if (writing.text !== text) return;
    writing.isSaved = true;
    if (!writing.isTaken) localStorage.removeItem(writing.copy);
  }
}
