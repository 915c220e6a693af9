/**
 * Sending messages: shown at once, stored once, and sent by itself what could not be sent at first. The
 * browser keeps it meanwhile.
 */

import { ApiError, call, callMessages } from "../api.js";
import { Narrow } from "./narrow.js";
import { keyOf, messageOf } from "./places.js";
import { keep, stored } from "./written.js";

/** How long a message waits for the one before it, from the start of its request. */
const LONGEST_WAIT = 3_000;
/** After which time a request that is not answered is repeated. */
const HUNG = 30_000;
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [500, 30_000];
const ORDER = new Intl.Collator("en", { numeric: true });
let last = 0;

/**
 * A message on its way. The server stores it once for its queue and local id; after the end of that queue,
 * the message is looked for behind the last one that was known before (`after`). `done` is called once the
 * server has it; then it `isStored`, and is shown until its event comes.
 *
 * @typedef {{
 *   localId: string, place: Place, content: string, queueId: string, after: number,
 *   done: () => unknown, error: ApiError | null, free: () => void, isStored: boolean,
 * }} Outgoing
 */

/** The fields by which a message is sent to a place. @param {Place} place */
export const addressed = ({ channelId, topic, people }) =>
  people ? { type: "direct", to: people } : { type: "channel", to: channelId, topic };

/** The messages that were sent from here, and are not known to have arrived. */
export class Outbox {
  /** @type {Map<string, Outgoing>} by their local ids */ messages = new Map();
  /** Those whose events have not come, by their ids. @type {Map<number, Outgoing>} */ #stored = new Map();
  /** Finds out whether the server can be reached, and the queue lives; then `sendAgain` is called. */
  check = () => {};
  #failures = 0;
  #timer = 0;
  /** Ends with the last request, so that messages arrive in their order; not with one that hangs. */
  #sent = Promise.resolve();

  constructor(/** @type {Chat} */ chat) {
    this.chat = chat;
    this.prefix = chat.ownName("outgoing");
  }

  /**
   * Send what earlier pages of the browser could not send. What another page still has is locked, until it is
   * closed.
   */
  start() {
    const names = Object.keys(localStorage).filter((one) => one.startsWith(this.prefix));
    for (const name of names.sort(ORDER.compare)) this.#lock(name, () => this.#adopt(name));
  }

  /**
   * Send a message, and keep it until it has arrived.
   *
   * @param {Place} place
   * @param {string} content
   * @param {() => unknown} done
   */
  add(place, content, done) {
    const localId = `${Date.now()}.${++last}`;
    const { queueId, state } = this.chat;
    this.#begin({ localId, place, content, queueId, after: state.max_message_id }, done);
  }

  /**
   * Give up a message that could not be sent.
   *
   * @param {string} localId
   * @returns {() => void} sends it after all: as the same one, for it may have arrived unnoticed
   */
  discard(localId) {
    const outgoing = this.messages.get(localId);
    this.arrived(localId);
    return () => this.#begin(outgoing, () => {});
  }

  /**
   * The messages on their way that a narrow has, as they will be in a list, each with its `outgoing`.
   *
   * @param {Narrow} narrow
   * @returns {any[]}
   */
  expected(narrow) {
    const { me } = this.chat;
    const all = [...this.#stored.values(), ...this.messages.values()].map((outgoing) =>
      messageOf({
        id: outgoing.localId,
        sender_id: me,
        stream_id: outgoing.place.channelId,
        subject: outgoing.place.topic ?? "",
        display_recipient: outgoing.place.people?.map((id) => ({ id })),
        timestamp: Number.parseInt(outgoing.localId, 10) / 1000,
        content: outgoing.content,
        flags: ["read"],
        outgoing,
      }),
    );
    return all.filter((one) => narrow.matches(one, me));
  }

  /** Forget what is shown until its event comes, as the events of that queue will not. */
  forget = () => this.#stored.clear();

  /** Note that the event of a message has come, by which it is in its lists. @param {number} id */
  came = (id) => this.#stored.delete(id);

  /**
   * Note that a message has the *id*, or that it will not be sent. It is shown until its event comes; there
   * is none for one that `isOld`.
   *
   * @param {string} localId
   */
  arrived(localId, id = 0, isOld = false) {
    const outgoing = this.messages.get(localId);
    if (!outgoing) return;
    if (id && !isOld && !this.chat.messages.has(id))
      this.#stored.set(id, Object.assign(outgoing, { isStored: true }));
    const key = keyOf(outgoing.place);
    const all = [...this.messages.values()];
    // The same text can follow: it is not the message that has this id.
    for (const one of all.slice(all.indexOf(outgoing)))
      if (one.after < id && keyOf(one.place) === key) this.#keep(Object.assign(one, { after: id }));
    outgoing.done();
    outgoing.free();
    this.messages.delete(localId);
    localStorage.removeItem(this.prefix + localId);
    this.chat.changed();
  }

  /** Try once more, as the reader wants. */
  again(localId) {
    const outgoing = this.messages.get(localId);
    if (outgoing?.error) this.#try(outgoing);
  }

  /** Send what the server could not be reached with, now that it can be, and the queue of the chat lives. */
  sendAgain() {
    for (const outgoing of this.messages.values()) if (outgoing.error?.isTemporary) this.#try(outgoing);
  }

  /** Leave everything to the next session of this person in the browser. */
  leave() {
    for (const { free } of this.messages.values()) free();
    for (const those of [this.messages, this.#stored]) those.clear();
  }

  #begin(fields, done) {
    const arrival = this.#put(fields, done);
    this.#keep(fields);
    this.#lock(this.prefix + fields.localId, () => arrival);
  }

  #put(fields, done) {
    const { promise, resolve } = Promise.withResolvers();
    const outgoing = { ...fields, done, error: null, free: resolve, isStored: false };
    this.messages.set(outgoing.localId, outgoing);
    this.#try(outgoing);
    return promise;
  }

  #keep({ localId, place, content, queueId, after }) {
    keep(this.prefix + localId, { localId, place, content, queueId, after });
  }

  /** Browsers have no locks without TLS; then two pages may send the same, and the server stores it once. */
  #lock = (name, run) => (navigator.locks ? navigator.locks.request(name, run) : run());

  #adopt(name) {
    const fields = JSON.parse(localStorage.getItem(name) ?? "null");
    if (!fields || this.messages.has(fields.localId)) return;
    return this.#put(fields, this.chat.drafts.leave(fields.place, fields.content));
  }

  #try(outgoing) {
    outgoing.error = null;
    this.chat.changed();
    const request = this.#sent.then(() => this.#send(outgoing));
    this.#sent = this.#sent.then(() =>
      Promise.race([request, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT))]),
    );
  }

  async #send(/** @type {Outgoing} */ outgoing) {
    const { localId, place, content } = outgoing;
    if (!this.messages.has(localId)) return; // it has arrived meanwhile, or was discarded
    const before = this.#before(outgoing);
    try {
      if (before) throw before.error;
      const known = await this.#find(outgoing);
      const sender = { queue_id: outgoing.queueId, local_id: localId, read_by_sender: true };
      const fields = { ...addressed(place), content, ...sender };
      const { id } = known ?? (await call("POST", "messages", fields, AbortSignal.timeout(HUNG)));
      this.#failures = 0;
      this.arrived(localId, id, !!known);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) return this.leave();
      outgoing.error = error;
      this.chat.changed();
      if (error.isTemporary && !before) this.#later(error);
    }
  }

  /** The message that has to arrive before another one in their conversation. */
  #before(/** @type {Outgoing} */ { localId, place }) {
    for (const one of this.messages.values()) {
      if (one.localId === localId) return null;
      if (one.error?.isTemporary && one.error.status !== 500 && keyOf(one.place) === keyOf(place)) return one;
    }
  }

  #later({ code, retryAfter }) {
    this.#failures += 1;
    clearTimeout(this.#timer);
    const pause =
      code === "NETWORK" && this.#failures === 1
        ? 0
        : Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** this.#failures);
    this.#timer = setTimeout(() => this.check(), Math.max(pause, retryAfter * 1000));
  }

  /** The message that an earlier request has sent, where the server cannot know: its queue has ended. */
  async #find(/** @type {Outgoing} */ outgoing) {
    const { place, content, queueId, after } = outgoing;
    if (queueId === this.chat.queueId) return null;
    const alive = { queue_id: queueId, last_event_id: -1, dont_block: true };
    const poll = call("GET", "events", alive, AbortSignal.timeout(HUNG));
    const { code, isTemporary = false } = await poll.catch((error) => error);
    if (isTemporary) await poll; // fails
    if (code !== "BAD_EVENT_QUEUE_ID") return null;
    const narrow = [...Narrow.at(place).forServer, { operator: "sender", operand: this.chat.me }];
    const window = { anchor: Math.max(0, after), include_anchor: false, num_before: 0, num_after: 100 };
    const asked = { ...window, narrow, apply_markdown: false };
    const { messages } = await callMessages(asked, AbortSignal.timeout(HUNG));
    this.#keep(Object.assign(outgoing, { queueId: this.chat.queueId }));
    return messages.find((one) => one.content === stored(content));
  }
}
