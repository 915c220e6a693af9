/** The organization: what everybody sees of it, and what administrators set. */

import { invites, isAdministrator, isOwner } from "../../model/rights.js";
import { Facts, Field, Form, LongField, call, html, report, t } from "../kit.js";
import { Parts } from "../pages/parts.js";
import { Permissions } from "../pages/permissions.js";
import { SettingSections, checks, typed } from "../pages/settings_fields.js";
import { Audit } from "./audit.js";
import { Invitations } from "./invitations.js";
import { Emoji, Linkifiers } from "./lists.js";

export function Organization(/** @type {PageProps} */ { chat, parts: [part] }) {
  const parts = {
    profile: ["settings.profile", OrganizationProfile],
    settings: ["settings.title", OrganizationSettings],
    permissions: ["organization.permissions", OrganizationPermissions],
    invitations: invites(chat) && ["organization.invitations", Invitations],
    emoji: ["organization.emoji", Emoji],
    linkifiers: ["organization.linkifiers", Linkifiers],
    audit: isAdministrator(chat) && ["organization.audit", Audit],
  };
  return html`<${Parts} chat=${chat} page="organization" parts=${parts} part=${part} />`;
}

/** The name and description of the organization. */
function OrganizationProfile({ chat }) {
  const { realm_name: name, realm_description: description } = chat.state;
  const facts = [
    [t("field.name"), name],
    [t("field.description"), description],
  ];
  if (!isAdministrator(chat)) return html`<${Facts} facts=${facts} />`;
  return html`
    <${Form} send=${(fields) => call("PATCH", "realm", { ...fields })}>
      <${Field} label=${t("field.name")} name="name" required max=${40} defaultValue=${name} />
      <${LongField} label=${t("field.description")} name="description" rows="4" max=${1000}
        defaultValue=${description} />
    <//>
  `;
}

const LANGUAGES =
  `ar bg ca cs da de el en en-gb es fa fi fr gl hi hu id it ja ko lt ml mn nl pl pt pt-br ro ru sr sv ta tl tr
  uk vi zh-hans zh-tw`.split(/\s+/);
const LIMITS = `message_content_edit_limit_seconds message_content_delete_limit_seconds
  move_messages_within_stream_limit_seconds move_messages_between_streams_limit_seconds`;

/** The settings by sections, which have a title. The state has each as `realm_` and its name. */
const SETTINGS = {
  "list.messages": [
    { name: "topics_policy", type: "choice", options: ["allow_empty_topic", "disable_empty_topic"] },
    ...checks("allow_message_editing"),
    ...typed("duration", LIMITS, { none: "unlimited" }),
    { name: "message_retention_days", type: "retention" },
    { name: "message_edit_history_visibility_policy", type: "choice", options: ["all", "moves", "none"] },
    ...checks("enable_read_receipts inline_image_preview inline_url_embed_preview"),
    { name: "default_code_block_language", type: "text", max: 40 },
    { name: "upload_quota_mib", type: "number", max: 2 ** 31 - 1, none: "unlimited" },
  ],
  "settings_of.joining": [
    ...checks(`invite_required emails_restricted_to_domains disallow_disposable_email_addresses
      password_auth_enabled`),
    { name: "waiting_period_threshold", type: "number", max: 36500 },
    { name: "default_language", type: "language", options: LANGUAGES },
    { name: "welcome_message_custom_text", type: "long", max: 8000 },
    ...checks("enable_spectator_access"),
  ],
  "people.active": checks(`require_unique_names name_changes_disabled email_changes_disabled
    avatar_changes_disabled presence_disabled enable_guest_user_indicator enable_guest_user_dm_warning`),
  "settings_of.announcements": typed(
    "channel",
    `new_stream_announcements_stream_id signup_announcements_stream_id moderation_request_channel_id`,
  ),
  "settings_of.calls": [
    { name: "video_chat_provider", type: "provider" },
    { name: "jitsi_server_url", type: "text", max: 200, none: "default" },
  ],
  "personal.email_notifications": [
    ...checks("message_content_allowed_in_email_notifications digest_emails_enabled"),
    { name: "digest_weekday", type: "weekday" },
  ],
};

/** Settings and permissions that only owners change. */
export const FOR_OWNERS = new Set(
  `waiting_period_threshold invite_required emails_restricted_to_domains disallow_disposable_email_addresses
  enable_spectator_access password_auth_enabled upload_quota_mib message_retention_days can_create_groups
  can_invite_users_group can_manage_all_groups can_create_web_public_channel_group
  create_multiuse_invite_group`.split(/\s+/),
);

const isFixed = (chat) => (name) => !isAdministrator(chat) || (FOR_OWNERS.has(name) && !isOwner(chat));
const read = (chat) => (name) => chat.state[`realm_${name}`];

const set = (name, value) => report(call("PATCH", "realm", { [name]: value }));

const OrganizationSettings = ({ chat }) =>
  html`<${SettingSections} chat=${chat} sections=${SETTINGS} read=${read(chat)} set=${set}
    isFixed=${isFixed(chat)} />`;

const OrganizationPermissions = ({ chat }) =>
  html`<${Permissions} chat=${chat} kind="realm" path="realm" holdersOf=${read(chat)}
    isFixed=${isFixed(chat)} />`;
