/** The places on the left: views, direct messages, channels and their topics. */

import { Narrow, directKey, splitKey, topicKey } from "../model/narrow.js";
import { NewDirect } from "./direct.js";
import { Fragment, Mark, Presence, StatusEmoji, classes, html, overlay, t, useAnswer, useState } from "./kit.js";

const RECENT = 8;
const TOPICS = 8;

/** Views of all messages: a term, the text, and how many are unread. @type {[[string, string], TextName, ((chat: Chat) => number)?][]} */
const VIEWS = [
  [["in", "all"], "nav.all"],
  [["is", "mentioned"], "nav.mentions", (chat) => chat.unread.mentions.size],
  [["is", "starred"], "nav.starred"],
  [["is", "followed"], "nav.followed"],
];

/** @param {{chat: Chat, narrow: Narrow | null, page: string | null, isOpen: boolean}} props */
export function Sidebar({ chat, narrow: here, page, isOpen }) {
  const shared = { chat, here };
  return html`
    <nav class=${classes("sidebar", isOpen && "open")} aria-label=${t("nav.main")}>
      <ul class="views">
        <${Entry} hash="#inbox" name=${t("nav.inbox")} count=${chat.unreadCount} isHere=${page === "inbox"} />
        ${VIEWS.map(([term, name, count]) => html`<${NarrowEntry} key=${name} ...${shared} narrow=${Narrow.of(term)} name=${t(name)} count=${count?.(chat)} />`)}
        <${Entry} hash="#people" name=${t("nav.people")} isHere=${page === "people"} />
      </ul>
      <${Direct} ...${shared} />
      <${Subscribed} ...${shared} />
    </nav>
  `;
}

/** @typedef {{chat: Chat, here: Narrow | null}} Props */

/** @param {{hash: string, name: string, count?: number, isHere: boolean, isMuted?: boolean, mark?: unknown, note?: unknown}} props */
function Entry({ hash, name, count = 0, isHere, isMuted = false, mark, note }) {
  return html`
    <li class=${classes("place", isHere && "here", isMuted && "muted")}>
      <a href=${hash} aria-current=${isHere ? "page" : undefined}>${mark}<span class="name" dir="auto">${name}</span>${note}
      ${count > 0 && html`<span class="count">${count}</span>`}</a>
    </li>
  `;
}

/** @param {Props & {narrow: Narrow, [more: string]: unknown}} props */
function NarrowEntry({ chat, here, narrow, ...more }) {
  return html`<${Entry} hash=${chat.link(narrow)} isHere=${here?.key === narrow.key} ...${more} />`;
}

/** @param {Props} props */
function Direct({ chat, here }) {
  return html`
    <section>
      <h2><a href=${chat.link(Narrow.of(["is", "dm"]))}>${t("nav.direct")}</a>
        <button type="button" class="link" aria-label=${t("direct.new")} title=${t("direct.new")} onClick=${() => overlay.show(NewDirect)}>+</button></h2>
      <ul>
        ${chat.conversations.slice(0, RECENT).map(({ user_ids }) => {
          const people = user_ids.length ? user_ids : [chat.me];
          const key = directKey(people);
          const facts = people.length === 1 && { chat, id: people[0] };
          return html`<${NarrowEntry} key=${key} chat=${chat} here=${here} narrow=${Narrow.at({ people })} name=${chat.names(people)} count=${chat.unread.count(key)}
            mark=${facts && html`<${Presence} ...${facts} />`} note=${facts && html`<${StatusEmoji} ...${facts} />`} />`;
        })}
      </ul>
    </section>
  `;
}

/** @param {Props} props */
function Subscribed({ chat, here }) {
  const channels = chat.openChannels.filter((one) => chat.subscribed.has(one.stream_id));
  channels.sort((a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || Number(a.is_muted) - Number(b.is_muted));
  return html`
    <section>
      <h2><a href="#channels">${t("nav.channels")}</a></h2>
      ${!channels.length && html`<p class="none">${t("nav.none")}</p>`}
      <ul>
        ${channels.map((channel) => {
          const { stream_id: id, name, is_muted } = channel;
          return html`
          <${Fragment} key=${id}>
            <${NarrowEntry} chat=${chat} here=${here} narrow=${Narrow.at({ channelId: id })} name=${name} count=${chat.unreadIn(id)} isMuted=${is_muted}
              mark=${html`<${Mark} channel=${channel} />`} />
            ${here?.channelId === id && html`<${Topics} chat=${chat} here=${here} id=${id} />`}
          <//>`;
        })}
      </ul>
    </section>
  `;
}

/** @param {Props & {id: number}} props */
function Topics({ chat, here, id }) {
  const [all, setAll] = useState(false);
  const newest = Math.max(0, ...chat.unread.places.filter((one) => splitKey(one.place)[0] === id).map((one) => one.newest));
  const asked = useAnswer(`users/me/${id}/topics`, { parameters: { allow_empty_topic_name: true }, again: [newest, chat.moves, here?.topic], failed() {} });
  /** @type {{name: string, max_id: number}[]} */
  const topics = asked?.topics ?? [];
  const isHere = (/** @type {string} */ name) => here?.topic?.toLowerCase() === name.toLowerCase();
  const shown = all ? topics : topics.filter(({ name }, at) => at < TOPICS || isHere(name));
  return html`
    <li><ul class="topics">
      ${shown.map(
        ({ name }) => html`
        <${Entry} key=${name} hash=${chat.link(Narrow.at({ channelId: id, topic: name }))} name=${name || t("topic.empty")} count=${chat.unread.count(topicKey(id, name))}
          isHere=${isHere(name)} isMuted=${chat.isMuted(id, name)} />`,
      )}
      ${shown.length < topics.length && html`<li><button type="button" class="link" onClick=${() => setAll(true)}>${t("nav.more")}</button></li>`}
    </ul></li>
  `;
}
