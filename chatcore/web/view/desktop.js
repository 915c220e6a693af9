/** Desktop notifications: of messages that the settings name, once in all tabs, and not while one has the focus. */

import { POLICY } from "../model/chat.js";
import { t } from "../text/text.js";
import { conversationOf } from "./message_actions.js";
import { useEffect } from "./html.js";

const OTHER_TABS = 300;
const LONGEST = 200;
const CLAIMED = 60_000;

/** Whether the settings want a notification of a message. @param {Chat} chat @param {Message} message */
function isNotable(chat, message) {
  const { settings } = chat;
  const has = (/** @type {string} */ flag) => message.flags.has(flag);
  if (message.sender_id === chat.me || has("read")) return false;
  const id = message.stream_id;
  if (settings.enable_desktop_notifications && (id === undefined || has("mentioned") || has("has_alert_word"))) return true;
  if (id === undefined) return false;
  const isFollowed = chat.policyOf(id, message.subject) === POLICY.FOLLOWED;
  if (isFollowed && settings.enable_followed_topic_desktop_notifications) return true;
  if (chat.isMuted(id, message.subject)) return false;
  /** @type {any} */
  const channel = chat.channels.get(id);
  const isWildcard = ["wildcard_mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"].some(has);
  const wildcardsCount =
    (channel?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify) || (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify);
  if (isWildcard && wildcardsCount && settings.enable_desktop_notifications) return true;
  return channel?.desktop_notifications ?? settings.enable_stream_desktop_notifications;
}

/** @param {Chat} chat */
export function useDesktopNotifications(chat) {
  useEffect(() => {
    chat.arrived = (message) => {
      if (globalThis.Notification?.permission !== "granted" || !isNotable(chat, message)) return;
      // A tab with the focus comes first, and leaves nothing to show for the others.
      if (document.hasFocus()) claim(chat, message.id, () => {});
      else setTimeout(() => claim(chat, message.id, () => show(chat, message)), OTHER_TABS);
    };
    return () => {
      chat.arrived = () => {};
    };
  }, [chat]);
}

/**
 * Call *then* in the first tab that asks. It keeps a lock for a while: tabs are processes of their own, whose
 * `localStorage` agree late.
 *
 * @param {Chat} chat
 * @param {number} id
 * @param {() => void} then
 */
function claim(chat, id, then) {
  return navigator.locks.request(chat.ownName("notified") + id, { ifAvailable: true }, (lock) => {
    if (!lock) return;
    then();
    return new Promise((resolve) => setTimeout(resolve, CLAIMED));
  });
}

/** @param {Chat} chat @param {Message} message */
function show(chat, message) {
  const isDirect = message.stream_id === undefined;
  const name = chat.name(message.sender_id);
  const place = isDirect ? "" : ` (#${chat.channelName(message.stream_id ?? 0)} › ${message.subject || t("topic.empty")})`;
  const isHidden = isDirect && !chat.settings.pm_content_in_desktop_notifications;
  const text = new DOMParser().parseFromString(message.content, "text/html").body.textContent ?? "";
  const body = isHidden ? t("settings.hidden_text") : text.trim().slice(0, LONGEST);
  const notification = new Notification(`${name}${place}`, { body, tag: `message-${message.id}` });
  notification.onclick = () => {
    focus();
    location.hash = chat.link(conversationOf(chat, message).from(message.id));
    notification.close();
  };
}
