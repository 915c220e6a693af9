/** Short notices at the edge of the page; requests, whose refusals are shown there. */

import { call } from "../../api.js";
import { Observable } from "../../model/observable.js";
import { t } from "../../text/text.js";
import { useEffect, useState } from "./html.js";

const SHOWN = 6_000;

class Notices extends Observable {
  /** @type {{id: number, text: string}[]} */
  shown = [];
  #last = 0;

  /** @param {string} text */
  show(text) {
    const notice = { id: ++this.#last, text };
    this.set({ shown: [...this.shown, notice] });
    setTimeout(() => this.set({ shown: this.shown.filter((one) => one !== notice) }), SHOWN);
  }
}

export const notices = new Notices();

const showError = (error) => void notices.show(error.message);

/**
 * Show the reason if a request fails.
 *
 * @template T
 * @param {Promise<T>} request
 * @returns {Promise<T | undefined>}
 */
export const report = (request) => request.catch(showError);

/** Show that a change is saved, or the reason why it is not. @param {Promise<any>} request */
export async function saved(request) {
  const answer = await report(request);
  if (answer) notices.show(t("saved"));
  return answer;
}

/** Ask for something after changes of *those*, and take the answer unless they have changed again. */
export function useLater(ask, take, those, failed = /** @type {(error: Error) => void} */ (showError)) {
  useEffect(() => {
    let isGone = false;
    ask().then(
      (one) => isGone || take(one),
      (error) => isGone || failed(error),
    );
    return () => {
      isGone = true;
    };
  }, those);
}

/**
 * The answer of the server to a question, null before it is there. It is asked anew after changes of *again*.
 * `take` gets the answer otherwise; `failed` gets a refusal, which is shown otherwise.
 *
 * @template {string} Path
 * @param {Path} path
 * @param {{
 *   parameters?: object,
 *   again?: unknown[],
 *   take?: (answer: Answer<"GET", Path>) => void,
 *   failed?: (error: Error) => void,
 * }} [more]
 * @returns {Answer<"GET", Path> | null}
 */
export function useAnswer(path, { parameters, again = [], take, failed } = {}) {
  const [answer, setAnswer] = useState(null);
  useLater(() => call("GET", path, parameters), take ?? setAnswer, [path, ...again], failed);
  return answer;
}

/** Copy a text, and say so. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notices.show(t("action.copied"));
  } catch {
    notices.show(t("action.not_copied", { text })); // browsers refuse it, and do not have it without TLS
  }
}
