/** Short notices at the edge of the page; requests, whose refusals are shown there. */

import { call } from "../../api.js";
import { Observable } from "../../model/observable.js";
import { t } from "../../text/text.js";
import { html, useEffect, useModel, useState } from "./html.js";
import { Icon } from "./icon.js";

const [SHOWN, MOST] = [6_000, 3];

/** @typedef {{id: number, text: string, undo?: () => Promise<unknown>, timer: number}} Notice */

class Shown extends Observable {
  /** @type {Notice[]} */ shown = [];
  #isHeld = false;
  #last = 0;

  /**
   * Say something for some seconds.
   *
   * @param {string} text
   * @param {() => Promise<unknown>} [undo] undoes what is said
   */
  show(text, undo) {
    const notice = { id: ++this.#last, text, undo, timer: 0 };
    const before = this.shown.find((one) => !one.undo && !undo && one.text === text);
    if (before ?? this.shown.length === MOST) this.drop(before ?? this.shown[0]);
    this.set({ shown: [...this.shown, notice] });
    if (!this.#isHeld) this.#start(notice);
  }

  /** @param {Notice} notice */
  drop(notice) {
    clearTimeout(notice.timer);
    this.set({ shown: this.shown.filter((one) => one !== notice) });
    if (!this.shown.length) this.#isHeld = false;
  }

  /** Undo what a notice says, or the last one that can be undone. */
  undo(notice = this.shown.findLast((one) => one.undo)) {
    if (!notice?.undo) return;
    this.drop(notice);
    report(notice.undo());
  }

  /** Keep the notices while somebody points at them, or has the focus there. @param {boolean} isHeld */
  hold(isHeld) {
    this.#isHeld = isHeld;
    for (const one of this.shown) {
      clearTimeout(one.timer);
      if (!isHeld) this.#start(one);
    }
  }

  #start = (/** @type {Notice} */ notice) => (notice.timer = setTimeout(() => this.drop(notice), SHOWN));
}

export const notices = new Shown();

/** The notices, with what undoes them; none while `isElsewhere`, in the dialog that is open. */
export function Notices({ isElsewhere = false }) {
  useModel(notices);
  const [hold, release] = [() => notices.hold(true), () => notices.hold(false)];
  const view = (/** @type {Notice} */ one) => html`
    <div class="notice" key=${one.id}>
      <p>${one.text}</p>
      ${one.undo && html`<button type="button" onClick=${() => notices.undo(one)}>${t("undo")}</button>`}
      <button type="button" class="plain" aria-label=${t("dialog.close")} title=${t("dialog.close")}
        onClick=${() => notices.drop(one)}><${Icon} name="x" /></button>
    </div>`;
  return html`<div class="notices" role="status" onPointerEnter=${hold} onPointerLeave=${release}
    onFocusIn=${hold} onFocusOut=${release}>${!isElsewhere && notices.shown.map(view)}</div>`;
}

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
