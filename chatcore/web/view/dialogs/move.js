/** Moving messages to another topic or channel. */

import { ApiError, call } from "../../api.js";
import { mayMoveOut, mayRename } from "../../model/message_rights.js";
import { t } from "../../text/text.js";
import { Dialog } from "../dialog.js";
import { Check, Choice, Field } from "../form.js";
import { html, useEffect, useState } from "../html.js";
import { report } from "../notice.js";

/** @param {any} props */
export function Move({ chat, act, message, ofTopic = false, close }) {
  const [channel, setChannel] = useState(message.stream_id);
  const [topic, setTopic] = useState(message.subject);
  const [mode, setMode] = useState(ofTopic ? "change_all" : "change_one");
  const [notes, setNotes] = useState({ old: false, new: true });
  const [topics, setTopics] = useState(/** @type {string[]} */ ([]));
  const [error, setError] = useState("");
  useEffect(() => {
    report(call("GET", `users/me/${channel}/topics`, { allow_empty_topic_name: true })).then((answer) =>
      setTopics(answer?.topics.map((/** @type {any} */ one) => one.name) ?? []),
    );
  }, [channel]);
  const channels = [...chat.channels.values()].filter((one) => !one.is_archived && (chat.subscribed.has(one.stream_id) || !one.invite_only));
  channels.sort((a, b) => a.name.localeCompare(b.name));

  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await call("PATCH", `messages/${message.id}`, {
        stream_id: channel === message.stream_id ? undefined : channel,
        topic: topic === message.subject ? undefined : topic,
        propagate_mode: mode,
        send_notification_to_old_thread: notes.old,
        send_notification_to_new_thread: notes.new,
      });
    } catch (failure) {
      setError(reason(failure));
      return;
    }
    close();
    act.goTo(channel, topic);
  };
  return html`
    <${Dialog} title=${t(ofTopic ? "topic.move" : "action.move")} close=${close}>
      <form onSubmit=${submit}>
        ${mayMoveOut(chat, message.stream_id, message) && html`<${Choice} label=${t("compose.channel")} value=${channel} set=${setChannel} options=${channels.map((one) => [one.stream_id, one.name])} />`}
        <${Field} label=${t("compose.topic")} value=${topic} list="topics-to-move-to" maxlength=${chat.state.max_topic_length} disabled=${!mayRename(chat, message.stream_id, message)}
          onInput=${(/** @type {any} */ event) => setTopic(event.target.value)} />
        <datalist id="topics-to-move-to">${topics.map((one) => html`<option key=${one} value=${one}></option>`)}</datalist>
        ${
          !ofTopic &&
          html`<${Choice} label=${t("move.which")} value=${mode} set=${setMode}
          options=${[["change_one", t("move.one")], ["change_later", t("move.later")], ["change_all", t("move.all")]]} />`
        }
        <${Check} label=${t("move.note_new")} isOn=${notes.new} set=${(/** @type {boolean} */ isOn) => setNotes({ ...notes, new: isOn })} />
        <${Check} label=${t("move.note_old")} isOn=${notes.old} set=${(/** @type {boolean} */ isOn) => setNotes({ ...notes, old: isOn })} />
        ${error && html`<p class="error" role="alert">${error}</p>`}
        <button type="submit" class="primary" disabled=${channel === message.stream_id && topic === message.subject}>${t("move.move")}</button>
      </form>
    <//>
  `;
}

/** @param {any} failure */
function reason(failure) {
  if (!(failure instanceof ApiError) || failure.code !== "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED") return failure.message;
  return t("move.too_old", { some: failure.answer.total_messages_allowed_to_move, all: failure.answer.total_messages_in_topic });
}
