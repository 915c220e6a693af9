/** The places on the left: views, direct messages, channels and their topics. */

import { call } from "../api.js";
import { splitPlace } from "../model/chat.js";
import { Narrow } from "../model/narrow.js";
import { t } from "../text/text.js";
import { Icon } from "./icon.js";
import { Presence, StatusEmoji } from "./presence.js";
import { classes, html, useEffect, useState } from "./html.js";

const RECENT = 8;
const TOPICS = 8;

/** @param {{chat: import("../model/chat.js").Chat, narrow: Narrow | null, page: string | null, isOpen: boolean}} props */
export function Sidebar({ chat, narrow, page, isOpen }) {
  return html`
    <nav class=${classes("sidebar", isOpen && "open")} aria-label=${t("nav.main")}>
      <ul class="views">
        <${Place} hash="#inbox" name=${t("nav.inbox")} count=${chat.unreadCount} isHere=${page === "inbox"} />
        <${View} chat=${chat} here=${narrow} terms=${[["in", "all"]]} name=${t("nav.all")} />
        <${View} chat=${chat} here=${narrow} terms=${[["is", "mentioned"]]} name=${t("nav.mentions")} count=${chat.unread.mentions.size} />
        <${View} chat=${chat} here=${narrow} terms=${[["is", "starred"]]} name=${t("nav.starred")} />
        <${View} chat=${chat} here=${narrow} terms=${[["is", "followed"]]} name=${t("nav.followed")} />
        <${Place} hash="#people" name=${t("nav.people")} isHere=${page === "people"} />
      </ul>
      <${Direct} chat=${chat} here=${narrow} />
      <${Channels} chat=${chat} here=${narrow} />
    </nav>
  `;
}

/** @param {any} props */
function View({ chat, here, terms, name, count = 0 }) {
  const narrow = Narrow.of(...terms);
  return html`<${Place} hash=${narrow.hash(chat.channelName.bind(chat))} name=${name} count=${count} isHere=${here?.key === narrow.key} />`;
}

/** @param {any} props */
function Place({ hash, name, count = 0, isHere, isMuted = false, mark = null, note = null }) {
  return html`
    <li class=${classes("place", isHere && "here", isMuted && "muted")}>
      <a href=${hash} aria-current=${isHere ? "page" : undefined}>${mark}<span class="name" dir="auto">${name}</span>${note}
      ${count > 0 && html`<span class="count">${count}</span>`}</a>
    </li>
  `;
}

/** @param {any} props */
function Direct({ chat, here }) {
  return html`
    <section>
      <h2><a href=${Narrow.of(["is", "dm"]).hash(String)}>${t("nav.direct")}</a></h2>
      <ul>
        ${chat.conversations.slice(0, RECENT).map((/** @type {any} */ one) => {
          const ids = one.user_ids.length ? one.user_ids : [chat.me];
          const narrow = Narrow.of(["dm", [...ids].sort((a, b) => a - b)]);
          const place = `dm:${[...ids].sort((a, b) => a - b).join(",")}`;
          return html`<${Place} key=${place} hash=${narrow.hash(String)} name=${ids.map((/** @type {number} */ id) => chat.name(id)).join(", ")}
            count=${chat.unread.count(place)} isHere=${here?.key === narrow.key} mark=${ids.length === 1 && html`<${Presence} chat=${chat} id=${ids[0]} />`}
            note=${ids.length === 1 && html`<${StatusEmoji} chat=${chat} id=${ids[0]} />`} />`;
        })}
      </ul>
    </section>
  `;
}

/** @param {any} props */
function Channels({ chat, here }) {
  const channels = [...chat.subscribed].map((id) => chat.channels.get(id)).filter((one) => one && !one.is_archived);
  channels.sort((a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || Number(a.is_muted) - Number(b.is_muted) || a.name.localeCompare(b.name));
  return html`
    <section>
      <h2><a href="#channels">${t("nav.channels")}</a></h2>
      ${!channels.length && html`<p class="none">${t("nav.none")}</p>`}
      <ul>
        ${channels.map((channel) => html`<${ChannelPlace} key=${channel.stream_id} chat=${chat} here=${here} channel=${channel} />`)}
      </ul>
    </section>
  `;
}

/** @param {any} props */
function ChannelPlace({ chat, here, channel }) {
  const id = channel.stream_id;
  const narrow = Narrow.of(["channel", id]);
  const name = (/** @type {number} */ one) => chat.channelName(one);
  const isOpen = here?.channelId === id;
  const mark = html`<span class="mark" aria-hidden="true" ref=${(/** @type {HTMLElement | null} */ element) => {
    element?.style.setProperty("color", channel.color);
  }}>${channel.invite_only ? html`<${Icon} name="lock" />` : "#"}</span>`;
  return html`
    <${Place} hash=${narrow.hash(name)} name=${channel.name} count=${chat.unreadIn(id)} isHere=${here?.key === narrow.key} isMuted=${channel.is_muted} mark=${mark} />
    ${isOpen && html`<${Topics} chat=${chat} here=${here} id=${id} />`}
  `;
}

/** @param {any} props */
function Topics({ chat, here, id }) {
  const [topics, setTopics] = useState(/** @type {{name: string, max_id: number}[]} */ ([]));
  const [all, setAll] = useState(false);
  const newest = Math.max(
    0,
    ...chat.unread.places.filter((/** @type {any} */ one) => splitPlace(one.place)[0] === id).map((/** @type {any} */ one) => one.newest),
  );
  useEffect(() => {
    let isGone = false;
    call("GET", `users/me/${id}/topics`, { allow_empty_topic_name: true }).then(
      (answer) => !isGone && setTopics(answer.topics),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [id, newest, chat.moves, here?.topic]);
  const shown = all ? topics : topics.filter((one, at) => at < TOPICS || one.name === here?.topic);
  return html`
    <li><ul class="topics">
      ${shown.map(({ name }) => {
        const narrow = Narrow.of(["channel", id], ["topic", name]);
        return html`<${Place} key=${name} hash=${narrow.hash((one) => chat.channelName(one))} name=${name || t("topic.empty")}
          count=${chat.unread.count(`${id}:${name.toLowerCase()}`)} isHere=${here?.topic?.toLowerCase() === name.toLowerCase()} isMuted=${chat.isMuted(id, name)} />`;
      })}
      ${shown.length < topics.length && html`<li><button type="button" class="link" onClick=${() => setAll(true)}>${t("nav.more")}</button></li>`}
    </ul></li>
  `;
}
