"""Comparison of values with the description of the API's fields in `tests.reference`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

CONDITIONAL = {"demo_organization_scheduled_deletion_date"}


def described_fields(reference: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[str], bool]]:
    """Yield each field that we have: its name, one of its types or all of them, and whether it is legacy."""
    for name, field in reference["fields"].items():
        condition = field["present_if"]
        if isinstance(condition, str) or name in CONDITIONAL:
            continue
        needed = condition.get("all_of") or condition["event_types"]
        yield name, frozenset(needed), "capability_absent" in condition


NUMBER = (int, float)
KINDS: Mapping[str, type | tuple[type, ...]] = {
    "boolean": bool,
    "integer": int,
    "number": NUMBER,
    "string": str,
    "array": list,
    "object": dict,
}


def mismatches(
    described: Mapping[str, Any], value: Any, where: str, types: Mapping[str, Any]
) -> Iterable[str]:
    """Yield the places where a JSON value contradicts its description."""
    if value is None and described.get("nullable"):
        return
    if "ref" in described:
        yield from mismatches(types[described["ref"]], value, where, types)
        return
    if "one_of" in described:
        found = [list(mismatches(one, value, where, types)) for one in described["one_of"]]
        if all(found):
            yield f"{where}: none of the alternatives: {value!r}"
        return
    kind = described["type"]
    fits = isinstance(value, KINDS[kind]) and isinstance(value, bool) == (kind == "boolean")
    if not fits:
        yield f"{where}: {value!r} is no {kind}"
    elif kind == "array":
        for item in value:
            yield from mismatches(described["items"], item, f"{where}[]", types)
    elif "values" in described:
        for key, item in value.items():
            yield from mismatches(described["values"], item, f"{where}[{key!r}]", types)
    elif kind == "object":
        yield from _field_mismatches(described, value, where, types)
    elif "enum" in described and value not in described["enum"]:
        yield f"{where}: {value!r} is not in the list"


def _field_mismatches(
    described: Mapping[str, Any], value: Mapping[str, Any], where: str, types: Mapping[str, Any]
) -> Iterable[str]:
    base = types[described["extends"]]["fields"] if "extends" in described else {}
    fields = {**base, **described.get("fields", {})}
    for name in described.get("without", ()):
        fields.pop(name)
    for name, field in fields.items():
        if name in value:
            yield from mismatches(field, value[name], f"{where}.{name}", types)
        elif not field.get("optional") and name not in MAY_BE_ABSENT:
            yield f"{where}.{name} is missing"
    for name in set(value) - set(fields):
        yield f"{where}.{name} is not described"


MAY_BE_ABSENT = frozenset({"wildcard_mentions_notify"})
"""Fields absent for clients without the capability `notification_settings_null`."""
