/** Forms, and their fields, each with its label. A text that is being written has a `defaultValue`: a `value` replaces it at each rendering. */

import { t } from "../text/text.js";
import { html, useEffect, useState } from "./html.js";
import { notices } from "./notice.js";

/** The handler of a change, which gives the text of the field. @param {((text: string) => void) | undefined} set */
const given = (set) => set && ((/** @type {any} */ { target }) => set(target.value));

/** @param {{label: string, hint?: string, set?: (text: string) => void, [attribute: string]: unknown}} props */
export function Field({ label, hint, set, ...attributes }) {
  return html`<label class="field"><span>${label}</span><input dir="auto" onInput=${given(set)} ...${attributes} />${hint && html`<small>${hint}</small>`}</label>`;
}

/** @param {{label: string, set?: (text: string) => void, [attribute: string]: unknown}} props */
export function LongField({ label, set, ...attributes }) {
  return html`<label class="field"><span>${label}</span><textarea dir="auto" onInput=${given(set)} ...${attributes}></textarea></label>`;
}

/** A button with which the reader chooses files; without `children` it shows its label. @param {{label: string, pick: (files: File[]) => unknown, children?: unknown, [attribute: string]: unknown}} props */
export function FileButton({ label, pick, children = label, ...attributes }) {
  const onChange = (/** @type {any} */ { target }) => {
    const files = [...target.files];
    target.value = ""; // the same file can be chosen again
    if (files.length) pick(files);
  };
  return html`<label class="button" title=${label}>${children}<input type="file" class="unseen" aria-label=${label} onChange=${onChange} ...${attributes} /></label>`;
}

/**
 * The value that the reader has chosen, until the state has a new one or the server refuses it: other events render the field meanwhile.
 *
 * @template T @param {T} value @param {((value: T) => unknown) | undefined} set gives the answer; undefined if there is none
 * @returns {[shown: T, choose: (value: T) => Promise<void>]}
 */
function useChosen(value, set) {
  const [chosen, setChosen] = useState(/** @type {T | undefined} */ (undefined));
  useEffect(() => setChosen(undefined), [value]);
  const choose = async (/** @type {T} */ to) => {
    setChosen(to);
    if ((await set?.(to)) === undefined) setChosen((now) => (now === to ? undefined : now)); // a later choice stays
  };
  return [chosen === undefined ? value : chosen, choose];
}

/** A box to tick; without `set` it belongs to a form. @param {{label: string, isOn: boolean, set?: (isOn: boolean) => void, [attribute: string]: unknown}} props */
export function Check({ label, isOn, set, ...attributes }) {
  const [isShown, choose] = useChosen(isOn, set);
  const state = set ? { checked: isShown, onChange: (/** @type {any} */ { target }) => choose(target.checked) } : { defaultChecked: isOn };
  return html`<label class="check"><input type="checkbox" ...${state} ...${attributes} /> <span>${label}</span></label>`;
}

/**
 * A choice of one of several values; without `set` it belongs to a form.
 *
 * @param {{label: string, value: unknown, options: [unknown, string][], set?: (value: any) => void, [attribute: string]: unknown}} props
 */
export function Choice({ label, value, options, set, ...attributes }) {
  const [shown, choose] = useChosen(value, set);
  const state = set && { value: String(shown), onChange: (/** @type {any} */ { target }) => choose(options[target.selectedIndex][0]) };
  return html`
    <label class="field"><span>${label}</span>
      <select ...${state} ...${attributes}>
        ${options.map(([one, text]) => html`<option key=${String(one)} value=${String(one)} selected=${one === shown}>${text}</option>`)}
      </select>
    </label>
  `;
}

/** A choice that adds one more of something. @param {{label: string, options: [number, string][], add: (id: number) => void}} props */
export function Adding({ label, options, add }) {
  return html`<${Choice} key=${options.length} label=${label} value=${null} options=${[[null, "…"], ...options]} set=${(/** @type {number | null} */ id) => id !== null && add(id)} />`;
}

/**
 * A form that sends its fields by their names. It shows a refusal; otherwise it says that they are saved.
 *
 * @param {{send: (fields: Record<string, any>) => Promise<unknown>, done?: (answer: any) => void, said?: string, button?: string, isEmptied?: boolean,
 *   isFixed?: boolean, children?: unknown, more?: unknown, [attribute: string]: unknown}} props
 *   `isFixed` turns the button off; `more` stands beside it
 */
export function Form({ send, done, said = t("saved"), button = t("action.save"), isEmptied = false, isFixed = false, children, more, ...attributes }) {
  const [reason, setReason] = useState("");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    try {
      const answer = await send(Object.fromEntries(new FormData(form, event.submitter)));
      setReason("");
      if (isEmptied) form.reset();
      if (said) notices.show(said);
      done?.(answer);
    } catch (error) {
      setReason(/** @type {Error} */ (error).message);
    }
  };
  return html`
    <form onSubmit=${submit} ...${attributes}>
      ${children}
      ${reason && html`<p class="error" role="alert">${reason}</p>`}
      <p class="bar"><button class="primary" disabled=${isFixed}>${button}</button>${more}</p>
    </form>
  `;
}
