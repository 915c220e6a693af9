/** Lists beside the inbox: recent and direct conversations, and texts that were begun and not sent. */

import { placeOfDraft } from "../../model/drafts.js";
import { Narrow } from "../../model/narrow.js";
import { directKey, keyOf, messageOf, othersOf, placeOf } from "../../model/places.js";
import { Icon, Rows, fullTime, html, overlay, t, useAnswer, useModel } from "../kit.js";
import { NewDirect } from "../messages/new.js";
import { titleOf } from "../titles.js";
import { Conversations } from "./conversations.js";

const LOOKED_AT = 400;

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

export function Drafts(/** @type {PageProps} */ { chat }) {
  useModel(chat.drafts);
  const drafts = [...chat.drafts.known.values()].sort((a, b) => b.timestamp - a.timestamp);
  const entry = (one) => {
    const narrow = Narrow.at({ topic: "", ...placeOfDraft(one) });
    const label = titleOf(chat, narrow, "drafts");
    return {
      key: one.id,
      label,
      name: one.type && html`<a href=${chat.link(narrow)} dir="auto">${label}</a>`,
      detail: html`<span class="beginning" dir="auto">${one.content}</span>${fullTime(one.timestamp)}`,
      buttons: [[t("drafts.delete"), () => chat.drafts.remove(one.id)]],
    };
  };
  return html`<div class="subpage scroller" tabindex="0">
    <${Rows} label=${t("nav.drafts")} items=${drafts} entry=${entry} none=${t("drafts.none")} /></div>`;
}
