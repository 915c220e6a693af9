/** The kinds of privacy that a channel can have. */

import { may } from "../../model/permissions.js";
import { t } from "../../text/text.js";

/** @typedef {"web" | "public" | "shared" | "protected"} Privacy */

/** @type {Record<Privacy, {right: string, invite_only: boolean, history_public_to_subscribers: boolean, is_web_public: boolean}>} */
export const PRIVACY = {
  web: { right: "can_create_web_public_channel_group", invite_only: false, history_public_to_subscribers: true, is_web_public: true },
  public: { right: "can_create_public_channel_group", invite_only: false, history_public_to_subscribers: true, is_web_public: false },
  shared: { right: "can_create_private_channel_group", invite_only: true, history_public_to_subscribers: true, is_web_public: false },
  protected: { right: "can_create_private_channel_group", invite_only: true, history_public_to_subscribers: false, is_web_public: false },
};

/** @param {any} channel @returns {Privacy} */
export function privacyOf({ is_web_public, invite_only, history_public_to_subscribers }) {
  if (is_web_public) return "web";
  if (!invite_only) return "public";
  return history_public_to_subscribers ? "shared" : "protected";
}

/** The kinds that the reader may choose, and the present one. @param {import("../../model/chat.js").Chat} chat @param {Privacy} [present] @returns {[Privacy, string][]} */
export function privacyOptions(chat, present) {
  const names = /** @type {Privacy[]} */ (Object.keys(PRIVACY));
  const isPossible = (/** @type {Privacy} */ name) => may(chat, PRIVACY[name].right) && (name !== "web" || chat.state.realm_enable_spectator_access);
  return names.filter((name) => name === present || isPossible(name)).map((name) => [name, t(`privacy.${name}`)]);
}

/** The fields of a request that creates a channel, or changes one. @param {Privacy} name @param {"invite_only" | "is_private"} word */
export function privacyFields(name, word) {
  const { invite_only, history_public_to_subscribers, is_web_public } = PRIVACY[name];
  return { [word]: invite_only, history_public_to_subscribers, is_web_public };
}
