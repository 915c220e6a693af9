/** The topics of the channels that were looked at, the newest first. */

import { call } from "../api.js";

/** @typedef {Api.TopicShape} Topic */

export class Topics {
  /** @type {Map<number, Topic[]>} by channels */ #known = new Map();
  /**
   * The value of `topicChanges` when they were asked for: after another change they are asked for anew.
   *
   * @type {Map<number, number>}
   */
  #changes = new Map();

  constructor(/** @type {Chat} */ chat) {
    this.chat = chat;
  }

  /** Those that are known. @param {number} channelId */
  of = (channelId) => this.#known.get(channelId) ?? [];

  /** Whether these are all topics of a channel. @param {number} channelId */
  hasAll = (channelId) => this.#changes.get(channelId) === this.chat.topicChanges;

  /** All that are known, with their channels. @returns {[number, Topic[]][]} */
  get all() {
    return [...this.#known];
  }

  /** Those of a channel, of which no events come unless the reader is in it. @param {number} channelId */
  async load(channelId) {
    const { topicChanges, state, subscribed } = this.chat;
    const before = this.of(channelId);
    if (subscribed.has(channelId) && this.hasAll(channelId)) return before;
    const { max_message_id: newest } = state;
    const { topics } = await call("GET", `users/me/${channelId}/topics`, { allow_empty_topic_name: true });
    // They can be newer than the answer.
    const later = this.of(channelId).filter(({ max_id }) => max_id > newest);
    this.#known.set(channelId, topics);
    this.#changes.set(channelId, topicChanges);
    for (const topic of later.toReversed()) this.#put(channelId, topic);
    if (JSON.stringify(before) !== JSON.stringify(this.of(channelId))) this.chat.changed();
    return this.of(channelId);
  }

  /** Note a new message. @param {Message} message */
  take({ id, stream_id, subject }) {
    if (stream_id !== undefined) this.#put(stream_id, { name: subject, max_id: id });
  }

  /** Put a topic first, named as its first message has it. @param {number} channelId @param {Topic} topic */
  #put(channelId, { name, max_id }) {
    const isSame = (one) => one.name.toLowerCase() === name.toLowerCase();
    const topics = this.of(channelId);
    const known = topics.find(isSame) ?? { name };
    this.#known.set(channelId, [{ ...known, max_id }, ...topics.filter((one) => !isSame(one))]);
  }
}
