/**
 * The page on the desktop: its title and icon, with the number of unread messages, its colours and language,
 * notifications and sounds.
 */

import { mayDisturb, settle } from "../device/notices.js";
import { POLICY } from "../model/chat.js";
import { Narrow } from "../model/narrow.js";
import { plainText } from "../model/places.js";
import { chooseLanguage, isolated, joined, language, t } from "../text/text.js";
import { useEffect, useLayoutEffect, useRef } from "./kit.js";
import { conversationOf } from "./messages/actions.js";

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const plain = icon.href;

export function useTitle(title, /** @type {Chat} */ chat) {
  const count = chat.unreadCount;
  const shown = `${count ? `(${count}) ` : ""}${title} · ${chat.state.realm_name}`;
  useEffect(() => {
    document.title = shown;
  }, [shown]);
  const sign = count > 99 ? "∞" : count;
  useEffect(() => {
    const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="9" fill="#3b6fd4"/>
      <text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle"
        fill="#fff">${sign}</text></svg>`;
    icon.href = sign ? `data:image/svg+xml,${encodeURIComponent(image)}` : plain;
  }, [sign]);
}

/** The values of the setting `color_scheme`. */
const COLORS = { 1: "", 2: "dark", 3: "light" };

export function usePreferences(/** @type {Chat} */ chat) {
  const { color_scheme: scheme, default_language: wanted } = chat.settings;
  const seen = useRef(wanted);
  useLayoutEffect(() => {
    const colors = COLORS[scheme] ?? "";
    localStorage.setItem("colors", colors);
    document.documentElement.style.colorScheme = colors;
  }, [scheme]);
  useLayoutEffect(() => {
    // Before it changes, the organization's default is no choice of this person, whose browser knows better.
    const isChosen = wanted !== seen.current || wanted !== chat.state.realm_default_language;
    seen.current = wanted;
    if (!isChosen || wanted === language) return;
    chooseLanguage(wanted);
    chat.changed();
  }, [wanted]);
}

const OTHER_TABS = 300;
const LONGEST = 200;
const CLAIMED = 60_000;
/** The value of `notification_sound` for no sound. */
const SILENCE = "none";

/**
 * The settings of each kind of signal: for what is addressed to the reader, and for all messages of followed
 * topics, of channels, and of one channel.
 */
const DESKTOP = {
  own: "enable_desktop_notifications",
  followed: "enable_followed_topic_desktop_notifications",
  channels: "enable_stream_desktop_notifications",
  channel: "desktop_notifications",
};
const SOUND = {
  own: "enable_sounds",
  followed: "enable_followed_topic_audible_notifications",
  channels: "enable_stream_audible_notifications",
  channel: "audible_notifications",
};

const WILDCARDS = ["wildcard_mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];
/** Whether the settings want a signal of a message. @param {Chat} chat @param {Message} message */
function isNotable(chat, { sender_id, stream_id: id, subject, flags }, /** @type {typeof DESKTOP} */ names) {
  const { settings } = chat;
  if (sender_id === chat.me || flags.has("read")) return false;
  if (settings[names.own] && (id === undefined || flags.has("mentioned") || flags.has("has_alert_word")))
    return true;
  if (id === undefined) return false;
  const isFollowed = chat.policyOf(id, subject) === POLICY.FOLLOWED;
  if (isFollowed && settings[names.followed]) return true;
  if (chat.isMuted(id, subject)) return false;
  const channel = chat.channels.get(id);
  const isWildcard = WILDCARDS.some((flag) => flags.has(flag));
  const wildcardsCount =
    (channel?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify) ||
    (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify);
  if (isWildcard && wildcardsCount && settings[names.own]) return true;
  return channel?.[names.channel] ?? settings[names.channels];
}

export function useNotifications(/** @type {Chat} */ chat) {
  useEffect(() => {
    chat.onNewMessage = (message) => {
      if (globalThis.Notification?.permission === "granted" && isNotable(chat, message, DESKTOP))
        signal(chat, `notified${message.id}`, () => show(chat, message));
      // A page that nobody has touched may play nothing, and leaves it to another.
      const canPlay = chat.settings.notification_sound !== SILENCE && navigator.userActivation?.hasBeenActive;
      if (canPlay && isNotable(chat, message, SOUND)) signal(chat, `played${message.id}`, playSound);
    };
  }, [chat]);
}

/** Of the sound of new messages, which needs no file. */
const TONES = [880, 1175];
const LENGTH = 0.18;
const LOUDNESS = 0.12;

/** @type {AudioContext | undefined} */
let player;

/** Play the sound. A browser permits it after the first click on a page; before that, it is silent. */
export function playSound() {
  const output = (player ??= new AudioContext());
  if (output.state !== "running") output.resume().catch(() => {});
  const now = output.currentTime;
  TONES.forEach((tone, at) => {
    const [start, end] = [now + (at * LENGTH) / 2, now + (at * LENGTH) / 2 + LENGTH];
    const [source, volume] = [new OscillatorNode(output, { frequency: tone }), new GainNode(output)];
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    source.connect(volume).connect(output.destination);
    source.start(start);
    source.stop(end);
  });
}

/** Give a signal that may disturb in one of the tabs. One with the focus comes first, and leaves nothing. */
function signal(chat, /** @type {string} */ name, /** @type {() => void} */ give) {
  if (document.hasFocus()) claim(chat, name, () => {});
  else setTimeout(() => claim(chat, name, async () => (await mayDisturb()) && give()), OTHER_TABS);
}

/**
 * Call *then* in the first tab that asks. It keeps a lock for a while: tabs are processes of their own, whose
 * `localStorage` agree late.
 */
function claim(chat, name, then) {
  return navigator.locks.request(chat.ownName(name), { ifAvailable: true }, (lock) => {
    if (!lock) return;
    then();
    return new Promise((resolve) => setTimeout(resolve, CLAIMED));
  });
}

/** Show a notice, whose worker does what a click wants; without a worker, a click leads to this page. */
async function show(/** @type {Chat} */ chat, /** @type {Message} */ message) {
  const isDirect = message.stream_id === undefined;
  const place = isDirect
    ? ""
    : ` (${joined([`#${chat.channelName(message.stream_id)}`, message.subject || t("topic.empty")], " › ")})`;
  const isHidden = isDirect && !chat.settings.pm_content_in_desktop_notifications;
  const body = isHidden ? t("direct.new") : plainText(message).slice(0, LONGEST);
  const title = `${isolated(chat.name(message.sender_id))}${place}`;
  const options = { body, tag: `message-${message.id}` };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!worker?.active) return void new Notification(title, options);
  if ((await worker.getNotifications()).some(({ data }) => data?.id === message.id)) return; // by the server
  const data = { id: message.id, path: chat.link(conversationOf(chat, message).from(message.id)) };
  await worker.showNotification(title, { ...options, data });
}

/** In ms: until then the first screen is there, and what follows does not delay it. */
const SETTLED = 2_000;
const keyAt = (hash) => Narrow.parse(hash)?.key;

/** Install the worker of the page, and do what it asks for. */
export function useDevice(/** @type {Chat} */ chat) {
  useEffect(() => {
    if (navigator.serviceWorker) navigator.serviceWorker.onmessage = onMessage;
    const timer = setTimeout(() => settle(chat).catch(console.warn), SETTLED);
    return () => clearTimeout(timer);
  }, [chat]);
}

/** Go to the message of a notice, or answer whether the reader sees its conversation. */
function onMessage(/** @type {any} */ { data: { open, shows }, ports: [port] }) {
  if (open) location.hash = open;
  port?.postMessage(!document.hidden && keyAt(shows) === (keyAt(location.hash) ?? ""));
}
