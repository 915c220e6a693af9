/** The unread messages: how many there are of each conversation. */

import { directKey, keyOf, placeNamed, topicKey } from "./places.js";

/** @typedef {Place & {key: string, count: number, newest: number}} UnreadPlace */

export class Unread {
  /** @type {Map<string, Set<number>>} by the keys of conversations */ #ids = new Map();
  /** @type {Map<number, string>} */ #places = new Map();
  /** @type {Map<string, UnreadPlace>} what `places` has of conversations, until something changes there */
  #found = new Map();
  /** @type {Set<number>} */ mentions;
  /** @type {Map<string, string>} the topic of a conversation as it is written */ topics = new Map();

  constructor({ streams = [], pms = [], huddles = [], mentions = [] }, me) {
    const addAll = ({ unread_message_ids }, place, topic) => {
      for (const id of unread_message_ids) this.add(place, id, topic);
    };
    for (const one of streams) addAll(one, topicKey(one.stream_id, one.topic), one.topic);
    for (const one of pms) addAll(one, directKey([one.other_user_id]));
    for (const one of huddles) addAll(one, directKey(one.user_ids_string.split(",").map(Number), me));
    this.mentions = new Set(mentions);
  }

  /** Note where an unread message is. @param {string} place @param {number} id @param {string} [topic] */
  add(place, id, topic) {
    this.#take(id);
    if (!this.#ids.has(place)) this.#ids.set(place, new Set());
    this.#ids.get(place)?.add(id);
    this.#places.set(id, place);
    if (topic !== undefined) this.topics.set(place, topic);
    this.#found.delete(place);
  }

  #take(id) {
    const place = this.#places.get(id) ?? "";
    this.#found.delete(place);
    const those = this.#ids.get(place);
    this.#places.delete(id);
    those?.delete(id);
    if (!those?.size) this.#ids.delete(place);
  }

  /** Note whether an unread message mentions the reader. @param {number} id @param {string[]} flags */
  mention(id, flags) {
    const isMention = flags.includes("mentioned") || flags.includes("wildcard_mentioned");
    if (isMention && this.#places.has(id)) this.mentions.add(id);
    else this.mentions.delete(id);
  }

  remove(ids) {
    for (const id of ids) {
      this.#take(id);
      this.mentions.delete(id);
    }
  }

  /** Note that a message, if it is unread, is elsewhere. */
  move(id, place, topic) {
    if (this.#places.has(id)) this.add(place, id, topic);
  }

  /** How many unread messages mention the reader, by the keys of their conversations. */
  get calls() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const id of this.mentions) {
      const place = this.#places.get(id);
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    return counts;
  }

  clear = () => this.remove([...this.#places.keys()]);

  /** The ids of those of a conversation, of a channel, or of all places. @param {Place} place */
  idsAt({ channelId, topic, people }) {
    const key = (people ?? topic) === undefined ? null : keyOf({ channelId, topic, people });
    const those = this.places.filter((one) =>
      key === null ? channelId === undefined || one.channelId === channelId : one.key === key,
    );
    return those.flatMap((one) => [...(this.#ids.get(one.key) ?? [])]);
  }

  count = (place) => this.#ids.get(place)?.size ?? 0;

  /** Conversations with unread messages, and their numbers. */
  get places() {
    for (const [key, ids] of this.#ids) if (!this.#found.has(key)) this.#find(key, ids);
    return [...this.#found.values()];
  }

  #find(key, ids) {
    const topic = this.topics.get(key);
    const place = { ...placeNamed(key), ...(topic !== undefined && { topic }) };
    this.#found.set(key, { key, ...place, count: ids.size, newest: Math.max(...ids) });
  }
}
