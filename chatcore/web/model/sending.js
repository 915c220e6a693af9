/** Sending messages: shown at once, sent once, and again only if the reader wants so. */

import { ApiError, call } from "../api.js";

let last = 0;

/**
 * @typedef {import("./chat.js").Chat} Chat
 * @typedef {{type: "channel" | "direct", to: number | number[], topic?: string, content: string, arrived?: () => unknown}} Outgoing
 *   `arrived` is called once the server has the message
 */

/** Note that the server has a message. @param {Chat} chat @param {string} localId */
export function arrived(chat, localId) {
  chat.outbox.get(localId)?.arrived?.();
  chat.outbox.delete(localId);
}

/**
 * Send a message. A repetition has the same `local_id`, so that the server stores the message once.
 *
 * @param {Chat} chat
 * @param {Outgoing} message
 * @param {string} [localId] that of the first attempt
 */
export async function send(chat, message, localId = `${Date.now()}.${++last}`) {
  const waiting = { ...message, localId, queueId: chat.outbox.get(localId)?.queueId ?? chat.queueId, error: "" };
  chat.outbox.set(localId, waiting);
  chat.changed();
  try {
    await call("POST", "messages", {
      type: message.type,
      to: JSON.stringify(message.to),
      topic: message.topic,
      content: message.content,
      queue_id: waiting.queueId,
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
