"""The few names of the API that a setting can also give in another spelling.

With `compat_brand = "acme"`, fields are sent under both names, a value that is an identifier is sent as
`acme_…`, and requests may use either. With an empty setting every function here gives back what it got.
Nothing outside this module knows which names these are.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

NEUTRAL: Final = "service"

FIELDS: Final[Mapping[str, str]] = {
    "service_version": "{brand}_version",
    "service_feature_level": "{brand}_feature_level",
    "service_merge_base": "{brand}_merge_base",
    "service_plan_is_not_limited": "{brand}_plan_is_not_limited",
    "realm_service_update_announcements_stream_id": "realm_{brand}_update_announcements_stream_id",
    "highlighter_language": "pygments_language",
}
"""Fields, event types and parameters, with their other spelling."""

VALUES: Final[Mapping[str, str]] = {"service_extra_emoji": "{brand}_extra_emoji"}
"""Values that are identifiers; only one spelling of them can be sent."""

PARAMETERS_WITH_VALUES: Final = ("reaction_type",)
PARAMETERS_WITH_LISTS: Final = ("event_types", "fetch_event_types")
"""Lists, in JSON, of names that are in `FIELDS`."""


@cache
def _spellings(names: tuple[tuple[str, str], ...], brand: str) -> Mapping[str, str]:
    return {neutral: pattern.format(brand=brand) for neutral, pattern in names} if brand else {}


def _fields(brand: str) -> Mapping[str, str]:
    return _spellings(tuple(FIELDS.items()), brand)


def _values(brand: str) -> Mapping[str, str]:
    return _spellings(tuple(VALUES.items()), brand)


# Sending


def with_both_names(fields: Mapping[str, Any], brand: str) -> Mapping[str, Any]:
    """The fields of an object, with the other spelling beside each one that has it."""
    return {**fields, **other_fields(fields, brand)} if brand else fields


def other_fields(answer: msgspec.Struct | Mapping[str, object], brand: str) -> Mapping[str, object]:
    """The fields that an answer has under another name too."""
    if not brand:
        return {}
    if isinstance(answer, Mapping):
        other = _fields(brand)
        return {other[name]: value for name, value in answer.items() if name in other}
    found = ((other, getattr(answer, name)) for name, other in _fields_of(type(answer), brand))
    return {other: value for other, value in found if value is not msgspec.UNSET}


@cache
def _fields_of(answer: type[msgspec.Struct], brand: str) -> tuple[tuple[str, str], ...]:
    names = _fields(brand)
    return tuple((name, names[name]) for name in answer.__struct_fields__ if name in names)


def value_to_send(value: str, brand: str) -> str:
    """A value such as a reaction type, in the spelling that clients know."""
    return _values(brand).get(value, value) if brand else value


def extra_emoji_word(brand: str) -> str:
    """Name and code of the built-in extra emoji."""
    return brand or NEUTRAL


# Receiving


def value_received(value: str, brand: str) -> str:
    """The neutral spelling of a value that may have come in either."""
    return next((neutral for neutral, other in _values(brand).items() if other == value), value)


def texts_received(texts: dict[str, str], brand: str) -> dict[str, str]:
    """The texts of a request's parameters with neutral names and values."""
    if not brand:
        return texts
    neutral = dict(texts)
    for name, other in _fields(brand).items():
        if other in neutral:
            neutral.setdefault(name, neutral.pop(other))
    for parameter in PARAMETERS_WITH_VALUES:
        if parameter in neutral:
            neutral[parameter] = value_received(neutral[parameter], brand)
    for parameter in PARAMETERS_WITH_LISTS:
        if parameter in neutral:
            for name, other in _fields(brand).items():
                neutral[parameter] = neutral[parameter].replace(f'"{other}"', f'"{name}"')
    return neutral
