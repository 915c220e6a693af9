/** Dialogs about a message, loaded when the first of them is opened. */

import { ApiError } from "../api.js";
import { mayMoveOut, mayRename } from "../model/rights.js";
import { reactionsOf } from "./message_actions.js";
import { emojiText } from "./emoji.js";
import {
  Check,
  Choice,
  Content,
  Dialog,
  Field,
  Form,
  LongField,
  Rows,
  call,
  fullTime,
  html,
  named,
  notices,
  personEntry,
  t,
  useAnswer,
  useState,
} from "./kit.js";
import { TimeField, secondsOf } from "./later.js";

/** @typedef {{chat: Chat, act: PageActions, message: Message, close: () => void}} Props */

/** An answer without which a dialog has nothing to show. @param {string} path @param {Props} props */
const useNeeded = (path, { message, close }) =>
  useAnswer(`messages/${message.id}/${path}`, {
    parameters: { allow_empty_topic_name: path === "history" ? true : undefined },
    failed(error) {
      notices.show(error.message);
      close();
    },
  });

/** The earlier versions of a message. @param {Props} props */
export function History(props) {
  const { chat, close } = props;
  /** @type {any[]} */
  const versions = (useNeeded("history", props)?.message_history ?? []).toReversed();
  const changeOf = (/** @type {any} */ one) => {
    const isFirst = one.prev_content === undefined && one === versions.at(-1);
    return t(isFirst ? "history.wrote" : "history.changed", { name: chat.name(one.user_id), time: fullTime(one.timestamp) });
  };
  const moved = (/** @type {string} */ from, /** @type {string} */ to) => html`<p dir="auto"><del>${from}</del> → <ins>${to}</ins></p>`;
  return html`
    <${Dialog} title=${t("action.history")} close=${close}>
      <ol class="versions">
        ${versions.map(
          (one) => html`
          <li key=${one.timestamp}>
            <p class="faint">${changeOf(one)}</p>
            ${one.prev_stream !== undefined && moved(`#${chat.channelName(one.prev_stream)}`, `#${chat.channelName(one.stream)}`)}
            ${one.prev_topic !== undefined && moved(one.prev_topic || t("topic.empty"), one.topic || t("topic.empty"))}
            ${(one.prev_content !== undefined || one === versions.at(-1)) && html`<${Content} content=${one.content_html_diff ?? one.rendered_content} />`}
          </li>`,
        )}
      </ol>
    <//>
  `;
}

/** @param {{chat: Chat, label: string, ids: number[]}} props */
const Named = ({ chat, label, ids }) => html`<${Rows} label=${label} items=${ids.flatMap((id) => chat.people.get(id) ?? [])} entry=${personEntry} />`;

/** The people who read a message. @param {Props} props */
export function Readers(props) {
  /** @type {number[] | undefined} */
  const ids = useNeeded("read_receipts", props)?.user_ids;
  return html`
    <${Dialog} title=${t("action.readers")} close=${props.close}>
      ${ids?.length ? html`<${Named} chat=${props.chat} label=${t("action.readers")} ids=${ids} />` : html`<p>${t(ids ? "readers.none" : "list.loading")}</p>`}
    <//>
  `;
}

/** The people who reacted to a message. @param {Props} props */
export function WhoReacted({ chat, message, close }) {
  return html`
    <${Dialog} title=${t("action.reactions")} close=${close}>
      ${[...reactionsOf(chat.messages.get(message.id) ?? message)].map(
        ([key, those]) => html`
        <section key=${key}><h3>${emojiText(chat, those[0])} :${those[0].emoji_name}:</h3>
        <${Named} chat=${chat} label=${those[0].emoji_name} ids=${those.map((one) => one.user_id)} /></section>`,
      )}
    <//>
  `;
}

const REASONS = ["spam", "harassment", "inappropriate", "norms", "other"];
const MAX_REPORT_LENGTH = 1000;

/** A report to the moderators. @param {Props} props */
export function Report({ message, close }) {
  const [reason, setReason] = useState("spam");
  const send = (/** @type {object} */ fields) => call("POST", `messages/${message.id}/report`, { ...fields });
  return html`
    <${Dialog} title=${t("action.report")} close=${close}>
      <${Form} send=${send} said=${t("report.done")} done=${close} button=${t("report.send")}>
        <${Choice} label=${t("report.reason")} name="report_type" value=${reason} set=${setReason} options=${REASONS.map((one) => [one, named("report", one)])} />
        <${LongField} label=${t("field.description")} name="description" maxlength=${MAX_REPORT_LENGTH} required=${reason === "other"} />
      <//>
    <//>
  `;
}

/** @param {Props} props */
export function Remind({ chat, message, close }) {
  const send = (/** @type {Record<string, string>} */ { time, note }) =>
    call("POST", "reminders", { message_id: message.id, scheduled_delivery_timestamp: secondsOf(time), note: note || undefined });
  return html`
    <${Dialog} title=${t("action.remind")} close=${close}>
      <${Form} send=${send} said=${t("remind.done")} done=${close}>
        <${TimeField} />
        <${Field} label=${t("remind.note")} name="note" maxlength=${chat.state.max_reminder_note_length} />
      <//>
    <//>
  `;
}

/** Moving messages to another topic or channel. @param {Props & {ofTopic?: boolean}} props */
export function Move({ chat, act, message, ofTopic = false, close }) {
  const id = /** @type {number} */ (message.stream_id);
  const [channel, setChannel] = useState(id);
  const [topic, setTopic] = useState(message.subject);
  /** @type {{name: string}[]} */
  const topics = useAnswer(`users/me/${channel}/topics`, { parameters: { allow_empty_topic_name: true } })?.topics ?? [];
  const channels = chat.openChannels.filter((one) => chat.subscribed.has(one.stream_id) || !one.invite_only).map((one) => [one.stream_id, one.name]);
  const modes = ["change_one", "change_later", "change_all"].map((one) => [one, named("move", one)]);
  const send = (/** @type {Record<string, any>} */ { propagate_mode = "change_all", ...notes }) =>
    call("PATCH", `messages/${message.id}`, {
      stream_id: channel === id ? undefined : channel,
      topic: topic === message.subject ? undefined : topic,
      propagate_mode,
      send_notification_to_old_thread: "old" in notes,
      send_notification_to_new_thread: "new" in notes,
    }).catch(tooOld);
  const done = () => {
    close();
    act.goTo(channel, topic);
  };
  return html`
    <${Dialog} title=${t(ofTopic ? "topic.move" : "action.move")} close=${close}>
      <${Form} send=${send} said="" done=${done} button=${t("action.move")} isFixed=${channel === id && topic === message.subject}>
        ${mayMoveOut(chat, id, message) && html`<${Choice} label=${t("compose.channel")} value=${channel} set=${setChannel} options=${channels} />`}
        <${Field} label=${t("compose.topic")} value=${topic} list="topics-to-move-to" maxlength=${chat.state.max_topic_length} disabled=${!mayRename(chat, id, message)} set=${setTopic} />
        <datalist id="topics-to-move-to">${topics.map(({ name }) => html`<option key=${name} value=${name}></option>`)}</datalist>
        ${!ofTopic && html`<${Choice} label=${t("list.messages")} name="propagate_mode" value="change_one" options=${modes} />`}
        <${Check} label=${t("move.note_new")} name="new" isOn />
        <${Check} label=${t("move.note_old")} name="old" isOn=${false} />
      <//>
    <//>
  `;
}

/** @param {unknown} error @returns {never} */
function tooOld(error) {
  if (!(error instanceof ApiError) || error.code !== "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED") throw error;
  throw new Error(t("move.too_old", { some: error.answer.total_messages_allowed_to_move, all: error.answer.total_messages_in_topic }));
}
