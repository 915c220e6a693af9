/** What waits: conversations with unread messages, and texts that were begun and not sent. */

import { placeOfDraft } from "../model/drafts.js";
import { Narrow, splitKey } from "../model/narrow.js";
import { Mark, Rows, fullTime, html, t, useModel } from "./kit.js";
import { titleOf } from "./topbar.js";

/** Unread conversations that are not muted; the newest first. @param {Chat} chat */
export function unreadPlaces(chat) {
  return chat.unread.places
    .map(({ place, count, newest }) => {
      const [channelId, rest] = splitKey(place);
      const topic = chat.unread.topics.get(place) ?? rest;
      const narrow = Narrow.at(channelId === null ? { people: rest.split(",").map(Number) } : { channelId, topic });
      return { place, count, newest, channelId, topic, narrow };
    })
    .filter(({ channelId, topic }) => channelId === null || !chat.isMuted(channelId, topic))
    .sort((a, b) => b.newest - a.newest);
}

/** @param {PageProps} props */
export function Inbox({ chat }) {
  const places = unreadPlaces(chat);
  return html`
    <div class="scroller inbox" tabindex="0">
      ${!places.length && html`<p class="none">${t("inbox.empty")}</p>`}
      <ul>
        ${places.map(
          ({ place, count, channelId, topic, narrow }) => html`
          <li key=${place}>
            <a href=${chat.link(narrow)} dir="auto">${
              channelId === null
                ? html`<b>${chat.names(narrow.people ?? [])}</b>`
                : html`<${Mark} channel=${chat.channels.get(channelId) ?? {}} /><b>${chat.channelName(channelId)}</b> › ${topic || t("topic.empty")}`
            }</a>
            <span class="count">${count}</span>
          </li>`,
        )}
      </ul>
    </div>
  `;
}

/** @param {PageProps} props */
export function Drafts({ chat }) {
  useModel(chat.drafts);
  const drafts = [...chat.drafts.known.values()].sort((a, b) => b.timestamp - a.timestamp);
  const entry = (/** @type {Draft} */ one) => {
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
