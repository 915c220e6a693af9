/** Lists beside the inbox: recent and direct conversations, drafts, and what waits until its time. */

import { seen } from "../../api.js";
import { placeOfDraft } from "../../model/drafts.js";
import { Narrow } from "../../model/narrow.js";
import { directKey, keyOf, messageOf, othersOf, placeOf, plainText } from "../../model/places.js";
import { parted } from "../../model/written.js";
import { AtTime, Content, Icon, LongField, Rows, call, fullTime, html } from "../kit.js";
import { overlay, report, t, useAnswer, useModel } from "../kit.js";
import { NewDirect } from "../messages/new.js";
import { titleOf } from "../titles.js";
import { Beginning, Conversations, useMessages } from "./conversations.js";

const LOOKED_AT = 400;
const LABEL = 80;

/** The newest messages of all that the reader has not muted. */
const NEWEST = {
  anchor: "newest",
  num_before: LOOKED_AT,
  num_after: 0,
  narrow: [{ operator: "in", operand: "home" }],
  client_gravatar: false,
  allow_empty_topic_name: true,
};

/** All conversations in which something was said lately, the newest first. */
export function Recent(/** @type {PageProps} */ { chat }) {
  const answer = useAnswer("messages", { parameters: NEWEST, again: [chat.queueId, chat.topicChanges] });
  /** @type {Map<string, any>} */ const conversations = new Map();
  const messages = [...(answer?.messages ?? []).map(messageOf), ...chat.messages.values()].sort(
    (a, b) => b.id - a.id,
  );
  for (const message of messages) {
    const place = placeOf(message, chat.me);
    const key = keyOf(place);
    const isMuted = place.channelId !== undefined && chat.isMuted(place.channelId, place.topic);
    if (!conversations.has(key) && !isMuted)
      conversations.set(key, { key, place, message, count: chat.unread.count(key) });
  }
  return html`
    <div class="scroller inbox" tabindex="0">
      ${answer && !messages.length && html`<p class="none">${t("rows.empty")}</p>`}
      <${Conversations} chat=${chat} items=${[...conversations.values()]} />
    </div>
  `;
}

/** All direct conversations, the newest first. */
export function Direct(/** @type {PageProps} */ { chat }) {
  const items = chat.conversations.map(({ user_ids: ids, max_message_id: newest }) => {
    const people = ids.length ? othersOf(ids, chat.me) : [chat.me];
    const key = directKey(people);
    return { key, place: { people }, newest, count: chat.unread.count(key) };
  });
  return html`
    <div class="scroller inbox" tabindex="0">
      <p class="bar"><button type="button" class="with-icon"
        onClick=${() => overlay.show(NewDirect)}><${Icon} name="plus" />
        ${t("direct.new")}</button></p>
      ${!items.length && html`<p class="none">${t("direct.none")}</p>`}
      <${Conversations} chat=${chat} items=${items} />
    </div>
  `;
}

/** The row of a text that waits in a conversation. */
function textEntry(chat, one, key, time) {
  const narrow = Narrow.at({ topic: "", ...placeOfDraft(one) });
  const name = one.type && titleOf(chat, narrow, "drafts");
  const { body, files } = parted(one.content);
  const names = files.map(
    (file) => html`<span class="with-icon"><${Icon} name="paperclip" />${file.name}</span>`,
  );
  const detail = html`<span class="beginning" dir="auto">${body}</span>${names} ${fullTime(time)}`;
  const label = (body || files[0]?.name || "").slice(0, LABEL);
  return { key, label, name, href: one.type && chat.link(narrow), detail };
}

export function Drafts(/** @type {PageProps} */ { chat }) {
  useModel(chat.drafts);
  const drafts = [...chat.drafts.known.values()].sort((a, b) => b.timestamp - a.timestamp);
  const entry = (one) => ({
    ...textEntry(chat, one, one.id, one.timestamp),
    buttons: [[t("drafts.delete"), () => chat.drafts.remove(one.id)]],
  });
  return html`<div class="subpage scroller" tabindex="0">
    <${Rows} label=${t("nav.drafts")} items=${drafts} entry=${entry} none=${t("drafts.none")} /></div>`;
}

/** Changing the text and the time of a message that will be sent. */
function EditLater({ chat, id, one, close }) {
  const send = async (time, { content }) => {
    const fields = { content, scheduled_delivery_timestamp: time, ...(await seen(one.content)) };
    await call("PATCH", `scheduled_messages/${id}`, fields);
  };
  return html`<${AtTime} title=${t("action.edit")} button=${t("action.save")}
    before=${one.scheduled_delivery_timestamp} send=${send} close=${close}>
    <${LongField} label=${t("compose.label")} name="content" required max=${chat.state.max_message_length}
      rows="5" defaultValue=${one.content} /><//>`;
}

/** Messages that will be sent, and reminders, the first due first. */
export function Later(/** @type {PageProps} */ { chat }) {
  const { scheduled_messages: messages = [], reminders = [] } = chat.state; // older ones are kept without
  const timeOf = (one) => one.scheduled_delivery_timestamp;
  const find = useMessages(
    chat,
    reminders.map((one) => one.reminder_target_message_id),
  );
  const removal = (kind, id) => [t("action.delete"), () => report(call("DELETE", `${kind}/${id}`))];
  const message = (/** @type {Api.ScheduledMessageObject} */ { scheduled_message_id: id, ...one }) => {
    const row = textEntry(chat, one, id, timeOf(one));
    const edit = () => overlay.show(EditLater, { id, one });
    const tags = [one.failed && t("later.failed")];
    return { ...row, tags, buttons: [[t("action.edit"), edit], removal("scheduled_messages", id)] };
  };
  const reminder = (/** @type {Api.ReminderObject} */ { reminder_id: id, ...one }) => {
    const of = find(one.reminder_target_message_id);
    const beginning = of && html`<${Beginning} chat=${chat} message=${of} />`;
    return {
      key: `reminder ${id}`,
      name: t("later.reminder"),
      label: plainText({ content: one.rendered_content }),
      detail: html`<${Content} content=${one.rendered_content} />${beginning} ${fullTime(timeOf(one))}`,
      buttons: [removal("reminders", id)],
    };
  };
  const items = [...messages, ...reminders].sort((a, b) => timeOf(a) - timeOf(b));
  const entry = (one) => ("reminder_id" in one ? reminder(one) : message(one));
  return html`<div class="subpage scroller" tabindex="0">
    <${Rows} label=${t("nav.later")} items=${items} entry=${entry} none=${t("later.none")} /></div>`;
}
