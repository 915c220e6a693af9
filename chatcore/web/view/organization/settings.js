/** Settings and permissions of the organization. */

import { isAdministrator, isOwner } from "../../model/rights.js";
import { call, html, named, report } from "../kit.js";
import { Permissions } from "../permission.js";
import { SettingFields, checks } from "../settings_fields.js";

/** @typedef {import("../settings_fields.js").Setting} Setting */

/** @param {Setting["type"]} type @param {string} [none] @returns {(...names: string[]) => Setting[]} */
const typed =
  (type, none) =>
  (...names) =>
    names.map((name) => ({ name, type, none }));
const durations = typed("duration", "unlimited");

const LANGUAGES = "ar bg ca cs da de el en en-gb es fa fi fr gl hi hu id it ja ko lt ml mn nl pl pt pt-br ro ru sr sv ta tl tr uk vi zh-hans zh-tw".split(" ");

/** The settings by sections. The state has each as `realm_` and its name. @type {Record<string, Setting[]>} */
const SETTINGS = {
  messages: [
    { name: "topics_policy", type: "choice", options: ["allow_empty_topic", "disable_empty_topic"] },
    ...checks("allow_message_editing"),
    ...durations("message_content_edit_limit_seconds", "message_content_delete_limit_seconds"),
    ...durations("move_messages_within_stream_limit_seconds", "move_messages_between_streams_limit_seconds"),
    { name: "message_edit_history_visibility_policy", type: "choice", options: ["all", "moves", "none"] },
    ...checks("enable_read_receipts", "inline_image_preview", "inline_url_embed_preview"),
    { name: "default_code_block_language", type: "text", max: 40 },
    { name: "upload_quota_mib", type: "number", max: 2 ** 31 - 1, none: "unlimited" },
    { name: "giphy_rating", type: "provider", source: "giphy_rating_options" },
    { name: "video_chat_provider", type: "provider", source: "realm_available_video_chat_providers" },
    { name: "jitsi_server_url", type: "text", none: "default" },
  ],
  joining: [
    ...checks("invite_required", "emails_restricted_to_domains", "disallow_disposable_email_addresses", "password_auth_enabled"),
    { name: "waiting_period_threshold", type: "number", max: 36500 },
    { name: "default_language", type: "language", options: LANGUAGES },
    ...checks("send_welcome_emails"),
    { name: "welcome_message_custom_text", type: "long", max: 8000 },
    ...checks("enable_spectator_access"),
  ],
  people: checks(
    "require_unique_names",
    "name_changes_disabled",
    "email_changes_disabled",
    "avatar_changes_disabled",
    "presence_disabled",
    "enable_guest_user_indicator",
    "enable_guest_user_dm_warning",
  ),
  announcements: typed("channel")("new_stream_announcements_stream_id", "signup_announcements_stream_id", "moderation_request_channel_id"),
  emails: [...checks("message_content_allowed_in_email_notifications", "digest_emails_enabled"), { name: "digest_weekday", type: "weekday" }],
};

/** Settings and permissions that only owners change. */
const FOR_OWNERS = new Set([
  "waiting_period_threshold",
  "invite_required",
  "emails_restricted_to_domains",
  "disallow_disposable_email_addresses",
  "enable_spectator_access",
  "password_auth_enabled",
  "upload_quota_mib",
  "can_create_groups",
  "can_invite_users_group",
]);

/** @param {Chat} chat */
const isFixed = (chat) => (/** @type {string} */ name) => !isAdministrator(chat) || (FOR_OWNERS.has(name) && !isOwner(chat));
/** @param {Chat} chat */
const read = (chat) => (/** @type {string} */ name) => chat.state[`realm_${name}`];

/** @param {{chat: Chat}} props */
export function OrganizationSettings({ chat }) {
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) => report(call("PATCH", "realm", { [name]: value }));
  return Object.entries(SETTINGS).map(
    ([section, settings]) => html`
    <section key=${section}>
      <h3>${named("settings_of", section)}</h3>
      <${SettingFields} chat=${chat} settings=${settings} read=${read(chat)} set=${set} isFixed=${isFixed(chat)} />
    </section>`,
  );
}

/** @param {{chat: Chat}} props */
export function OrganizationPermissions({ chat }) {
  return html`<${Permissions} chat=${chat} kind="realm" path="realm" holdersOf=${read(chat)} isFixed=${isFixed(chat)} />`;
}
