/** A report of a message to the moderators. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Dialog } from "../dialog.js";
import { Choice, LongField } from "../form.js";
import { html, useState } from "../html.js";
import { notices, report } from "../notice.js";

const MAX_DESCRIPTION_LENGTH = 1000;

/** @param {any} props */
export function Report({ message, close }) {
  const [reason, setReason] = useState("spam");
  const [text, setText] = useState("");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!(await report(call("POST", `messages/${message.id}/report`, { report_type: reason, description: text })))) return;
    notices.show(t("report.done"));
    close();
  };
  return html`
    <${Dialog} title=${t("action.report")} close=${close}>
      <form onSubmit=${submit}>
        <${Choice} label=${t("report.reason")} value=${reason} set=${setReason} options=${[
          ["spam", t("report.spam")],
          ["harassment", t("report.harassment")],
          ["inappropriate", t("report.inappropriate")],
          ["norms", t("report.norms")],
          ["other", t("report.other")],
        ]} />
        <${LongField} label=${t("report.text")} value=${text} maxlength=${MAX_DESCRIPTION_LENGTH} required=${reason === "other"}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        <button type="submit" class="primary">${t("report.send")}</button>
      </form>
    <//>
  `;
}
