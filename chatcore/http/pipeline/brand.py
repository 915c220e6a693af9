"""The few names of the API that have a second spelling, chosen by a setting.

With `compat_brand = "acme"`, fields are sent under both names, a value that is an identifier is sent as
`acme_…`, and requests may use either. With an empty setting every function here returns its argument. Only
this module knows these names.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

import msgspec

FIELDS: Final[Mapping[str, str]] = {
    "service_version": "{brand}_version",
    "service_feature_level": "{brand}_feature_level",
    "service_merge_base": "{brand}_merge_base",
    "service_plan_is_not_limited": "{brand}_plan_is_not_limited",
    "realm_service_update_announcements_stream_id": "realm_{brand}_update_announcements_stream_id",
    "highlighter_language": "pygments_language",
}
"""Fields, event types and parameters in their neutral spelling, with the pattern of the other one."""

NESTED_FIELDS: Final = ("highlighter_language",)
"""Fields of `FIELDS` that occur in objects inside an answer; each is a text."""

VALUES: Final[Mapping[str, str]] = {"service_extra_emoji": "{brand}_extra_emoji"}
"""Values that are identifiers; an answer has only one of their spellings."""

PARAMETERS_WITH_VALUES: Final = ("reaction_type",)
PARAMETERS_WITH_LISTS: Final = ("event_types", "fetch_event_types")
"""Parameters that are JSON lists of names in `FIELDS`."""


@cache
def _fields(brand: str) -> Mapping[str, str]:
    """Return the neutral names of fields, each with its other spelling; none without a brand."""
    return _fill_patterns(FIELDS, brand)


@cache
def _values(brand: str) -> Mapping[str, str]:
    return _fill_patterns(VALUES, brand)


def _fill_patterns(patterns: Mapping[str, str], brand: str) -> Mapping[str, str]:
    return {neutral: pattern.format(brand=brand) for neutral, pattern in patterns.items()} if brand else {}


# Sending


def respelled_fields(answer: msgspec.Struct | Mapping[str, object], brand: str) -> Mapping[str, object]:
    """Return those fields of an answer that have another spelling, under that."""
    if not brand:
        return {}
    if isinstance(answer, Mapping):
        others = _fields(brand)
        return {others[name]: value for name, value in answer.items() if name in others}
    values = ((other, getattr(answer, name)) for name, other in _fields_of_struct(type(answer), brand))
    return {other: value for other, value in values if value is not msgspec.UNSET}


@cache
def _fields_of_struct(answer: type[msgspec.Struct], brand: str) -> tuple[tuple[str, str], ...]:
    """Return the neutral and the other name of each field that has both; most Structs have none."""
    others = _fields(brand)
    return tuple((name, others[name]) for name in answer.__struct_fields__ if name in others)


def respell_nested(answer: bytes, brand: str) -> bytes:
    """Return the JSON of an answer in which `NESTED_FIELDS` occur under both names and `VALUES` have their
    other spelling. The patterns contain quotes, and so match no part of a text in the answer.
    """
    if not brand:
        return answer
    for neutral, other in _values(brand).items():
        for parameter in PARAMETERS_WITH_VALUES:
            answer = answer.replace(
                f'"{parameter}":"{neutral}"'.encode(), f'"{parameter}":"{other}"'.encode()
            )
    for name in NESTED_FIELDS:
        other = _fields(brand)[name]
        answer = re.sub(rf'"{name}":("(?:[^"\\]|\\.)*")'.encode(), rf'\g<0>,"{other}":\1'.encode(), answer)
    return answer


# Receiving


def neutral_value(value: str, brand: str) -> str:
    """Return the neutral spelling of a value received in either spelling."""
    return next((neutral for neutral, other in _values(brand).items() if other == value), value)


def neutral_texts(texts: dict[str, str], brand: str) -> dict[str, str]:
    """Return the texts of a request's parameters with neutral names and values."""
    if not brand:
        return texts
    neutral = dict(texts)
    for name, other in _fields(brand).items():
        if other in neutral:
            neutral.setdefault(name, neutral.pop(other))
    for parameter in PARAMETERS_WITH_VALUES:
        if parameter in neutral:
            neutral[parameter] = neutral_value(neutral[parameter], brand)
    for parameter in PARAMETERS_WITH_LISTS:
        if parameter in neutral:
            for name, other in _fields(brand).items():
                neutral[parameter] = neutral[parameter].replace(f'"{other}"', f'"{name}"')
    return neutral
