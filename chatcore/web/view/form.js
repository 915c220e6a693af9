/** Fields of forms, each with its label. A text that is being written has a `defaultValue`: a `value` replaces it at each rendering. */

import { html } from "./html.js";

/** @param {{label: string, hint?: string, [attribute: string]: unknown}} props */
export function Field({ label, hint, ...attributes }) {
  return html`<label class="field"><span>${label}</span><input dir="auto" ...${attributes} />${hint && html`<small>${hint}</small>`}</label>`;
}

/** @param {{label: string, rows?: number, [attribute: string]: unknown}} props */
export function LongField({ label, ...attributes }) {
  return html`<label class="field"><span>${label}</span><textarea dir="auto" ...${attributes}></textarea></label>`;
}

/** @param {{label: string, isOn: boolean, set: (isOn: boolean) => void, [attribute: string]: unknown}} props */
export function Check({ label, isOn, set, ...attributes }) {
  const onChange = (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).checked);
  return html`<label class="check"><input type="checkbox" checked=${isOn} onChange=${onChange} ...${attributes} /> <span>${label}</span></label>`;
}

/** The values of a form that is submitted, by their names. @param {Event} event @returns {Record<string, any>} */
export function submitted(event) {
  event.preventDefault();
  return Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)));
}

/**
 * A choice of one of several values.
 *
 * @param {{label: string, value: unknown, options: [unknown, string][], set: (value: any) => void, [attribute: string]: unknown}} props
 */
export function Choice({ label, value, options, set, ...attributes }) {
  const onChange = (/** @type {Event} */ event) => set(options[/** @type {HTMLSelectElement} */ (event.target).selectedIndex][0]);
  return html`
    <label class="field"><span>${label}</span>
      <select value=${String(value)} onChange=${onChange} ...${attributes}>
        ${options.map(([one, text]) => html`<option key=${String(one)} value=${String(one)} selected=${one === value}>${text}</option>`)}
      </select>
    </label>
  `;
}
