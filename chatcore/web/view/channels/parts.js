/** Parts of pages that show channels. */

import { isGuest, may, rightsIn } from "../../model/rights.js";
import { Field, LongField, call, html, report, sure, t } from "../kit.js";

/** The kinds of privacy. Of each: the right to create it, and the fields of the channel: `invite_only`, `history_public_to_subscribers`, `is_web_public`. */
const PRIVACY = {
  web: { right: "can_create_web_public_channel_group", values: [false, true, true] },
  public: { right: "can_create_public_channel_group", values: [false, true, false] },
  shared: { right: "can_create_private_channel_group", values: [true, true, false] },
  protected: { right: "can_create_private_channel_group", values: [true, false, false] },
};
const NAMES = /** @type {Privacy[]} */ (Object.keys(PRIVACY));

/** @typedef {keyof typeof PRIVACY} Privacy */

/** @param {Channel} channel @returns {Privacy} */
export function privacyOf({ is_web_public, invite_only, history_public_to_subscribers }) {
  if (is_web_public) return "web";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "shared" : "protected";
}

/** The kinds that the reader may choose, and the present one. @param {Chat} chat @param {Privacy} [present] @returns {[Privacy, string][]} */
export function privacyOptions(chat, present) {
  const isPossible = (/** @type {Privacy} */ name) => may(chat, PRIVACY[name].right) && (name !== "web" || chat.state.realm_enable_spectator_access);
  return NAMES.filter((name) => name === present || isPossible(name)).map((name) => [name, t(`privacy.${name}`)]);
}

/** The fields of a request that creates a channel, or changes one. @param {Privacy} name @param {"invite_only" | "is_private"} word */
export function privacyFields(name, word) {
  const [isPrivate, history_public_to_subscribers, is_web_public] = PRIVACY[name].values;
  return { [word]: isPrivate, history_public_to_subscribers, is_web_public };
}

/** The button with which the reader joins a channel, or leaves it. @param {Chat} chat @param {Channel} channel @returns {import("../rows.js").Button | null} */
export function subscription(chat, channel) {
  const { name } = channel;
  const isIn = chat.subscribed.has(channel.stream_id);
  if (!isIn && (!rightsIn(chat, channel).joins || channel.is_archived)) return null;
  const text = t(isIn ? "channel.leave" : "channel.join");
  const change = () => report(call(isIn ? "DELETE" : "POST", "users/me/subscriptions", { subscriptions: isIn ? [name] : [{ name }] }));
  const isFinal = isIn && (channel.invite_only || isGuest(chat));
  return [text, () => (isFinal ? sure(t("channel.leave_sure", { name }), text, change) : change())];
}

/** The fields of a channel's name and description. @param {{chat: Chat, channel?: Channel}} props */
export function ChannelTexts({ chat: { state }, channel }) {
  return html`
    <${Field} label=${t("field.name")} name="name" required maxlength=${state.max_stream_name_length} defaultValue=${channel?.name} />
    <${LongField} label=${t("field.description")} name="description" rows="2" maxlength=${state.max_stream_description_length} defaultValue=${channel?.description} />
  `;
}
