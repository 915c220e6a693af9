/** Messages that are on their way, or could not be sent. */

import { arrived, send } from "../model/sending.js";
import { t } from "../text/text.js";
import { Fragment, html } from "./html.js";

/** @param {{chat: import("../model/chat.js").Chat}} props */
export function Outbox({ chat }) {
  const drop = (/** @type {string} */ localId) => {
    arrived(chat, localId);
    chat.changed();
  };
  return html`
    ${[...chat.outbox].map(
      ([localId, one]) => html`
      <div class="outgoing" key=${localId}>
        <p dir="auto">${one.content}</p>
        ${
          one.error
            ? html`<${Fragment}><span class="error" role="alert">${t("compose.failed", { reason: one.error })}</span>
              <button type="button" onClick=${() => send(chat, one, localId)}>${t("compose.again")}</button>
              <button type="button" onClick=${() => drop(localId)}>${t("compose.discard")}</button><//>`
            : html`<span>${t("compose.waiting")}</span>`
        }
      </div>`,
    )}
  `;
}
