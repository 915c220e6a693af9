/** Dialogs over the page, one at a time: the rest cannot be reached meanwhile, and Escape closes them. */

import { Observable } from "../model/observable.js";
import { t } from "../text/text.js";
import { html, useLayoutEffect, useModel, useRef } from "./html.js";

class Overlay extends Observable {
  /** @type {{view: any, props: object} | null} */
  shown = null;

  /** Show a dialog, which gets {chat, act, close} and *props*. @param {(props: any) => unknown} view @param {object} [props] */
  show(view, props = {}) {
    this.shown = { view, props };
    this.changed();
  }

  close() {
    this.shown = null;
    this.changed();
  }
}

export const overlay = new Overlay();

/** The dialog that is open. @param {{chat: Chat, act: PageActions}} props */
export function OpenDialog(props) {
  useModel(overlay);
  const { shown } = overlay;
  return shown && html`<${shown.view} ...${props} close=${() => overlay.close()} ...${shown.props} />`;
}

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

/** Ask before something that cannot be undone. @param {string} question @param {string} name @param {() => unknown} run */
export const sure = (question, name, run) => overlay.show(Sure, { question, name, run });

/** @param {{question: string, name: string, run: () => unknown, close: () => void}} props */
function Sure({ question, name, run, close }) {
  const yes = () => {
    close();
    run();
  };
  return html`<${Dialog} title=${question} close=${close}><button type="button" class="primary" onClick=${yes}>${name}</button> <//>`;
}
