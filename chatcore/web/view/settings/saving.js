/** Changes of the own settings. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { notices, report } from "../notice.js";

/** @param {Record<string, unknown>} changes */
export const change = (changes) => report(call("PATCH", "settings", changes));

/**
 * Return the handler of a form that sends its fields: it says that they are saved, and empties the form if it is for
 * secrets.
 *
 * @param {(fields: Record<string, string>) => Promise<unknown>} send
 * @param {{isSecret?: boolean, text?: Parameters<typeof t>[0]}} [options]
 */
export function submitting(send, { isSecret = false, text = "settings.saved" } = {}) {
  return async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const answer = await report(send(/** @type {any} */ (Object.fromEntries(new FormData(form)))));
    if (!answer) return;
    if (isSecret) form.reset();
    notices.show(t(text));
  };
}
