/** Dialogs about a message, also one that is not sent yet; loaded when the first of them is opened. */

import { mayMoveOut, mayRename } from "../../model/rights.js";
import { addressed } from "../../model/sending.js";
import { AtTime, Check, Choice, Content, Dialog, Field, FormDialog, Rows } from "../kit.js";
import { call, dayAndHour, emojiText, fullTime, html, named, notices } from "../kit.js";
import { personEntry, t, useAnswer, useState } from "../kit.js";
import { move, reactionsOf } from "./actions.js";
import { TopicOptions } from "./topic.js";

/** An answer without which a dialog has nothing to show. */
const useNeeded = (path, { message, close }, more = {}) =>
  useAnswer(`messages/${message.id}/${path}`, {
    ...more,
    failed(error) {
      notices.show(error.message);
      close();
    },
  });

/** The earlier versions of a message. @param {Props} props */
export function History(props) {
  const { chat, message, close } = props;
  const { content, subject, stream_id } = chat.messages.get(message.id) ?? message;
  const asked = { parameters: { allow_empty_topic_name: true }, again: [content, subject, stream_id] };
  const versions = (useNeeded("history", props, asked)?.message_history ?? []).toReversed();
  const version = (one) => {
    const isLast = one === versions.at(-1);
    const { prev_content: before, prev_stream: channel, prev_topic: topic } = one;
    const did = t(isLast && before === undefined ? "history.wrote" : "history.changed", {
      name: chat.name(one.user_id),
      time: fullTime(one.timestamp),
    });
    const moved = (from, to) => html`<p><del dir="auto">${from}</del> → <ins dir="auto">${to}</ins></p>`;
    return html`
      <li key=${one.timestamp}>
        <p class="faint">${did}</p>
        ${channel !== undefined && moved(`#${chat.channelName(channel)}`, `#${chat.channelName(one.stream)}`)}
        ${topic !== undefined && moved(topic || t("topic.empty"), one.topic || t("topic.empty"))}
        ${
          (isLast || before !== undefined) &&
          html`<${Content} content=${one.content_html_diff ?? one.rendered_content} />`
        }
      </li>`;
  };
  return html`<${Dialog} title=${t("action.history")} close=${close}><ol class="versions">
    ${versions.map(version)}</ol><//>`;
}

const Named = (/** @type {Props} */ { chat, label, ids }) =>
  html`<${Rows} label=${label} items=${ids.flatMap((id) => chat.people.get(id) ?? [])}
    entry=${personEntry} />`;

/** The people who read a message. @param {Props} props */
export function Readers(props) {
  const ids = useNeeded("read_receipts", props)?.user_ids;
  return html`
    <${Dialog} title=${t("action.readers")} close=${props.close}>
      ${
        ids?.length
          ? html`<${Named} chat=${props.chat} label=${t("action.readers")} ids=${ids} />`
          : html`<p>${t(ids ? "readers.none" : "list.loading")}</p>`
      }
    <//>
  `;
}

/** The people who reacted to a message. */
export function WhoReacted(/** @type {Props} */ { chat, message, close }) {
  const section = ([key, those]) => html`
    <section key=${key}><h3>${emojiText(chat, those[0])} :${those[0].emoji_name}:</h3>
    <${Named} chat=${chat} label=${those[0].emoji_name} ids=${those.map((one) => one.user_id)} /></section>`;
  const reactions = reactionsOf(chat.messages.get(message.id) ?? message);
  return html`<${Dialog} title=${t("action.reactions")} close=${close}>${[...reactions].map(section)}<//>`;
}

/** Moving messages to another topic or channel. */
export function Move(/** @type {Props} */ { chat, act, message, ofTopic = false, close }) {
  const id = /** @type {number} */ (message.stream_id);
  const [channel, setChannel] = useState(id);
  const [topic, setTopic] = useState(message.subject);
  const channels = chat.openChannels
    .filter((one) => chat.subscribed.has(one.stream_id) || !one.invite_only)
    .map((one) => [one.stream_id, one.name]);
  const modes = ["change_one", "change_later", "change_all"].map((one) => [one, named("move", one)]);
  const send = async ({ propagate_mode = "change_all", ...notes }) => {
    const { subject, stream_id } = chat.messages.get(message.id) ?? message;
    if (subject !== message.subject || stream_id !== id)
      throw new Error(t("move.elsewhere", { topic: subject || t("topic.empty") }));
    const fields = {
      propagate_mode,
      send_notification_to_old_thread: "old" in notes,
      send_notification_to_new_thread: "new" in notes,
    };
    return move(
      chat,
      message,
      { channelId: channel, topic: topic.trim() },
      fields,
      t("move.done"),
      act.goTo,
    ).catch(tooOld);
  };
  const done = () => {
    close();
    act.goTo(channel, topic.trim());
  };
  const form = {
    send,
    savedText: "",
    button: t("action.move"),
    isFixed: channel === id && topic === message.subject,
  };
  return html`
    <${FormDialog} title=${t(ofTopic ? "topic.move" : "action.move")} close=${close} done=${done} ...${form}>
      ${
        mayMoveOut(chat, id, message) &&
        html`<${Choice} label=${t("compose.channel")} value=${channel} set=${setChannel}
          options=${channels} />`
      }
      <${Field} label=${t("compose.topic")} value=${topic} list="topics-to-move-to"
        max=${chat.state.max_topic_length} disabled=${!mayRename(chat, id, message)} set=${setTopic} />
      <${TopicOptions} id="topics-to-move-to" chat=${chat} channel=${channel} />
      ${
        !ofTopic &&
        html`<${Choice} label=${t("list.messages")} name="propagate_mode" value="change_one"
          options=${modes} />`
      }
      <${Check} label=${t("move.note_new")} name="new" isOn />
      <${Check} label=${t("move.note_old")} name="old" isOn=${false} />
    <//>
  `;
}

function tooOld(error) {
  if (error.code !== "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED") throw error;
  throw new Error(
    t("move.too_old", {
      some: error.answer.total_messages_allowed_to_move,
      all: error.answer.total_messages_in_topic,
    }),
  );
}

/** Let the server do something at a *time*; a notice undoes it, and does what is `undone` then. */
async function schedule(path, /** @type {TextName} */ name, fields, time, undone = () => {}) {
  const answer = await call("POST", path, { ...fields, scheduled_delivery_timestamp: time });
  notices.show(`${t(name)}: ${dayAndHour(time)}`, async () => {
    await call("DELETE", `${path}/${answer.reminder_id ?? answer.scheduled_message_id}`);
    undone();
  });
}

/** Sending the text of a *place* later, *to* a conversation. What was changed in it meanwhile stays. */
export function SendLater(/** @type {Props} */ { chat: { drafts }, act, place, to, close }) {
  const send = async (time) => {
    const content = drafts.text(place);
    const putBack = () => drafts.append(place, content, to.topic);
    const fields = { ...addressed(to), content, read_by_sender: true };
    await schedule("scheduled_messages", "nav.later", fields, time, putBack);
    if (drafts.text(place) === content) drafts.take(place)();
    setTimeout(act.focus); // when the dialog is gone, as it keeps the focus
  };
  return html`<${AtTime} title=${t("later.send")} send=${send} close=${close} />`;
}

export function Remind(/** @type {Props} */ { chat, message, close }) {
  const send = (time, { note }) =>
    schedule("reminders", "later.reminder", { message_id: message.id, note }, time);
  return html`<${AtTime} title=${t("remind.title")} send=${send} close=${close}>
    <${Field} label=${t("remind.note")} name="note" max=${chat.state.max_reminder_note_length} /><//>`;
}
