/** Short notices at the edge of the page; requests, whose refusals are shown there. */

import { call } from "../api.js";
import { Observable } from "../model/observable.js";
import { t } from "../text/text.js";
import { useEffect, useState } from "./html.js";

const SHOWN = 6_000;

class Notices extends Observable {
  /** @type {{id: number, text: string}[]} */
  shown = [];
  #last = 0;

  /** @param {string} text */
  show(text) {
    const notice = { id: ++this.#last, text };
    this.shown = [...this.shown, notice];
    this.changed();
    setTimeout(() => {
      this.shown = this.shown.filter((one) => one !== notice);
      this.changed();
    }, SHOWN);
  }
}

export const notices = new Notices();

/** @param {Error} error */
const showError = (error) => notices.show(error.message);

/** Show the reason if a request fails. @template T @param {Promise<T>} request @returns {Promise<T | undefined>} */
export async function report(request) {
  try {
    return await request;
  } catch (error) {
    showError(/** @type {Error} */ (error));
    return undefined;
  }
}

/** Show that a change is saved, or the reason why it is not. @param {Promise<any>} request */
export async function saved(request) {
  const answer = await report(request);
  if (answer) notices.show(t("saved"));
  return answer;
}

/**
 * The answer of the server to a question, null before it is there. It is asked anew after changes of *again*.
 *
 * @param {string} path
 * @param {{parameters?: Record<string, unknown>, again?: unknown[], take?: (answer: any) => void, failed?: (error: Error) => void}} [options]
 *   `take` gets the answer otherwise; `failed` gets a refusal, which is shown otherwise
 */
export function useAnswer(path, { parameters, again = [], take, failed = showError } = {}) {
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isGone = false;
    call("GET", path, parameters).then(
      (one) => isGone || (take ?? setAnswer)(one),
      (error) => isGone || failed(error),
    );
    return () => {
      isGone = true;
    };
  }, [path, ...again]);
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
