/** A part of the page whose failure leaves the other parts as they are. */

import { html, useErrorBoundary } from "./html.js";

/** Show the children or, once they have failed, what *otherwise* makes. */
export function Boundary({ otherwise, children }) {
  const [error] = useErrorBoundary((/** @type {unknown} */ one) => console.warn(one));
  return error ? otherwise() : html`${children}`;
}
