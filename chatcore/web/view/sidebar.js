/** The places on the left: views, direct messages, channels and their topics. */

import { Narrow } from "../model/narrow.js";
import { directKey, othersOf, placeNamed, topicKey } from "../model/places.js";
import { Faces, Fragment, Icon, Mark, Menu, StatusEmoji } from "./kit.js";
import { classes, html, language, overlay, t, useEffect, useKept, useState } from "./kit.js";
import { NewDirect } from "./messages/new.js";
import { useTopics } from "./messages/topic.js";
import { OwnMenu } from "./own_menu.js";
import { placeItems } from "./places/actions.js";
import { PAGES } from "./titles.js";

const RECENT = 8;
const TOPICS = 8;
/** How many places are rendered at once: more than a window shows; and in ms, when as many more are. */
const [STEP, PAUSE] = [60, 100];

/**
 * Views of all messages: a term, the text, the icon, and how many are unread.
 *
 * @type {[[string, string], TextName, string, ((chat: Chat) => number)?][]}
 */
const VIEWS = [
  [["in", "all"], "nav.all", "messages-square"],
  [["is", "mentioned"], "nav.mentions", "at-sign", (chat) => chat.unread.mentions.size],
  [["is", "starred"], "nav.starred", "star"],
  [["is", "followed"], "nav.followed", "bell"],
];

export function Sidebar(/** @type {Props} */ { chat, narrow: here, page, isOpen, logOut, act }) {
  const drafts = useDrafts(chat);
  const shared = { chat, here, act, drafts };
  const { scheduled_messages: messages = [], reminders = [] } = chat.state;
  const failed = messages.filter((one) => one.failed).length;
  const entry = (/** @type {keyof typeof PAGES} */ name, more = {}) =>
    html`<${Entry} hash=${`#${name}`} name=${t(PAGES[name].title)} isHere=${page === name}
      mark=${html`<${Icon} name=${PAGES[name].icon} />`} ...${more} />`;
  return html`
    <nav class=${classes("sidebar", isOpen && "open")} aria-label=${t("nav.main")}>
      <${OwnMenu} chat=${chat} logOut=${logOut} />
      <ul class="views">
        ${entry("inbox", { count: chat.unreadCount })}
        ${entry("recent")}
        ${VIEWS.map(
          ([term, name, icon, count]) => html`<${NarrowEntry} key=${name} ...${shared}
          narrow=${Narrow.of(term)} name=${t(name)} mark=${html`<${Icon} name=${icon} />`}
          count=${count?.(chat)} called=${count?.(chat)} />`,
        )}
        ${entry("drafts", { note: drafts.length > 0 && html`<span class="faint">${drafts.length}</span>` })}
        ${(messages.length + reminders.length || page === "later") && entry("later", { called: failed })}
        ${entry("people")}
      </ul>
      <${Direct} ...${shared} />
      <${Subscribed} ...${shared} />
    </nav>
  `;
}

/** The keys of conversations that have a draft; not rendered for each letter of one. @param {Chat} chat */
function useDrafts({ drafts }) {
  const [keys, setKeys] = useState("");
  useEffect(() => {
    const look = () => setKeys(drafts.keys.join("\n"));
    look();
    return drafts.observe(look);
  }, [drafts]);
  return keys ? keys.split("\n") : [];
}

const draftSign = () => html`<span class="faint" role="img" aria-label=${t("drafts.one")}
  title=${t("drafts.one")}><${Icon} name="pencil" /></span>`;

/**
 * A place with unread messages is bold. How many there are is shown for those that call the reader
 * (`called`), direct messages and mentions; for others a dot says that there are some.
 */
function Entry({ hash, name, count = 0, called = 0, isHere, isMuted = false, mark, note, items }) {
  const states = [isHere && "here", isMuted && "muted", (called || (count && !isMuted)) && "unread"];
  const unread = t("nav.unread", { count });
  // Menus of all places would take most of the time of rendering.
  const [isReached, setReached] = useState(false);
  const reach = () => setReached(true);
  return html`
    <li class=${classes("place", ...states.map((one) => one || ""))} onPointerEnter=${reach}
      onFocusIn=${reach}>
      <a href=${hash} aria-current=${isHere ? "page" : undefined}>${mark}<span class="name" dir="auto">
        ${name}</span>${note}
      ${
        called > 0
          ? html`<span class="count">${called}</span>`
          : count > 0 && html`<span class="dot" role="img" aria-label=${unread} title=${unread}></span>`
      }</a>
      ${isReached && items && html`<${Menu} label=${t("place.menu", { name })} items=${items} />`}
    </li>
  `;
}

const NarrowEntry = (/** @type {Props} */ { chat, here, narrow, ...more }) =>
  html`<${Entry} hash=${chat.link(narrow)} isHere=${here?.key === narrow.key} ...${more} />`;

/**
 * A part of the places, which the reader folds for this browser: then it has only what `stays` says, with
 * unread messages or shown.
 */
function Section({ chat, name, title, href, more, items, stays, isAt, entry, none }) {
  const key = chat.ownName("folded") + name;
  const [isFolded, setFolded] = useState(() => localStorage.getItem(key) !== null);
  const fold = () => {
    if (isFolded) localStorage.removeItem(key);
    else localStorage.setItem(key, "yes");
    setFolded(!isFolded);
  };
  const [count, setCount] = useState(STEP);
  const shown = isFolded ? items.filter(stays) : items;
  const isWhole = count >= shown.length;
  useEffect(() => {
    const timer = isWhole ? 0 : setTimeout(() => setCount(count + STEP), PAUSE);
    return () => clearTimeout(timer);
  }, [count, isWhole]);
  return html`
    <section class=${classes(isFolded && "folded")}>
      <h2><button type="button" class="plain" onClick=${fold} aria-expanded=${!isFolded}
          aria-label=${title}><${Icon} name="chevron-down" /></button>
        <a href=${href}>${title}</a>${more}</h2>
      ${none}
      <ul>${shown.filter((one, index) => index < count || isAt(one)).map(entry)}</ul>
    </section>
  `;
}

function Direct(/** @type {Props} */ { chat, here, act, drafts }) {
  const shown = here?.isWhole && here.people?.every((id) => chat.people.has(id)) ? [here.people] : [];
  const listed = [...chat.conversations.slice(0, RECENT).map((one) => one.user_ids), ...shown].map((ids) => {
    const people = ids.length ? othersOf(ids, chat.me) : [chat.me];
    const key = directKey(people);
    return { people, key, count: chat.unread.count(key), narrow: Narrow.at({ people }) };
  });
  const items = listed.filter((one, at) => listed.findIndex(({ key }) => key === one.key) === at);
  const entry = ({ people, key, count, narrow }) => html`
    <${NarrowEntry} key=${key} ...${{ chat, here, narrow, count }}
      items=${() => placeItems(chat, { people }, act)} called=${count} name=${chat.names(people)}
      mark=${html`<${Faces} chat=${chat} people=${people} />`}
      note=${[
        people.length === 1 && html`<${StatusEmoji} chat=${chat} id=${people[0]} />`,
        here?.key !== narrow.key && drafts.includes(key) && draftSign(),
      ]} />`;
  const begin = html`
    <button type="button" class="plain" aria-label=${t("direct.new")} title=${t("direct.new")}
      onClick=${() => overlay.show(NewDirect)}><${Icon} name="plus" /></button>`;
  const isAt = ({ narrow }) => here?.key === narrow.key;
  return html`<${Section} ...${{ chat, items, entry, isAt }} name="direct" title=${t("nav.direct")}
    more=${begin} href=${chat.link(Narrow.of(["is", "dm"]))}
    stays=${(one) => one.count > 0 || isAt(one)} />`;
}

function Subscribed(/** @type {Props} */ { chat, here, act, drafts }) {
  const channels = chat.openChannels.filter((one) => chat.subscribed.has(one.stream_id));
  channels.sort(
    (a, b) => Number(a.is_muted) - Number(b.is_muted) || Number(b.pin_to_top) - Number(a.pin_to_top),
  );
  const calls = new Map();
  for (const [key, count] of chat.unread.calls) {
    const { channelId } = placeNamed(key);
    calls.set(channelId, (calls.get(channelId) ?? 0) + count);
  }
  const drafted = new Set(drafts.map((key) => placeNamed(key).channelId));
  const kept = useKept();
  const isAt = (channel) => here?.channelId === channel.stream_id;
  const entry = (channel) => {
    const { stream_id: id, name, is_muted: isMuted } = channel;
    const note = drafted.has(id) && !isAt(channel) && draftSign();
    const facts = { chat, name, count: chat.unmuted.counts.get(id), called: calls.get(id), isMuted, note };
    const make = () => html`
      <${Fragment} key=${id}>
        <${NarrowEntry} ...${{ here, ...facts }} narrow=${Narrow.at({ channelId: id })}
          items=${() => placeItems(chat, { channelId: id }, act)}
          mark=${html`<${Mark} channel=${channel} />`} />
        ${isAt(channel) && html`<${Topics} ...${{ chat, here, id, act, drafts }} />`}
      <//>`;
    return isAt(channel) ? make() : kept(id, [channel, act, language, ...Object.values(facts)], make);
  };
  const stays = (one) => chat.unmuted.counts.has(one.stream_id) || calls.has(one.stream_id) || isAt(one);
  return html`<${Section} ...${{ chat, stays, isAt, entry }} items=${channels} name="channels"
    href="#channels" title=${t("nav.channels")}
    none=${!channels.length && html`<p class="none">${t("nav.none")}</p>`} />`;
}

function Topics(/** @type {Props} */ { chat, here, id, act, drafts }) {
  const [all, setAll] = useState(false);
  useTopics(chat, id);
  const known = chat.topics.of(id);
  const isHere = (name) => here.topic?.toLowerCase() === name.toLowerCase();
  const isBegun = here.topic !== undefined && !known.some(({ name }) => isHere(name));
  const topics = isBegun ? [{ name: here.topic }, ...known] : [...known]; // it has no message yet
  const isMuted = ({ name }) => chat.isMuted(id, name);
  topics.sort((a, b) => Number(isMuted(a)) - Number(isMuted(b)));
  const shown = topics.filter(({ name }, at) => all || at < TOPICS || isHere(name));
  const { calls } = chat.unread;
  const entry = ({ name }) => html`
    <${Entry} key=${name} hash=${chat.link(Narrow.at({ channelId: id, topic: name }))}
      name=${name || t("topic.empty")} count=${chat.unread.count(topicKey(id, name))}
      called=${calls.get(topicKey(id, name))} isHere=${isHere(name)} isMuted=${isMuted({ name })}
      note=${!isHere(name) && drafts.includes(topicKey(id, name)) && draftSign()}
      items=${() => placeItems(chat, { channelId: id, topic: name }, act)} />`;
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
