/** Sending messages: shown at once, sent once, and again only if the reader wants so. */

import { ApiError, call } from "../api.js";

let last = 0;

/** @typedef {{place: Place, content: string, done: () => unknown, queueId: string, error: string}} Outgoing a message on its way; `done` is called once the server has it */

/** Note that the server has a message. @param {Chat} chat @param {string} localId */
export function arrived(chat, localId) {
  chat.outbox.get(localId)?.done();
  chat.outbox.delete(localId);
}

/**
 * Send a message. A repetition has the same `local_id`, so that the server stores the message once.
 *
 * @param {Chat} chat
 * @param {Place} place
 * @param {string} content
 * @param {() => unknown} done
 * @param {string} [localId] that of the first attempt
 */
export async function send(chat, place, content, done, localId = `${Date.now()}.${++last}`) {
  const queueId = chat.outbox.get(localId)?.queueId ?? chat.queueId;
  const waiting = { place, content, done, queueId, error: "" };
  chat.outbox.set(localId, waiting);
  chat.changed();
  try {
    await call("POST", "messages", {
      ...(place.people ? { type: "direct", to: place.people } : { type: "channel", to: place.channelId, topic: place.topic }),
      content,
      queue_id: queueId,
      local_id: localId,
      read_by_sender: true,
    });
    arrived(chat, localId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Its event may have come although the answer was lost.
    if (chat.outbox.has(localId)) chat.outbox.set(localId, { ...waiting, error: error.message });
  }
  chat.changed();
}
