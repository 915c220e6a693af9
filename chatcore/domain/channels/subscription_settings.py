"""Personal settings of a subscription."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from chatcore.domain.errors import BadRequest

_COLOR = re.compile(r"#[0-9a-fA-F]{3,6}")


def read_color(text: str) -> str:
    """Return a colour in the form that clients read: `#` and six lower-case digits.

    :raises BadRequest: no `#` with three to six hexadecimal digits
    """
    if not _COLOR.fullmatch(text):
        raise BadRequest("color is not a valid hex color code")
    digits = text[1:].lower()
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return "#" + digits.ljust(6, "0")


class SubscriptionSetting(NamedTuple):
    """The stored field of a property and the type of its value, which an *inverted* one negates."""

    stored_as: str
    kind: type[bool] | type[str] = bool
    inverted: bool = False


SETTINGS: Mapping[str, SubscriptionSetting] = {
    "color": SubscriptionSetting("color", str),
    "is_muted": SubscriptionSetting("is_muted"),
    "in_home_view": SubscriptionSetting("is_muted", inverted=True),
    "pin_to_top": SubscriptionSetting("pin_to_top"),
    "desktop_notifications": SubscriptionSetting("desktop_notifications"),
    "audible_notifications": SubscriptionSetting("audible_notifications"),
    "push_notifications": SubscriptionSetting("push_notifications"),
    "email_notifications": SubscriptionSetting("email_notifications"),
    "wildcard_mentions_notify": SubscriptionSetting("wildcard_mentions_notify"),
}
"""Settings by the API's names."""


def read_setting(name: str, value: object) -> tuple[str, bool | str]:
    """Read a property sent by a client: return the name under which it is stored, and the value.

    :raises BadRequest: unknown property, or a value of the wrong type
    """
    setting = SETTINGS.get(name)
    if setting is None:
        raise BadRequest(f"Unknown subscription property: {name[:50]}")
    if isinstance(value, bool) and setting.kind is bool:
        return setting.stored_as, value != setting.inverted
    if isinstance(value, str) and setting.kind is str:
        return setting.stored_as, read_color(value)
    raise BadRequest(f"{name} is not a {'boolean' if setting.kind is bool else 'string'}")
