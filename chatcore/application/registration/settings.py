"""Initial state: the user's settings, and the defaults for new accounts."""

from chatcore.application.registration.fetch import Fetch
from chatcore.domain.people.setting_values import starting_values, value, values
from chatcore.domain.people.settings import OFFERED_CHOICES, OFFERED_IN_LEGACY_GROUP, SETTINGS, LegacyGroup


def settings(fetch: Fetch) -> dict[str, object]:
    """`user_settings`: all of them as one object."""
    return {"user_settings": {**values(fetch.user), **OFFERED_CHOICES}}


def notification_settings(fetch: Fetch) -> dict[str, object]:
    """`update_global_notifications`: these settings as separate fields, for older clients."""
    return _legacy_settings(fetch, LegacyGroup.NOTIFICATIONS)


def display_settings(fetch: Fetch) -> dict[str, object]:
    """`update_display_settings`, likewise."""
    return _legacy_settings(fetch, LegacyGroup.DISPLAY)


def _legacy_settings(fetch: Fetch, group: str) -> dict[str, object]:
    """Return the settings of a group at the top of the answer, where older clients look for them."""
    if fetch.registration.capabilities.user_settings_object:
        return {}
    fields: dict[str, object] = {
        name: value(fetch.user, name) for name, setting in SETTINGS.items() if setting.legacy == group
    }
    offered = [name for name, offered_in in OFFERED_IN_LEGACY_GROUP.items() if offered_in == group]
    return fields | {name: OFFERED_CHOICES[name] for name in offered}


def defaults_for_new_users(fetch: Fetch) -> dict[str, object]:
    """`realm_user_settings_defaults`: the values that the organization has set, else the server's; and what
    clients may offer.
    """
    defaults = {**starting_values(fetch.organization), **OFFERED_CHOICES}
    del defaults["timezone"]  # depends on the person: the organization has no value for others
    return {"realm_user_settings_defaults": defaults}
