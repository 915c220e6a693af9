/** A reminder of a message. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Dialog } from "../dialog.js";
import { Field } from "../form.js";
import { html, useState } from "../html.js";
import { notices, report } from "../notice.js";
import { When, inAnHour } from "../when.js";

/** @param {any} props */
export function Remind({ chat, message, close }) {
  const [at, setAt] = useState(inAnHour());
  const [note, setNote] = useState("");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = { message_id: message.id, scheduled_delivery_timestamp: at, note: note || undefined };
    if (!(await report(call("POST", "reminders", wanted)))) return;
    notices.show(t("remind.done"));
    close();
  };
  return html`
    <${Dialog} title=${t("action.remind")} close=${close}>
      <form onSubmit=${submit}>
        <${When} at=${at} set=${setAt} />
        <${Field} label=${t("remind.note")} value=${note} maxlength=${chat.state.max_reminder_note_length} onInput=${(/** @type {any} */ event) => setNote(event.target.value)} />
        <button type="submit" class="primary">${t("action.save")}</button>
      </form>
    <//>
  `;
}
