/** Short notices at the edge of the page. */

import { Observable } from "../model/observable.js";
import { t } from "../text/text.js";

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

/** Show that a change is saved, or the reason why it is not. @param {Promise<any>} request */
export async function saved(request) {
  const answer = await report(request);
  if (answer) notices.show(t("saved"));
  return answer;
}

/** Show the reason if a request fails. @template T @param {Promise<T>} request @returns {Promise<T | undefined>} */
export async function report(request) {
  try {
    return await request;
  } catch (error) {
    notices.show(/** @type {Error} */ (error).message);
    return undefined;
  }
}
