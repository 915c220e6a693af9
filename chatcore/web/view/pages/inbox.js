/** The inbox: conversations with unread messages. */

import { Narrow } from "../../model/narrow.js";
import { invites } from "../../model/rights.js";
import { Icon, html, isUploaded, t, useState } from "../kit.js";
import { markRead } from "../places/actions.js";
import { Conversations } from "./conversations.js";

const NEW = 14 * 24 * 3600 * 1000;

/** Unread conversations that are not muted, the newest first, and their places. @param {Chat} chat */
export const unreadPlaces = (chat) =>
  chat.unmuted.places
    .map(({ channelId, topic, people, ...more }) => ({ ...more, place: { channelId, topic, people } }))
    .sort((a, b) => b.newest - a.newest);

export function Inbox(/** @type {PageProps} */ { chat }) {
  const places = unreadPlaces(chat);
  const readAll = html`<p class="bar"><button type="button" onClick=${() => markRead(chat)}>
    ${t("topic.read")}</button></p>`;
  return html`
    <div class="scroller inbox" tabindex="0">
      <${Start} chat=${chat} />
      ${places.length ? readAll : html`<p class="none">${t("inbox.empty")}</p>`}
      <${Conversations} chat=${chat} items=${places} />
    </div>
  `;
}

/** First steps of those who are new, until they hide them. */
function Start({ chat }) {
  const key = chat.ownName("started");
  const [isDone, setDone] = useState(() => localStorage.getItem(key) !== null);
  const { date_joined, avatar_url } = chat.people.get(chat.me);
  if (isDone || Date.now() - Date.parse(date_joined) > NEW) return null;
  const hide = () => {
    localStorage.setItem(key, "yes");
    setDone(true);
  };
  const [first] = chat.openChannels.filter(({ stream_id: id }) => chat.subscribed.has(id));
  const hello = first && chat.link(Narrow.at({ channelId: first.stream_id }));
  const step = (icon, href, text) => html`<li><${Icon} name=${icon} /><a href=${href}>${text}</a></li>`;
  return html`
    <section class="start">
      <h2>${t("start.title")}</h2>
      <ul>
        ${!isUploaded(avatar_url) && step("user-round", "#settings/profile", t("start.picture"))}
        ${first && step("messages-square", hello, t("start.hello", { name: first.name }))}
        ${step("hash", "#channels", t("start.channels"))}
        ${invites(chat) && step("user-plus", "#organization/invitations", t("menu.invite"))}
      </ul>
      <button type="button" class="link" onClick=${hide}>${t("start.done")}</button>
    </section>
  `;
}
