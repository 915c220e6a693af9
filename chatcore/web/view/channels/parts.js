/** Parts of pages that show channels. */

import { call } from "../../api.js";
import { isGuest, rightsIn } from "../../model/permissions.js";
import { Narrow } from "../../model/narrow.js";
import { t } from "../../text/text.js";
import { html } from "../html.js";
import { Icon } from "../icon.js";
import { report } from "../notice.js";

/** @typedef {import("../../model/chat.js").Chat} Chat */

/** The sign before a channel's name: a lock for private ones. @param {{channel: any}} props */
export function Mark({ channel }) {
  if (!channel.invite_only) return html`<span aria-hidden="true">${channel.is_web_public ? "🌐 " : "# "}</span>`;
  return html`<span role="img" aria-label=${t("channel.private")} class="lock"><${Icon} name="lock" /></span>`;
}

/** @param {{chat: Chat, channel: any}} props */
export function Subscription({ chat, channel }) {
  const isIn = chat.subscribed.has(channel.stream_id);
  const change = () => {
    if (isIn && (channel.invite_only || isGuest(chat)) && !confirm(t("channel.leave_sure", { name: channel.name }))) return;
    const subscriptions = isIn ? [channel.name] : [{ name: channel.name }];
    report(call(isIn ? "DELETE" : "POST", "users/me/subscriptions", { subscriptions }));
  };
  if (!isIn && (!rightsIn(chat, channel).joins || channel.is_archived)) return null;
  return html`<button type="button" aria-label=${`${t(isIn ? "channel.leave" : "channel.join")}: ${channel.name}`} onClick=${change}>${t(isIn ? "channel.leave" : "channel.join")}</button>`;
}

/** The address of the messages of a channel. @param {Chat} chat @param {number} id */
export const messagesOf = (chat, id) => Narrow.of(["channel", id]).hash((one) => chat.channelName(one));

/** Names of channels, in the order of names. @param {Chat} chat @returns {any[]} */
export const activeChannels = (chat) => [...chat.channels.values()].filter((one) => !one.is_archived).sort((a, b) => a.name.localeCompare(b.name));
