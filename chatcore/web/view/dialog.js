/** Dialogs over the page: the rest cannot be reached meanwhile, and Escape closes them. */

import { t } from "../text/text.js";
import { html, useLayoutEffect, useRef } from "./html.js";

/** @param {{title: string, close: () => void, children?: unknown, [attribute: string]: unknown}} props */
export function Dialog({ title, close, children, ...attributes }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    element.current?.showModal();
    return () => {
      const isThere = before?.isConnected && before !== document.body;
      (isThere ? before : /** @type {HTMLElement | null} */ (document.querySelector(".scroller")))?.focus();
    };
  }, []);
  return html`
    <dialog ref=${element} aria-label=${title} onClose=${close} ...${attributes}>
      <h2 dir="auto">${title}</h2>
      ${children}
      <button type="button" onClick=${close}>${t("dialog.close")}</button>
    </dialog>
  `;
}

/** A question before something that cannot be undone. @param {{question: string, name: string, run: () => void, close: () => void}} props */
export function Sure({ question, name, run, close }) {
  const yes = () => {
    close();
    run();
  };
  return html`<${Dialog} title=${question} close=${close}><button type="button" class="primary" onClick=${yes}>${name}</button> <//>`;
}
