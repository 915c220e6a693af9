/**
 * The page on the desktop: its title and icon, with the number of unread messages, its colours and language,
 * and notifications.
 */

import { POLICY } from "../model/chat.js";
import { plainText } from "../model/places.js";
import { isolated, joined } from "../text/direction.js";
import { chooseLanguage, language, t } from "../text/text.js";
import { useEffect, useLayoutEffect, useRef } from "./kit.js";
import { conversationOf } from "./messages/actions.js";

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const plain = icon.href;

export function useTitle(title, /** @type {Chat} */ chat) {
  const count = chat.unreadCount;
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ""}${title} · ${chat.state.realm_name}`;
  });
  useEffect(() => {
    const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="9" fill="#3b6fd4"/>
      <text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle"
        fill="#fff">${count > 99 ? "∞" : count}</text></svg>`;
    icon.href = count ? `data:image/svg+xml,${encodeURIComponent(image)}` : plain;
  }, [count]);
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

/** Whether the settings want a notification of a message. @param {Chat} chat @param {Message} message */
function isNotable(chat, { sender_id, stream_id: id, subject, flags }) {
  const { settings } = chat;
  if (sender_id === chat.me || flags.has("read")) return false;
  if (
    settings.enable_desktop_notifications &&
    (id === undefined || flags.has("mentioned") || flags.has("has_alert_word"))
  )
    return true;
  if (id === undefined) return false;
  const isFollowed = chat.policyOf(id, subject) === POLICY.FOLLOWED;
  if (isFollowed && settings.enable_followed_topic_desktop_notifications) return true;
  if (chat.isMuted(id, subject)) return false;
  const channel = chat.channels.get(id);
  const isWildcard = ["wildcard_mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"].some(
    (flag) => flags.has(flag),
  );
  const wildcardsCount =
    (channel?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify) ||
    (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify);
  if (isWildcard && wildcardsCount && settings.enable_desktop_notifications) return true;
  return channel?.desktop_notifications ?? settings.enable_stream_desktop_notifications;
}

export function useDesktopNotifications(/** @type {Chat} */ chat) {
  useEffect(() => {
    chat.onNewMessage = (message) => {
      if (globalThis.Notification?.permission !== "granted" || !isNotable(chat, message)) return;
      // A tab with the focus comes first, and leaves nothing to show for the others.
      if (document.hasFocus()) claim(chat, message, () => {});
      else setTimeout(() => claim(chat, message, show), OTHER_TABS);
    };
  }, [chat]);
}

/**
 * Call *then* in the first tab that asks. It keeps a lock for a while: tabs are processes of their own, whose
 * `localStorage` agree late.
 */
function claim(chat, message, then) {
  return navigator.locks.request(chat.ownName("notified") + message.id, { ifAvailable: true }, (lock) => {
    if (!lock) return;
    then(chat, message);
    return new Promise((resolve) => setTimeout(resolve, CLAIMED));
  });
}

function show(/** @type {Chat} */ chat, /** @type {Message} */ message) {
  const isDirect = message.stream_id === undefined;
  const place = isDirect
    ? ""
    : ` (${joined([`#${chat.channelName(message.stream_id)}`, message.subject || t("topic.empty")], " › ")})`;
  const isHidden = isDirect && !chat.settings.pm_content_in_desktop_notifications;
  const body = isHidden ? t("direct.new") : plainText(message).trim().slice(0, LONGEST);
  const notification = new Notification(`${isolated(chat.name(message.sender_id))}${place}`, {
    body,
    tag: `message-${message.id}`,
  });
  notification.onclick = () => {
    focus();
    location.hash = chat.link(conversationOf(chat, message).from(message.id));
    notification.close();
  };
}
