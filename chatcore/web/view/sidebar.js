/** The places on the left: views, direct messages, channels and their topics. */

import { Narrow } from "../model/narrow.js";
import { directKey, topicKey } from "../model/places.js";
import { Faces, Fragment, Mark, StatusEmoji, classes, html, overlay, t, useState } from "./kit.js";
import { NewDirect } from "./messages/new_direct.js";
import { useTopics } from "./messages/topic.js";

const RECENT = 8;
const TOPICS = 8;

/**
 * Views of all messages: a term, the text, and how many are unread.
 *
 * @type {[[string, string], TextName, ((chat: Chat) => number)?][]}
 */
const VIEWS = [
  [["in", "all"], "nav.all"],
  [["is", "mentioned"], "nav.mentions", (chat) => chat.unread.mentions.size],
  [["is", "starred"], "nav.starred"],
  [["is", "followed"], "nav.followed"],
];

export function Sidebar(/** @type {Props} */ { chat, narrow: here, page, isOpen }) {
  const shared = { chat, here };
  return html`
    <nav class=${classes("sidebar", isOpen && "open")} aria-label=${t("nav.main")}>
      <ul class="views">
        <${Entry} hash="#inbox" name=${t("nav.inbox")} count=${chat.unreadCount} isHere=${page === "inbox"} />
        ${VIEWS.map(
          ([term, name, count]) => html`<${NarrowEntry} key=${name} ...${shared}
          narrow=${Narrow.of(term)} name=${t(name)} count=${count?.(chat)} />`,
        )}
        <${Entry} hash="#people" name=${t("nav.people")} isHere=${page === "people"} />
      </ul>
      <${Direct} ...${shared} />
      <${Subscribed} ...${shared} />
    </nav>
  `;
}

function Entry({ hash, name, count = 0, isHere, isMuted = false, mark, note }) {
  return html`
    <li class=${classes("place", isHere && "here", isMuted && "muted")}>
      <a href=${hash} aria-current=${isHere ? "page" : undefined}>${mark}<span class="name" dir="auto">
        ${name}</span>${note}
      ${count > 0 && html`<span class="count">${count}</span>`}</a>
    </li>
  `;
}

const NarrowEntry = (/** @type {Props} */ { chat, here, narrow, ...more }) =>
  html`<${Entry} hash=${chat.link(narrow)} isHere=${here?.key === narrow.key} ...${more} />`;

function Direct(/** @type {Props} */ { chat, here }) {
  const entry = ({ user_ids }) => {
    const people = user_ids.length ? user_ids : [chat.me];
    const key = directKey(people);
    const facts = people.length === 1 && { chat, id: people[0] };
    return html`<${NarrowEntry} key=${key} chat=${chat} here=${here} narrow=${Narrow.at({ people })}
      name=${chat.names(people)} count=${chat.unread.count(key)}
      mark=${html`<${Faces} chat=${chat} people=${people} />`}
      note=${facts && html`<${StatusEmoji} ...${facts} />`} />`;
  };
  return html`
    <section>
      <h2><a href=${chat.link(Narrow.of(["is", "dm"]))}>${t("nav.direct")}</a>
        <button type="button" class="link" aria-label=${t("direct.new")} title=${t("direct.new")}
          onClick=${() => overlay.show(NewDirect)}>+</button></h2>
      <ul>${chat.conversations.slice(0, RECENT).map(entry)}</ul>
    </section>
  `;
}

function Subscribed(/** @type {Props} */ { chat, here }) {
  const channels = chat.openChannels.filter((one) => chat.subscribed.has(one.stream_id));
  channels.sort(
    (a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || Number(a.is_muted) - Number(b.is_muted),
  );
  const entry = (channel) => {
    const { stream_id: id, name, is_muted: isMuted } = channel;
    const count = chat.unmuted.counts.get(id);
    return html`
      <${Fragment} key=${id}>
        <${NarrowEntry} ...${{ chat, here, name, count, isMuted }} narrow=${Narrow.at({ channelId: id })}
          mark=${html`<${Mark} channel=${channel} />`} />
        ${here?.channelId === id && html`<${Topics} chat=${chat} here=${here} id=${id} />`}
      <//>`;
  };
  return html`
    <section>
      <h2><a href="#channels">${t("nav.channels")}</a></h2>
      ${!channels.length && html`<p class="none">${t("nav.none")}</p>`}
      <ul>${channels.map(entry)}</ul>
    </section>
  `;
}

function Topics(/** @type {Props} */ { chat, here, id }) {
  const [all, setAll] = useState(false);
  useTopics(chat, id);
  const known = chat.topics.of(id);
  const isHere = (name) => here.topic?.toLowerCase() === name.toLowerCase();
  const isBegun = here.topic !== undefined && !known.some(({ name }) => isHere(name));
  const topics = isBegun ? [{ name: here.topic }, ...known] : known; // it has no message yet
  const shown = topics.filter(({ name }, at) => all || at < TOPICS || isHere(name));
  const entry = ({ name }) => html`
    <${Entry} key=${name} hash=${chat.link(Narrow.at({ channelId: id, topic: name }))}
      name=${name || t("topic.empty")} count=${chat.unread.count(topicKey(id, name))}
      isHere=${isHere(name)} isMuted=${chat.isMuted(id, name)} />`;
  return html`
    <li><ul class="topics">
      ${shown.map(entry)}
      ${
        shown.length < topics.length &&
        html`<li><button type="button" class="link" onClick=${() => setAll(true)}>
          ${t("nav.more")}</button></li>`
      }
    </ul></li>
  `;
}
