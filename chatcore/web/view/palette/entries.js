/** What the palette finds: places, people, groups, commands, and messages. */

import { Narrow } from "../../model/narrow.js";
import { aboutOf, keyOf, messageOf, othersOf, plainText, recentPlaces } from "../../model/places.js";
import { invites, may } from "../../model/rights.js";
import { fold, termsOf } from "../../model/search.js";
import { KeyHelp } from "../keys.js";
import { Avatar, Faces, Icon, Mark, StatusDialog } from "../kit.js";
import { call, callMessages, groupName, html, overlay, report, t } from "../kit.js";
import { useEffect, useLater, useRef, useState } from "../kit.js";
import { conversationOf } from "../messages/actions.js";
import { NewDirect } from "../messages/new.js";
import { markRead } from "../places/actions.js";
import { PAGES, titleOf } from "../titles.js";

/** The weight of the place where the reader was last; older ones have less. */
const LAST = 9;
/** Channels whose topics are asked for. */
const MOST = 40;

/**
 * @typedef {{
 *   key: string, name: string, note?: string, mark: () => unknown, run: () => void, recent?: number,
 * } & import("../../model/search.js").Findable} Entry what can be found, and what happens when it is chosen;
 *   `recent` is 0 for the last place of the reader, 1 for the one before, …
 */

const go = (hash) => () => void (location.hash = hash);
const icon = (name) => () => html`<${Icon} name=${name} />`;

/** @param {Chat} chat @param {() => void} logOut @returns {Entry[]} */
export function entriesOf(chat, logOut) {
  const recents = recencies(chat);
  const entry = (key, name, rest, weight = 0) => {
    const recent = recents.get(key);
    const more = recent === undefined ? weight : Math.max(1, LAST - recent / 4);
    return { key, name, folded: fold(name), recent, ...rest, weight: more };
  };
  return [
    ...channels(chat, entry),
    ...topics(chat, entry),
    ...people(chat, entry),
    ...groups(chat, entry),
    ...commands(chat, logOut).map(([name, sign, run]) =>
      entry(`command ${name}`, name, { note: t("palette.command"), mark: icon(sign), run }),
    ),
  ];
}

const channelKey = (id) => `channel ${id}`;

/** How many places are newer, by keys: first those where the reader was, then those of messages. */
function recencies(chat) {
  const keys = [
    ...recentPlaces(chat)
      .filter((one) => chat.link(Narrow.at(one)) !== location.hash) // where the reader is already
      .map((one) =>
        one.channelId !== undefined && one.topic === undefined ? channelKey(one.channelId) : keyOf(one),
      ),
    ...chat.conversations.map(({ user_ids }) => keyOf({ people: othersOf([...user_ids], chat.me) })),
  ];
  return new Map([...new Set(keys)].map((key, at) => [key, at]));
}

function* channels(/** @type {Chat} */ chat, entry) {
  for (const channel of chat.channels.values()) {
    if (channel.is_archived) continue;
    const isIn = chat.subscribed.has(channel.stream_id);
    const run = go(chat.link(Narrow.at({ channelId: channel.stream_id })));
    const rest = { note: aboutOf(channel), mark: () => html`<${Mark} channel=${channel} />`, run };
    yield entry(channelKey(channel.stream_id), channel.name, rest, isIn && !channel.is_muted ? 1 : 0);
  }
}

/** Load the topics of the reader's channels, so that they are found: of many, those of the first ones. */
export async function loadTopics(/** @type {Chat} */ chat, isWanted) {
  const those = chat.openChannels.filter((one) => chat.subscribed.has(one.stream_id) && !one.is_muted);
  for (const one of those.slice(0, MOST))
    if (isWanted()) await chat.topics.load(one.stream_id).catch(() => {});
  return performance.now();
}

/** Whether a channel of which all topics are known has none of this name. */
function isGone(/** @type {Chat} */ { topics }, channelId, topic) {
  const isSame = ({ name }) => name.toLowerCase() === topic.toLowerCase();
  return topics.hasAll(channelId) && !topics.of(channelId).some(isSame);
}

/** Those that are known: of channels that were opened, with unread messages, and where the reader was. */
function* topics(/** @type {Chat} */ chat, entry) {
  const places = [
    ...recentPlaces(chat),
    ...chat.unread.places,
    ...chat.topics.all.flatMap(([channelId, those]) => those.map(({ name }) => ({ channelId, topic: name }))),
  ];
  const seen = new Set();
  for (const { channelId = 0, topic } of places) {
    const channel = chat.channels.get(channelId);
    const key = keyOf({ channelId, topic });
    if (!channel || topic === undefined || seen.has(key) || isGone(chat, channelId, topic)) continue;
    seen.add(key);
    const rest = {
      note: `#${channel.name}`,
      mark: () => html`<${Mark} channel=${channel} />`,
      run: go(chat.link(Narrow.at({ channelId, topic }))),
    };
    yield entry(key, topic || t("topic.empty"), rest);
  }
}

function* people(/** @type {Chat} */ chat, entry) {
  const open = (ids) => go(chat.link(Narrow.at({ people: ids })));
  for (const person of chat.people.values()) {
    if (!person.is_active) continue;
    const mark = () => html`<${Avatar} person=${person} kind="small" />`;
    const [key, run] = [keyOf({ people: [person.user_id] }), open([person.user_id])];
    yield entry(key, person.full_name, { note: person.delivery_email ?? "", mark, run });
  }
  for (const { user_ids: ids } of chat.conversations) {
    if (ids.length < 2) continue;
    const mark = () => html`<${Faces} chat=${chat} people=${ids} />`;
    yield entry(keyOf({ people: ids }), chat.names(ids), { mark, run: open(ids) });
  }
}

function* groups(/** @type {Chat} */ chat, entry) {
  for (const one of chat.groups)
    if (!one.is_system_group && !one.deactivated) {
      const rest = { note: t("nav.groups"), mark: icon("users-round"), run: go(`#groups/${one.id}`) };
      yield entry(`group ${one.id}`, groupName(one), rest);
    }
}

const SETTINGS = /** @type {const} */ (["profile", "account", "notifications", "appearance", "sessions"]);
const THEMES = /** @type {const} */ ([1, 3, 2]);

/** Names, icons, and what they do. @param {Chat} chat @returns {[string, string, () => void][]} */
function commands(chat, logOut) {
  const of = (/** @type {TextName} */ title, /** @type {TextName} */ name) => `${t(title)}: ${t(name)}`;
  const theme = (value) => () => void report(call("PATCH", "settings", { color_scheme: value }));
  const creates =
    may(chat, "can_create_public_channel_group") || may(chat, "can_create_private_channel_group");
  const names = /** @type {(keyof typeof PAGES)[]} */ (Object.keys(PAGES));
  const all = [
    [t("direct.new"), "plus", () => overlay.show(NewDirect)],
    creates && [t("channels.new"), "plus", go("#channels/new")],
    [t("palette.read_all"), "check-check", () => void markRead(chat)],
    ...names.map((name) => [t(PAGES[name].title), PAGES[name].icon, go(`#${name}`)]),
    ...SETTINGS.map((one) => [of("settings.title", `settings.${one}`), "settings", go(`#settings/${one}`)]),
    ...THEMES.map((one) => [of("setting.color_scheme", `color_scheme.${one}`), "eye", theme(one)]),
    invites(chat) && [t("menu.invite"), "user-plus", go("#organization/invitations")],
    [t("status.title"), "face-slightly-smiling", () => overlay.show(StatusDialog)],
    [t("menu.keys"), "keyboard", () => overlay.show(KeyHelp)],
    [t("menu.log_out"), "log-out", logOut],
  ];
  return /** @type {[string, string, () => void][]} */ (all.filter(Boolean));
}

/** How many letters of a text, after how many ms without a key, find how many messages, cut to how many. */
const [SHORTEST, PAUSE, MESSAGES, LONGEST] = [3, 300, 5, 100];
/** How many letters at most are shown before the first word that was found; and a sign that no text has. */
const [BEFORE, FOUND] = [12, "\ue000"];

/** The newest messages that a text finds, once nobody types. @param {Chat} chat */
export function useFound(chat, text, pills) {
  const [found, setFound] = useState(/** @type {Message[]} */ ([]));
  const last = useRef(text);
  last.current = text;
  useEffect(() => () => void (last.current = null), []);
  const ask = async () => {
    await new Promise((done) => setTimeout(done, PAUSE));
    if (last.current !== text || text.trim().length < SHORTEST) return [];
    const narrow = termsOf(chat, text.trim(), pills);
    const newest = { anchor: "newest", num_before: MESSAGES, num_after: 0, narrow };
    return (await callMessages(newest)).messages.map(messageOf).toReversed();
  };
  useLater(ask, setFound, [text, pills], () => setFound([]));
  return found;
}

/** The part of a message with the first word that was found. @param {Message} message */
function foundPart({ match_content: matched, content }) {
  const marked = (matched || content).replace('<span class="highlight">', `$&${FOUND}`);
  const text = plainText({ content: marked }).replace(/\s+/g, " ");
  const at = text.indexOf(FOUND);
  const start = at > BEFORE ? Math.min(at, text.indexOf(" ", at - BEFORE) + 1 || at) : 0;
  return (start ? "… " : "") + text.slice(start).replace(FOUND, "").slice(0, LONGEST);
}

/** Messages with their conversations, in which they are opened. @param {Message[]} found  */
export const messagesOf = (/** @type {Chat} */ chat, found) =>
  found.map((message) => {
    const conversation = conversationOf(chat, message);
    const person = chat.people.get(message.sender_id) ?? {};
    return {
      key: `message ${message.id}`,
      name: titleOf(chat, conversation, ""),
      note: `${chat.name(message.sender_id)}: ${foundPart(message)}`,
      mark: () => html`<${Avatar} person=${person} kind="small" />`,
      run: () => void (location.hash = chat.link(conversation.from(message.id))),
    };
  });
