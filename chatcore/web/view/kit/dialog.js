/** Dialogs over the page, one at a time: the rest cannot be reached meanwhile, and Escape closes them. */

import { Observable } from "../../model/observable.js";
import { t } from "../../text/text.js";
import { html, useLayoutEffect, useModel, useRef } from "./html.js";
import { Icon } from "./icon.js";
import { Notices, report } from "./notice.js";

/** One thing at a time over the page. */
export class Over extends Observable {
  shown = /** @type {any} */ (null);

  /** Close what is shown, or only *one*, which may have been followed by another. @param {any} [one] */
  close(one = this.shown) {
    if (this.shown === one) this.set({ shown: null });
  }
}

class Overlay extends Over {
  /**
   * Show a dialog, which gets {chat, act, close} and *props*.
   *
   * @param {(props: any) => unknown} view
   * @param {object} [props]
   */
  show(view, props = {}) {
    this.set({ shown: { view, props } });
  }
}

export const overlay = new Overlay();

/** The dialog that is open, and the notices: nothing outside of a dialog can be read. */
export function OpenDialog(props) {
  useModel(overlay);
  const { shown, version } = overlay;
  const close = () => overlay.close(shown);
  return html`<${Notices} isElsewhere=${!!shown} />${
    shown && html`<${shown.view} key=${version} ...${props} close=${close} ...${shown.props} />`
  }`;
}

export function Dialog({ title, close, children, ...attributes }) {
  const element = useRef(null);
  useLayoutEffect(() => {
    const before = /** @type {any} */ (document.activeElement);
    element.current.showModal();
    return () =>
      (before?.isConnected && before !== document.body
        ? before
        : document.querySelector(".scroller")
      )?.focus();
  }, []);
  return html`
    <dialog ref=${element} aria-label=${title} onClose=${close} ...${attributes}>
      <h2 dir="auto">${title}</h2>
      ${children}
      <button type="button" class="plain close" onClick=${close} aria-label=${t("dialog.close")}
        title=${t("dialog.close")}><${Icon} name="x" /></button>
      <${Notices} />
    </dialog>
  `;
}

/** The buttons of a dialog: that which does what it is for comes last. */
export const DialogButtons = ({ close, children }) => html`
  <p class="buttons"><button type="button" onClick=${close}>${t("action.cancel")}</button>${children}</p>`;

/**
 * Ask before something that cannot be undone.
 *
 * @param {string} question
 * @param {string} name
 * @param {() => unknown} run
 */
export const sure = (question, name, run) => overlay.show(Sure, { question, name, run });

/**
 * A button that asks before a request that cannot be undone.
 *
 * @param {string} name
 * @param {string} question
 * @param {() => Promise<unknown>} request
 * @returns {[string, () => void]}
 */
export const asking = (name, question, request) => [
  name,
  () => sure(question, name, () => report(request())),
];

function Sure({ question, name, run, close }) {
  const yes = () => {
    close();
    setTimeout(run); // when the dialog is gone, as it keeps the focus
  };
  return html`<${Dialog} title=${name} close=${close} aria-describedby="question">
    <p id="question">${question}</p>
    <${DialogButtons} close=${close}>
      <button type="button" class="primary danger" onClick=${yes}>${name}</button><//><//>`;
}
