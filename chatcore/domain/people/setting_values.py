"""Values of users' settings, and the settings with which new people start.

Two settings are fields of the account itself (`timezone`, `email_address_visibility`); the others are stored
only once a user changes them.
"""

from collections.abc import Mapping
from datetime import UTC, tzinfo
from typing import TypedDict, TypeVar, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from chatcore.domain.choices import Value
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.settings import DEFAULTS, EXPORT_CONSENT, SETTINGS, UserSetting
from chatcore.domain.people.users import EmailVisibility, User

_NOT_PRESET = frozenset(
    {
        EXPORT_CONSENT,
        "default_language",  # a setting of the organization itself
        "enable_login_emails",
        "enable_marketing_emails",
        "timezone",
    }
)
PRESET: Mapping[str, UserSetting] = {
    name: setting for name, setting in SETTINGS.items() if name not in _NOT_PRESET
}
"""Settings that an organization can choose for new people."""


class StartingFields(TypedDict):
    """The fields of a new account that hold its settings."""

    settings: Mapping[str, Value]
    email_visibility: EmailVisibility


def starting_values(organization: Organization) -> dict[str, Value]:
    """Return the settings of a new person, by name: the organization's choices, or the defaults."""
    return {
        **DEFAULTS,
        "default_language": organization.default_language,
        **organization.user_settings_defaults,
    }


def starting_fields(organization: Organization, *, is_bot: bool = False) -> StartingFields:
    """Return the fields of a new account that hold its settings; the organization's choices apply to people,
    not to bots.
    """
    if is_bot:
        return {"settings": {}, "email_visibility": EmailVisibility.EVERYONE}
    start = starting_values(organization)
    visibility = EmailVisibility(int(start.pop("email_address_visibility") or 0))
    own = {name: value for name, value in start.items() if value != DEFAULTS[name]}
    return {"settings": own, "email_visibility": visibility}


CHANNEL_NOTIFICATIONS: Mapping[str, str] = {
    "desktop_notifications": "enable_stream_desktop_notifications",
    "email_notifications": "enable_stream_email_notifications",
    "push_notifications": "enable_stream_push_notifications",
    "audible_notifications": "enable_stream_audible_notifications",
}
"""A channel's notification setting, and the user's setting that applies if it is null."""


def channel_notification_defaults(user: User) -> dict[str, bool]:
    """Return the effective values of null in the notification settings of the user's channels."""
    return {name: bool(value(user, default)) for name, default in CHANNEL_NOTIFICATIONS.items()}


Personal = TypeVar("Personal", bound=Mapping[str, object])


def subscription_for_older_clients(fields: Personal, defaults: Mapping[str, bool]) -> Personal:
    """Return fields of a subscription for clients that support no null: *defaults* stand for it, and the
    setting for wildcard mentions, which has none there, is left out.
    """
    filled = {name: defaults.get(name) if value is None else value for name, value in fields.items()}
    filled.pop("wildcard_mentions_notify", None)
    return cast(Personal, filled)


def value(user: User, name: str) -> Value:
    """Return a user's value of the setting *name*: the user's own, else the default."""
    match name:
        case "timezone":
            return user.timezone
        case "email_address_visibility":
            return int(user.email_visibility)
        case _:
            own: Value = user.settings.get(name, DEFAULTS[name])
            return own


def zone_of(user: User) -> tzinfo:
    """Return a user's time zone; UTC if none is set, or if the machine does not know it."""
    try:
        return ZoneInfo(user.timezone) if user.timezone else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a restored value may be a path or a folder
        return UTC


def resolved_notice_is_unread(policy: Value, *, follows: bool) -> bool:
    """Whether the notice that a topic was resolved is unread for a user, who *follows* the topic or not.

    *policy* is the reader's value of the setting `RESOLVED_NOTICES`.
    """
    return policy == "never" or (policy == "except_followed" and follows)


def values(user: User) -> dict[str, Value]:
    """Return all settings of a user, by name."""
    return {name: value(user, name) for name in SETTINGS}
