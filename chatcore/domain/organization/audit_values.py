"""Values in the audit log: of bounded size, without secrets, and what names a person apart."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Final, TypeAlias

from chatcore.domain.groups.permissions import GroupSetting

AuditValue: TypeAlias = "bool | int | float | str | Sequence[AuditValue] | Mapping[str, AuditValue] | None"
AuditValues: TypeAlias = Mapping[str, AuditValue]

MAX_TEXT: Final = 200
"""Characters of one text."""
MAX_ITEMS: Final = 100
"""Items of one list."""
MAX_SIZE: Final = 8000
"""Characters of all values before or after a change, as JSON."""
ADDRESS: Final = "email"
"""Name of the value that is an e-mail address."""
PERSONAL: Final = frozenset({ADDRESS, "full_name"})
"""Names of the values that say who a person is."""
WITHHELD: Final = frozenset({"url_template", "url_pattern"})
"""Names of the parts of values that are left out, as they can have a token."""


def plain(value: object) -> AuditValue:
    """Return a value of the domain as JSON has it, with long texts and lists cut off."""
    match value:
        case None | bool() | float():
            return value
        case GroupSetting():
            return plain(value.as_sent())
        case Enum():
            return plain(value.value)
        case int():
            return int(value)
        case str():
            return value if len(value) <= MAX_TEXT else value[: MAX_TEXT - 1] + "…"
        case Mapping():
            parts = [(str(name), part) for name, part in value.items() if name not in WITHHELD]
            return {name: plain(part) for name, part in parts[:MAX_ITEMS]}
        case set() | frozenset():
            return plain(sorted(value))
        case list() | tuple():
            items = [plain(item) for item in value[:MAX_ITEMS]]
            return items if len(value) <= MAX_ITEMS else [*items, f"… and {len(value) - MAX_ITEMS} more"]
        case _ if is_dataclass(value):
            return plain({field.name: getattr(value, field.name) for field in fields(value)})
    raise TypeError(f"an audit log has no {type(value).__name__}")


def limited(values: Mapping[str, object]) -> AuditValues:
    """Return values as JSON has them; only their names, if all are longer than `MAX_SIZE`."""
    plain_values = {name: plain(value) for name, value in values.items()}
    if len(json.dumps(plain_values, ensure_ascii=False)) > MAX_SIZE:
        return {"changed": plain(list(plain_values))}
    return plain_values


def separate_personal(
    before: Mapping[str, object], after: Mapping[str, object]
) -> tuple[AuditValues, AuditValues, Mapping[str, AuditValues]]:
    """Return the values before, the values after, and apart from them those that say who a person is, by
    moment ("before", "after").
    """
    personal: dict[str, AuditValues] = {}
    others: list[AuditValues] = []
    for moment, values in (("before", before), ("after", after)):
        others.append(limited({name: value for name, value in values.items() if name not in PERSONAL}))
        if named := {name: value for name, value in values.items() if name in PERSONAL}:
            personal[moment] = limited(named)
    old, new = others
    return old, new, personal


def difference(
    before: object,
    after: object,
    *,
    without: Collection[str] = (),
    absent: Callable[[str], object] = lambda name: None,
) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """Return the attributes in which two values of a dataclass differ, before and after. The entries of a
    mapping, such as permissions, count as attributes.

    :param without: attributes that do not count
    :param absent: gives the value of an entry that a mapping lacks
    """
    old, new = _attributes_of(before), _attributes_of(after)
    changed_from: dict[str, object] = {}
    changed_to: dict[str, object] = {}
    for name in {**old, **new}:
        if name in without:
            continue
        was = old[name] if name in old else absent(name)
        now = new[name] if name in new else absent(name)
        if was != now:
            changed_from[name], changed_to[name] = was, now
    return changed_from, changed_to


def _attributes_of(value: object) -> Mapping[str, object]:
    """Return the attributes of a dataclass by name; an attribute that is a mapping is replaced by its
    entries.
    """
    assert is_dataclass(value)
    attributes: dict[str, object] = {}
    for field in fields(value):
        attribute = getattr(value, field.name)
        if isinstance(attribute, Mapping):
            attributes.update(attribute)
        else:
            attributes[field.name] = attribute
    return attributes
