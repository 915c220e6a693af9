/** Dialogs over the page: the rest cannot be reached meanwhile, and Escape closes them. */

import { t } from "../text/text.js";
import { html, useEffect, useRef } from "./html.js";

/** @param {{title: string, close: () => void, children?: unknown}} props */
export function Dialog({ title, close, children }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => element.current?.showModal(), []);
  return html`
    <dialog ref=${element} aria-label=${title} onClose=${close}>
      <h2 dir="auto">${title}</h2>
      ${children}
      <button type="button" onClick=${close}>${t("dialog.close")}</button>
    </dialog>
  `;
}
