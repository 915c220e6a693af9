/** A part of the page whose failure leaves the other parts as they are. */

import { t } from "../../text/text.js";
import { html, useErrorBoundary } from "./html.js";

/** Show the children or, once they have failed, what *otherwise* makes. */
export function Boundary({ otherwise, children }) {
  const [error] = useErrorBoundary((/** @type {unknown} */ one) => console.warn(one));
  return error ? otherwise() : html`${children}`;
}

/** What is shown in place of the page when that has failed. */
export const Failure = () =>
  html`<p class="none" role="alert">${t("status.failed")} <button onClick=${() => location.reload()}>
    ${t("status.reload")}</button></p>`;
