/** Texts that are being written: kept by the server, and by the browser as long as the server was not reached. */

import { ApiError, call } from "../api.js";
import { keyOf } from "./narrow.js";
import { Observable } from "./observable.js";

const PAUSE = 1_000;
const RETRY = 5_000;

/** @param {Draft} draft @returns {Place} */
export const placeOfDraft = ({ type, to, topic }) => (type === "private" ? { people: to } : { channelId: to[0], topic });

/** A text as the server stores it. @param {string} text */
const stored = (text) => text.replace(/^\n+/, "").trimEnd();

/** The text that is being written in one conversation. */
class Writing {
  text = "";
  /** @type {number | null} of the draft */
  id = null;
  isSaved = true;
  /** Whether it is on its way as a message. */
  isTaken = false;
  /** Texts that were sent, and have not come back by an event. @type {Set<string>} */
  sent = new Set();
  timer = 0;
  /** Ends when what was begun is stored. @type {Promise<unknown>} */
  stores = Promise.resolve();

  /** @param {Place} place @param {string} copy the name of the copy in the browser */
  constructor(place, copy) {
    this.place = place;
    this.copy = copy;
  }
}

export class Drafts extends Observable {
  /** @type {Map<number, Draft>} as the server has them */
  known = new Map();
  /** @type {Map<string, Writing>} */
  #writings = new Map();
  /** Texts of messages that are on their way. @type {Set<Writing>} */
  #leaving = new Set();

  /** @param {Chat} chat */
  constructor(chat) {
    super();
    this.chat = chat;
  }

  /** Begin anew from the server's drafts, with those that it does not have yet. @param {Draft[]} drafts */
  start(drafts) {
    this.known = new Map(drafts.map((one) => [one.id, one]));
    for (const writing of this.#writings.values()) {
      if (!writing.isSaved) this.#later(writing, 0);
      else this.#show(writing, this.#find(keyOf(writing.place)));
    }
    for (const name of Object.keys(localStorage).filter((one) => one.startsWith(this.#copyName("")))) {
      const { place, text, topic } = JSON.parse(localStorage.getItem(name) ?? "{}");
      if (!this.#writings.has(keyOf(place))) this.write(place, text, topic);
    }
    this.changed();
  }

  /** @param {Place} place */
  text(place) {
    const key = keyOf(place);
    return this.#writings.get(key)?.text ?? this.#find(key)?.content ?? "";
  }

  /** @param {Place} place @param {string} text @param {string} [topic] of a new conversation */
  write(place, text, topic = place.topic) {
    const writing = this.#open(place);
    writing.place = { ...place, topic };
    writing.text = text;
    writing.isSaved = false;
    localStorage.setItem(writing.copy, JSON.stringify({ place, text, topic }));
    this.#later(writing, PAUSE);
    this.changed();
  }

  /** @param {Place} place @param {string} more */
  append(place, more) {
    const before = this.text(place);
    this.write(place, before && !before.endsWith("\n") ? `${before}\n${more}` : before + more);
  }

  /** Take a text in order to send it. The draft stays until the function that is returned is called. @param {Place} place */
  take(place) {
    const key = keyOf(place);
    const writing = this.#open(place);
    clearTimeout(writing.timer);
    writing.isTaken = true;
    this.#writings.set(key, new Writing(place, writing.copy));
    this.#leaving.add(writing);
    this.changed();
    return async () => {
      await writing.stores;
      this.#leaving.delete(writing);
      if (!this.#writings.get(key)?.text) localStorage.removeItem(writing.copy);
      if (writing.id !== null) this.remove(writing.id);
    };
  }

  /** @param {number} id */
  async remove(id) {
    await call("DELETE", `drafts/${id}`).catch(() => {});
  }

  /** @param {any} event */
  apply({ op, drafts, draft, draft_id }) {
    for (const one of drafts ?? (draft ? [draft] : [])) {
      this.known.set(one.id, one);
      const writing = this.#writings.get(keyOf(placeOfDraft(one))) ?? [...this.#writings.values()].find(({ id }) => id === one.id);
      if (writing && !this.#leaves(one)) this.#show(writing, one);
    }
    if (op === "remove") {
      this.known.delete(draft_id);
      for (const writing of this.#writings.values()) if (writing.id === draft_id) this.#show(writing, undefined);
    }
    this.changed();
  }

  /** Show what another browser wrote, unless something newer is written here. @param {Writing} writing @param {Draft | undefined} draft */
  #show(writing, draft) {
    const isOwn = draft !== undefined && writing.sent.has(draft.content);
    if (isOwn && [...writing.sent].at(-1) === draft.content) writing.sent.clear();
    if (draft === undefined || writing.id === null) writing.id = draft?.id ?? null;
    if (writing.isSaved && !isOwn && writing.id === (draft?.id ?? null)) writing.text = draft?.content ?? "";
  }

  /** @param {Place} place */
  #open(place) {
    const key = keyOf(place);
    let writing = this.#writings.get(key);
    if (writing) return writing;
    this.#writings.set(key, (writing = new Writing(place, this.#copyName(key))));
    this.#show(writing, this.#find(key));
    return writing;
  }

  /** The newest draft of a conversation. @param {string} key */
  #find(key) {
    const those = [...this.known.values()].filter((one) => one.type && keyOf(placeOfDraft(one)) === key && !this.#leaves(one));
    return those.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id).at(-1);
  }

  /** Whether a draft is the text of a message that is on its way. @param {Draft} draft */
  #leaves(draft) {
    const key = keyOf(placeOfDraft(draft));
    return [...this.#leaving].some(({ id, sent, place }) => id === draft.id || (keyOf(place) === key && sent.has(draft.content)));
  }

  /** @param {string} key */
  #copyName(key) {
    return this.chat.ownName("draft") + key;
  }

  /** @param {Writing} writing @param {number} pause */
  #later(writing, pause) {
    clearTimeout(writing.timer);
    writing.timer = setTimeout(() => {
      writing.stores = writing.stores.then(() => this.#store(writing));
    }, pause);
  }

  /** @param {Writing} writing @returns {Promise<void>} */
  async #store(writing) {
    const { text, place } = writing;
    if (writing.isTaken || !this.chat.settings.enable_drafts_synchronization) return;
    const draft = { type: place.people ? "private" : "stream", to: place.people ?? [place.channelId], topic: place.topic ?? "", content: text };
    try {
      writing.sent.add(stored(text));
      if (!text.trim()) {
        if (writing.id !== null) await call("DELETE", `drafts/${writing.id}`);
        writing.id = null;
      } else if (writing.id !== null) await call("PATCH", `drafts/${writing.id}`, { draft });
      else [writing.id] = (await call("POST", "drafts", { drafts: [draft] })).ids;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.isTemporary) this.#later(writing, RETRY);
      if (error.status !== 404) return;
      writing.id = null; // removed elsewhere
      if (text.trim()) return this.#store(writing);
    }
    if (writing.text !== text) return;
    writing.isSaved = true;
    if (!writing.isTaken) localStorage.removeItem(writing.copy);
  }
}
