/** Sending messages: shown at once, sent once, and again only if the reader wants so. */

import { ApiError, call } from "../api.js";

let last = 0;

/**
 * Send a message. A repetition has the same `local_id`, so that the server stores the message once.
 *
 * @param {import("./chat.js").Chat} chat
 * @param {{type: "channel" | "direct", to: number | number[], topic?: string, content: string}} draft
 * @param {string} [localId] that of the first attempt
 */
export async function send(chat, draft, localId = `${Date.now()}.${++last}`) {
  const waiting = { ...draft, localId, queueId: chat.outbox.get(localId)?.queueId ?? chat.queueId, error: "" };
  chat.outbox.set(localId, waiting);
  chat.changed();
  try {
    await call("POST", "messages", {
      type: draft.type,
      to: JSON.stringify(draft.to),
      topic: draft.topic,
      content: draft.content,
      queue_id: waiting.queueId,
      local_id: localId,
      read_by_sender: true,
    });
    chat.outbox.delete(localId);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    chat.outbox.set(localId, { ...waiting, error: error.message });
  }
  chat.changed();
}
