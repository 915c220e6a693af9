/** Exports of the organization's data. */

import { call } from "../../api.js";
import { fullTime, t } from "../../text/text.js";
import { html, useEffect } from "../html.js";
import { report } from "../notice.js";

const PUBLIC = 1;
const WITH_CONSENT = 2;

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Exports({ chat }) {
  const { state } = chat;
  useEffect(() => {
    report(call("GET", "export/realm")).then((answer) => {
      if (!answer) return;
      state.exports = answer.exports;
      chat.changed();
    });
  }, [chat.queueId]);
  const start = (/** @type {number} */ export_type) => report(call("POST", "export/realm", { export_type }));
  const shown = (state.exports ?? []).filter((/** @type {any} */ one) => !one.deleted_timestamp).reverse();
  return html`
    <p class="bar">
      <button type="button" onClick=${() => start(PUBLIC)}>${t("exports.public")}</button>
      <button type="button" onClick=${() => start(WITH_CONSENT)}>${t("exports.with_consent")}</button>
    </p>
    <ul class="rows" aria-label=${t("organization.exports")}>
      ${shown.map(
        (/** @type {any} */ one) => html`
        <li key=${one.id}>
          <div>${fullTime(one.export_time)}<small>${t(one.export_type === PUBLIC ? "exports.public" : "exports.with_consent")} · ${chat.name(one.acting_user_id)}</small></div>
          ${one.pending && html`<span class="tag">${t("exports.pending")}</span>`}
          ${one.failed_timestamp && html`<span class="tag">${t("exports.failed")}</span>`}
          ${
            one.export_url &&
            html`<a class="button" href=${one.export_url}>${t("exports.download")}</a>
            <button type="button" onClick=${() => report(call("DELETE", `export/realm/${one.id}`))}>${t("action.delete")}</button>`
          }
        </li>`,
      )}
    </ul>
    ${!shown.length && html`<p class="none">${t("rows.empty")}</p>`}
  `;
}
