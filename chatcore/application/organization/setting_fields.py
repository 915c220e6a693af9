"""The organization's settings as fields for clients."""

from collections.abc import Mapping

from chatcore.application.organization.ways_in import authentication_methods
from chatcore.application.services import Services
from chatcore.domain.choices import Value
from chatcore.domain.files.uploads import quota_in_force
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.organization import EditHistoryVisibility, Organization
from chatcore.domain.organization.pictures import PictureKind
from chatcore.domain.organization.settings import CHANNEL_SETTINGS, NO_CHANNEL, SETTINGS
from chatcore.events.happened.organization import AuthenticationMethods


def setting_fields(organization: Organization) -> dict[str, Value]:
    """Return the settings, and the older forms of those that replaced others."""
    answer: dict[str, Value] = {f"realm_{name}": getattr(organization, name) for name in SETTINGS}
    for name in CHANNEL_SETTINGS:
        if getattr(organization, name) is None:
            answer[f"realm_{name}"] = NO_CHANNEL
    answer["realm_date_created"] = organization.date_created
    answer["realm_empty_topic_display_name"] = organization.empty_topic_display_name
    answer |= {f"realm_{kind}_source": kind.source(organization) for kind in PictureKind}
    history = organization.message_edit_history_visibility_policy
    answer["realm_allow_edit_history"] = history != EditHistoryVisibility.NONE
    answer["realm_email_auth_enabled"] = organization.password_auth_enabled
    for name, (permission, numbers, otherwise) in OLDER_POLICIES.items():
        group = organization.permission_value(permission).system_group
        answer[name] = otherwise if group is None else numbers.get(group, otherwise)
    return answer


def settings_as_sent(svc: Services, organization: Organization) -> dict[str, Value | AuthenticationMethods]:
    """Return all fields that depend on the settings; clients are notified when one of these changes."""
    methods = {
        name: {"enabled": enabled, "available": True}
        for name, enabled in authentication_methods(svc, organization).items()
    }
    quota = quota_in_force(organization.upload_quota_mib, svc.limits)
    return {
        **setting_fields(organization),
        "realm_upload_quota_mib": quota,
        "realm_authentication_methods": methods,
    }


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
