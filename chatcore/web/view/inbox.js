/** The inbox: conversations with unread messages, and texts that were begun and not sent. */

import { placeOfDraft } from "../model/drafts.js";
import { Narrow } from "../model/narrow.js";
import { Mark, Rows, fullTime, html, t, useModel } from "./kit.js";
import { titleOf } from "./topbar.js";

/** Unread conversations that are not muted, the newest first, and their narrows. @param {Chat} chat */
export const unreadPlaces = (chat) => chat.unmuted.places.map((one) => ({ ...one, narrow: Narrow.at(one) })).sort((a, b) => b.newest - a.newest);

export function Inbox(/** @type {PageProps} */ { chat }) {
  const places = unreadPlaces(chat);
  const inChannel = (id, topic) =>
    html`<${Mark} channel=${chat.channels.get(id) ?? {}} /><b dir="auto">${chat.channelName(id)}</b> › <span dir="auto">${topic || t("topic.empty")}</span>`;
  return html`
    <div class="scroller inbox" tabindex="0">
      ${!places.length && html`<p class="none">${t("inbox.empty")}</p>`}
      <ul>
        ${places.map(
          ({ key, count, channelId, topic, people, narrow }) => html`
          <li key=${key}>
            <a href=${chat.link(narrow)}>${people ? html`<b dir="auto">${chat.names(people)}</b>` : inChannel(channelId, topic)}</a>
            <span class="count">${count}</span>
          </li>`,
        )}
      </ul>
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
  return html`<div class="subpage scroller" tabindex="0"><${Rows} label=${t("nav.drafts")} items=${drafts} entry=${entry} none=${t("drafts.none")} /></div>`;
}
