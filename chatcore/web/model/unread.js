/** The unread messages: how many there are of each conversation. */

import { directKey, topicKey } from "./narrow.js";

export class Unread {
  /** @type {Map<string, Set<number>>} by the keys of conversations */
  #ids = new Map();
  /** @type {Map<number, string>} */
  #places = new Map();
  /** The result of `places`, until something changes. @type {{place: string, count: number, newest: number}[] | null} */
  #found = null;
  /** @type {Set<number>} */
  mentions = new Set();
  /** @type {Map<string, string>} the topic of a conversation as it is written */
  topics = new Map();

  /** @param {any} state `unread_msgs` of the initial state @param {number} me */
  constructor(state, me) {
    for (const { stream_id, topic, unread_message_ids: ids } of state.streams ?? []) for (const id of ids) this.add(topicKey(stream_id, topic), id, topic);
    for (const { other_user_id, unread_message_ids: ids } of state.pms ?? []) for (const id of ids) this.add(directKey([other_user_id]), id);
    for (const { user_ids_string, unread_message_ids: ids } of state.huddles ?? []) {
      const place = directKey(user_ids_string.split(",").map(Number), me);
      for (const id of ids) this.add(place, id);
    }
    for (const id of state.mentions ?? []) this.mentions.add(id);
  }

  /** @param {string} place @param {number} id @param {string} [topic] */
  add(place, id, topic) {
    this.remove([id]);
    this.#found = null;
    let ids = this.#ids.get(place);
    if (!ids) this.#ids.set(place, (ids = new Set()));
    ids.add(id);
    this.#places.set(id, place);
    if (topic !== undefined) this.topics.set(place, topic);
  }

  /** Note whether a message mentions the reader, as far as it is unread. @param {number} id @param {string[]} flags */
  mention(id, flags) {
    const isMention = this.#places.has(id) && (flags.includes("mentioned") || flags.includes("wildcard_mentioned"));
    if (isMention) this.mentions.add(id);
    else this.mentions.delete(id);
  }

  /** @param {Iterable<number>} ids */
  remove(ids) {
    this.#found = null;
    for (const id of ids) {
      this.mentions.delete(id);
      const place = this.#places.get(id);
      if (place === undefined) continue;
      this.#places.delete(id);
      const those = this.#ids.get(place);
      those?.delete(id);
      if (!those?.size) this.#ids.delete(place);
    }
  }

  /** Note that a message, if it is unread, is elsewhere. @param {number} id @param {string} place @param {string} topic */
  move(id, place, topic) {
    if (!this.#places.has(id)) return;
    const isMention = this.mentions.has(id);
    this.add(place, id, topic);
    if (isMention) this.mentions.add(id);
  }

  clear() {
    this.#found = null;
    this.#ids.clear();
    this.#places.clear();
    this.mentions.clear();
  }

  /** @param {string} place */
  count(place) {
    return this.#ids.get(place)?.size ?? 0;
  }

  /** Conversations with unread messages, and their numbers. */
  get places() {
    this.#found ??= [...this.#ids].map(([place, ids]) => ({ place, count: ids.size, newest: Math.max(...ids) }));
    return this.#found;
  }

  get total() {
    return this.#places.size;
  }
}
