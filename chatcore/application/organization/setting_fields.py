"""The organization's settings as fields for clients."""

from collections.abc import Mapping

from chatcore.application.services import Services
from chatcore.domain.choices import Value
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.organization import EditHistoryVisibility, Organization
from chatcore.domain.organization.settings import NO_CHANNEL
from chatcore.domain.topics import TopicsPolicy
from chatcore.events.types.organization import AuthenticationMethods

SETTING_NAMES = (
    "name",
    "date_created",
    "description",
    # Messages and topics.
    "empty_topic_display_name",
    "mandatory_topics",
    "topics_policy",
    "default_code_block_language",
    "inline_image_preview",
    "inline_url_embed_preview",
    "giphy_rating",
    "video_chat_provider",
    "jitsi_server_url",
    "message_retention_days",
    "allow_message_editing",
    "message_content_edit_limit_seconds",
    "message_content_delete_limit_seconds",
    "move_messages_within_stream_limit_seconds",
    "move_messages_between_streams_limit_seconds",
    "message_edit_history_visibility_policy",
    "enable_read_receipts",
    "enable_guest_user_dm_warning",
    "enable_guest_user_indicator",
    "moderation_request_channel_id",
    "new_stream_announcements_stream_id",
    "signup_announcements_stream_id",
    "service_update_announcements_stream_id",
    # Accounts.
    "waiting_period_threshold",
    "enable_spectator_access",
    "invite_required",
    "emails_restricted_to_domains",
    "disallow_disposable_email_addresses",
    "require_unique_names",
    "name_changes_disabled",
    "email_changes_disabled",
    "avatar_changes_disabled",
    "password_auth_enabled",
    "presence_disabled",
    "default_language",
    # E-mail.
    "welcome_message_custom_text",
    "send_welcome_emails",
    "message_content_allowed_in_email_notifications",
    "digest_emails_enabled",
    "digest_weekday",
    # Appearance for others.
    "org_type",
    "want_advertise_in_communities_directory",
    "icon_source",
    "logo_source",
    "night_logo_source",
    "upload_quota_mib",
)
"""The fields of `Organization` that clients receive as `realm_` and the name; others stay internal."""


def setting_fields(organization: Organization) -> dict[str, Value]:
    """Return the settings, and the older forms of those that replaced others."""
    answer: dict[str, Value] = {f"realm_{name}": getattr(organization, name) for name in SETTING_NAMES}
    for name, value in answer.items():
        if name.endswith(("_stream_id", "_channel_id")) and value is None:
            answer[name] = NO_CHANNEL
    history = organization.message_edit_history_visibility_policy
    topics_policy = organization.effective_topics_policy(TopicsPolicy.INHERIT)
    answer["realm_allow_edit_history"] = history != EditHistoryVisibility.NONE
    answer["realm_topics_policy"] = topics_policy
    answer["realm_mandatory_topics"] = topics_policy == TopicsPolicy.DISABLE_EMPTY
    answer["realm_email_auth_enabled"] = organization.password_auth_enabled
    for name, (permission, numbers, otherwise) in OLDER_POLICIES.items():
        group = organization.permission_value(permission).system_group
        answer[name] = otherwise if group is None else numbers.get(group, otherwise)
    return answer


def announced_settings(svc: Services, organization: Organization) -> dict[str, Value | AuthenticationMethods]:
    """Return all fields that depend on the settings; clients are notified when one of these changes."""
    methods = {
        name: {"enabled": enabled, "available": True} for name, enabled in _methods(svc, organization).items()
    }
    return {**setting_fields(organization), "realm_authentication_methods": methods}


PASSWORDS = "password_auth_enabled"
_BY_PASSWORD = "Email"


def _methods(svc: Services, organization: Organization) -> Mapping[str, bool]:
    """Return the ways to log in, and whether each is enabled."""
    methods = {_BY_PASSWORD: organization.password_auth_enabled}
    return {**methods, "Dev": True} if svc.settings.development else methods


def passwords_among(svc: Services, methods: Mapping[str, bool]) -> bool:
    """Return the value of the setting for passwords that follows from the wanted ways to log in.

    :raises BadRequest: an unknown way, none at all, or without one that cannot be disabled
    """
    known = svc.storage.read(lambda snapshot: _methods(svc, snapshot.organization.get()))
    for name, enabled in methods.items():
        if name not in known:
            raise BadRequest(f"Invalid authentication method: {name[:50]}")
        if name != _BY_PASSWORD and not enabled:
            raise BadRequest(f"The authentication method '{name}' cannot be disabled.")
    if not any(methods.values()):
        raise BadRequest("At least one authentication method must be enabled.")
    return methods.get(_BY_PASSWORD, False)


_WHO_CREATES_CHANNELS = {
    SystemGroup.MEMBERS: 1,
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MODERATORS: 4,
}


OLDER_POLICIES: Mapping[str, tuple[str, Mapping[SystemGroup, int], int]] = {
    "realm_create_public_stream_policy": ("can_create_public_channel_group", _WHO_CREATES_CHANNELS, 1),
    "realm_create_private_stream_policy": ("can_create_private_channel_group", _WHO_CREATES_CHANNELS, 1),
    "realm_create_web_public_stream_policy": (
        "can_create_web_public_channel_group",
        {
            SystemGroup.ADMINISTRATORS: 2,
            SystemGroup.MODERATORS: 4,
            SystemGroup.NOBODY: 6,
            SystemGroup.OWNERS: 7,
        },
        7,
    ),
    "realm_wildcard_mention_policy": (
        "can_mention_many_users_group",
        {
            SystemGroup.EVERYONE: 1,
            SystemGroup.MEMBERS: 2,
            SystemGroup.FULL_MEMBERS: 3,
            SystemGroup.ADMINISTRATORS: 5,
            SystemGroup.NOBODY: 6,
            SystemGroup.MODERATORS: 7,
        },
        1,
    ),
}
"""Deprecated numbers: the permission from which each follows, the number for a group, and for any other
value.
"""
