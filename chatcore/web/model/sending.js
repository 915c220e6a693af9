/** Sending messages: shown at once, stored once, and sent again when the server can be reached, or when the reader wants so. */

import { ApiError, call } from "../api.js";

let last = 0;
/** Ends with the last request: a message waits for the one before it, so that they arrive in their order; not for one that hangs. */
let sent = Promise.resolve();
const LONGEST_WAIT = 3_000;

/** @typedef {{place: Place, content: string, done: () => unknown, queueId: string, error: ApiError | null}} Outgoing a message on its way; `done` is called once the server has it */

/** The fields by which a message is sent to a place. @param {Place} place */
export const addressed = ({ channelId, topic, people }) => (people ? { type: "direct", to: people } : { type: "channel", to: channelId, topic });

/** Note that the server has a message, or that it will not be sent. @param {Chat} chat @param {string} localId */
export function arrived(chat, localId) {
  chat.outbox.get(localId)?.done();
  chat.outbox.delete(localId);
  chat.changed();
}

/** Send a message. A repetition has the *localId* of the first attempt, so that the server stores the message once. @param {Chat} chat @param {Place} place */
export async function send(chat, place, content, done, localId = `${Date.now()}.${++last}`) {
  const queueId = chat.outbox.get(localId)?.queueId ?? chat.queueId;
  const outgoing = { place, content, done, queueId, error: /** @type {ApiError | null} */ (null) };
  chat.outbox.set(localId, outgoing);
  chat.changed();
  const fields = { ...addressed(place), content, queue_id: queueId, local_id: localId, read_by_sender: true };
  // Meanwhile it may have arrived, or been discarded.
  const request = sent.then(() => chat.outbox.get(localId) === outgoing && call("POST", "messages", fields));
  sent = sent.then(() => Promise.race([request.catch(() => {}), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT))]));
  try {
    if (await request) arrived(chat, localId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Its event may have come although the answer was lost.
    if (chat.outbox.has(localId)) chat.outbox.set(localId, { ...outgoing, error });
    chat.changed();
  }
}

/** Send what the server could not be reached with. Without its queue, it no longer knows what has arrived; then the reader decides. @param {Chat} chat */
export function sendAgain(chat) {
  for (const [localId, { place, content, done, queueId, error }] of chat.outbox)
    if (error?.isTemporary && queueId === chat.queueId) send(chat, place, content, done, localId);
}
