"""Initial state: the organization's settings, the server's limits, and what permission settings accept."""

from collections.abc import Mapping
from dataclasses import asdict

from chatcore.application.organization.pictures import picture_url
from chatcore.application.organization.setting_fields import settings_as_sent
from chatcore.application.organization.video_calls import providers
from chatcore.application.people.passwords import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH
from chatcore.application.registration.fetch import Fetch
from chatcore.domain.files.thumbnails import FORMATS as THUMBNAIL_FORMATS
from chatcore.domain.groups.permissions import (
    CHANNEL_PERMISSIONS,
    GROUP_PERMISSIONS,
    ORGANIZATION_PERMISSIONS,
    Permission,
)
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.organization.pictures import PictureKind
from chatcore.domain.organization.profile_fields import EXTERNAL_ACCOUNTS
from chatcore.domain.organization.settings import GIF_RATINGS, Choice
from chatcore.domain.people.presence import OFFLINE_AFTER, PING_INTERVAL
from chatcore.events.payloads.configuration import domain_object

EMOJI_DATA_PATH = "/static/emoji.json"
"""Address of the emoji table, which everybody can read."""

UNLIMITED = 1
"""The plan of an organization on a server of its own."""


def choices_by_key(choices: Mapping[int, Choice]) -> dict[str, object]:
    """Return numbered choices as clients read them, by their keys."""
    return {choice.key: {"name": choice.name, "id": number} for number, choice in choices.items()}


CONSTANTS: Mapping[str, object] = {
    # Files.
    "server_thumbnail_formats": [asdict(thumbnail_format) for thumbnail_format in THUMBNAIL_FORMATS],
    # Lengths of fields that are not in `Limits`.
    "password_min_length": MIN_PASSWORD_LENGTH,
    "password_max_length": MAX_PASSWORD_LENGTH,
    "password_min_guesses": 10_000,
    # Presence and typing.
    "server_presence_ping_interval_seconds": PING_INTERVAL,
    "server_presence_offline_threshold_seconds": OFFLINE_AFTER,
    "server_typing_started_expiry_period_milliseconds": 45_000,
    "server_typing_stopped_wait_period_milliseconds": 12_000,
    "server_typing_started_wait_period_milliseconds": 30_000,
    # Capabilities of this server.
    "server_min_deactivated_realm_deletion_days": 14,
    "server_max_deactivated_realm_deletion_days": None,
    "server_needs_upgrade": False,
    "server_inline_image_preview": True,
    "server_inline_url_embed_preview": True,
    "server_avatar_changes_disabled": False,
    "server_name_changes_disabled": False,
    "server_web_public_streams_enabled": True,
    "server_can_summarize_topics": False,
    "realm_push_notifications_enabled": False,
    "realm_push_notifications_enabled_end_timestamp": None,
    "realm_require_e2ee_push_notifications": False,
    "realm_is_zephyr_mirror_realm": False,
    # Nothing is sold: there are no limits to buy off, and nobody manages payments.
    "service_plan_is_not_limited": True,
    "realm_plan_type": UNLIMITED,
    "realm_can_manage_billing_group": SystemGroup.NOBODY.group_id,
    "upgrade_text_for_wide_organization_logo": "",
    "realm_default_external_accounts": {kind: asdict(account) for kind, account in EXTERNAL_ACCOUNTS.items()},
    "giphy_rating_options": choices_by_key(GIF_RATINGS),
    "jitsi_server_url": "",
    "server_jitsi_server_url": None,
}

WITHOUT_ACCOUNT: Mapping[str, object] = {
    "realm_allow_message_editing": False,
    "realm_presence_disabled": True,
    "realm_welcome_message_custom_text": "",
}
"""Fields with a different value for a caller without an account."""


def organization(fetch: Fetch) -> dict[str, object]:
    """`realm`: all fields about the organization and the server that are not lists of their own."""
    answer = {
        **CONSTANTS,
        **limit_fields(fetch.svc.limits),
        **settings_as_sent(fetch.svc, fetch.organization),
        **permission_fields(fetch),
        **_url_fields(fetch),
        "server_generation": 0 if fetch.organization.served_by is None else fetch.organization.served_by.at,
        "realm_available_video_chat_providers": choices_by_key(providers(fetch.svc.settings)),
        "settings_send_digest_emails": fetch.svc.settings.sends_mail,
        "development_environment": fetch.svc.settings.development,
        "server_supported_permission_settings": SUPPORTED_PERMISSION_SETTINGS,
    }
    return answer if fetch.actor is not None else {**answer, **WITHOUT_ACCOUNT}


def gif_search(fetch: Fetch) -> dict[str, object]:
    """`giphy`: the key for searching GIFs."""
    return {"giphy_api_key": fetch.svc.settings.giphy_api_key}


def domains(fetch: Fetch) -> dict[str, object]:
    """`realm_domains`."""
    return {"realm_domains": [domain_object(domain) for domain in fetch.organization.domains]}


def limit_fields(limits: Limits) -> dict[str, object]:
    return {
        "max_message_length": limits.max_message_length,
        "max_topic_length": limits.max_topic_length,
        "max_stream_name_length": limits.max_channel_name_length,
        "max_stream_description_length": limits.max_channel_description_length,
        "max_channel_folder_name_length": limits.max_channel_folder_name_length,
        "max_channel_folder_description_length": limits.max_channel_folder_description_length,
        "max_bulk_new_subscription_messages": limits.max_bulk_new_subscription_messages,
        "max_reminder_note_length": limits.max_reminder_note_length,
        "max_file_upload_size_mib": limits.max_file_upload_size_mib,
        "max_avatar_file_size_mib": limits.max_avatar_file_size_mib,
        "max_icon_file_size_mib": limits.max_icon_file_size_mib,
        "max_logo_file_size_mib": limits.max_logo_file_size_mib,
        "event_queue_longpoll_timeout_seconds": limits.event_queue_longpoll_timeout,
    }


def permission_fields(fetch: Fetch) -> dict[str, object]:
    """Return each permission's value, without people hidden from the caller."""
    values = {name: fetch.organization.permission_value(name) for name in ORGANIZATION_PERMISSIONS}
    hidden = fetch.unseen if any(value.members for value in values.values()) else frozenset()
    return {f"realm_{name}": value.as_sent(hidden=hidden) for name, value in values.items()}


def _url_fields(fetch: Fetch) -> dict[str, object]:
    url = fetch.organization_url
    return {
        **{f"realm_{kind}_url": picture_url(fetch.organization, kind) for kind in PictureKind},
        "realm_url": url,
        "realm_uri": url,
        "realm_bot_domain": fetch.host,
        "server_emoji_data_url": url + EMOJI_DATA_PATH,
    }


# -- accepted values of permission settings ---------------------------------------------------------


def _describe_permissions(
    permissions: Mapping[str, Permission], *, creator: str, system_groups_have: SystemGroup | None = None
) -> dict[str, object]:
    """Return the description of each permission setting; *creator* is the name of the default for objects
    that belong to their creator.
    """
    of_system_groups = None if system_groups_have is None else system_groups_have.group_name
    return {
        permission.name: {
            "require_system_group": permission.require_system_group,
            "allow_internet_group": False,
            "allow_nobody_group": permission.allow_nobody,
            "allow_everyone_group": permission.allow_everyone,
            "default_group_name": creator if permission.default is None else permission.default.group_name,
            "default_for_system_groups": of_system_groups,
            "allowed_system_groups": [g.group_name for g in sorted(permission.allowed, reverse=True)],
        }
        for permission in permissions.values()
    }


SUPPORTED_PERMISSION_SETTINGS = {
    "realm": _describe_permissions(ORGANIZATION_PERMISSIONS, creator=""),
    "stream": _describe_permissions(CHANNEL_PERMISSIONS, creator="channel_creator"),
    "group": _describe_permissions(
        GROUP_PERMISSIONS, creator="group_creator", system_groups_have=SystemGroup.NOBODY
    ),
}
