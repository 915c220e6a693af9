/** A choice of a time in the future. */

import { t } from "../text/text.js";
import { Field } from "./form.js";
import { html } from "./html.js";

/** In one hour, in seconds since 1970. */
export const inAnHour = () => Math.floor(Date.now() / 60_000) * 60 + 3600;

/** As a field of the browser has it: in the reader's zone, without one. @param {number} at */
function written(at) {
  const zone = new Date(at * 1000).getTimezoneOffset() * 60;
  return new Date((at - zone) * 1000).toISOString().slice(0, 16);
}

/** @param {{at: number, set: (at: number) => void}} props */
export function When({ at, set }) {
  return html`<${Field} label=${t("when.label")} type="datetime-local" required value=${written(at)} min=${written(Date.now() / 1000)}
    onInput=${(/** @type {any} */ event) => event.target.value && set(Math.floor(new Date(event.target.value).getTime() / 1000))} />`;
}
