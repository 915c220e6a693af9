/** The pages beside the lists of messages: the inbox, and modules that are loaded when first opened. */

import { Narrow, decodePart } from "../../model/narrow.js";
import { invites } from "../../model/rights.js";
import { Icon, html, isUploaded, t, useLater, useState } from "../kit.js";
import { markRead } from "../places/actions.js";
import { PAGES } from "../titles.js";
import { Conversations } from "./conversations.js";

/** @type {Record<keyof typeof PAGES, () => Promise<(props: PageProps) => unknown>>} */
const LOADED = {
  inbox: async () => Inbox,
  recent: async () => (await import("./lists.js")).Recent,
  direct: async () => (await import("./lists.js")).Direct,
  channels: async () => (await import("../channels/page.js")).Channels,
  people: async () => (await import("./people.js")).People,
  groups: async () => (await import("./groups.js")).Groups,
  organization: async () => (await import("../organization/page.js")).Organization,
  drafts: async () => (await import("./lists.js")).Drafts,
  later: async () => (await import("./lists.js")).Later,
  settings: async () => (await import("../settings/page.js")).Settings,
};

/** The name of an address's page, or else the inbox, and the parts after it. @param {string} hash */
export function pageOf(hash) {
  const [name, ...parts] = hash.replace(/^#/, "").split("/").map(decodePart);
  return Object.hasOwn(PAGES, name) ? { name, parts } : { name: "inbox", parts: [] };
}

/** Those whose lists can be read and searched without the server. */
const LISTS = ["channels", "people", "groups"];

/** A page. As long as the server is away, nothing on it can be changed. */
export function Page({ name, ...props }) {
  const [loaded, setLoaded] = useState(null);
  useLater(LOADED[name], (view) => setLoaded({ name, view }), [name]);
  const isFixed = props.chat.keptAt > 0 && !(LISTS.includes(name) && !props.parts.length);
  const view = loaded?.name === name && html`<${loaded.view} ...${props} />`;
  return html`<fieldset class="whole" role="none" disabled=${isFixed}>${view}</fieldset>`;
}

const NEW = 14 * 24 * 3600 * 1000;

/** Unread conversations that are not muted, the newest first, and their places. @param {Chat} chat */
export const unreadPlaces = (chat) =>
  chat.unmuted.places
    .map(({ channelId, topic, people, ...more }) => ({ ...more, place: { channelId, topic, people } }))
    .sort((a, b) => b.newest - a.newest);

/** Conversations with unread messages. */
function Inbox(/** @type {PageProps} */ { chat }) {
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
