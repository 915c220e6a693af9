"""Payloads: one for each kind of event that clients receive, with the fields that are sent.

Each event that a test receives over HTTP is held against its payload by `Line`
(`tests/worlds/organization.py`).
"""

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest

import chatcore
from chatcore.events.payloads import event as payloads
from chatcore.events.payloads.event import PAYLOADS, Event
from scripts.build_payload_objects import TARGET, build
from tests.worlds.clients.events import APPLY


def test_each_kind_of_event_has_one_payload() -> None:
    assert PAYLOADS.keys() == {*APPLY, ("heartbeat", None)}
    assert sum(len([*payloads.names_of(payload)]) for payload in get_args(Event)) == len(PAYLOADS)


def test_objects_are_made_from_the_shapes_that_are_encoded() -> None:
    assert TARGET.read_text(encoding="utf-8") == build()


JSON = {bool, int, float, str, list, dict, tuple, type(None)}
"""The classes of what is read of JSON, beside dictionaries with known keys."""


def _parts(kind: Any) -> Iterator[Any]:
    """Yield a type and all types inside it."""
    yield kind
    inside = get_type_hints(kind).values() if is_typeddict(kind) else get_args(kind)
    for part in inside:
        yield from _parts(part)


def test_payloads_contain_no_class_with_attributes() -> None:
    parts = {part for payload in PAYLOADS.values() for part in _parts(payload) if isinstance(part, type)}
    assert payloads.MessageObject in parts
    assert [part for part in parts if not is_typeddict(part) and part not in JSON] == []


def test_payloads_can_be_imported_from_the_package() -> None:
    assert {payload.__name__ for payload in get_args(Event)} <= {*payloads.__all__}
    assert all(getattr(chatcore, name) is getattr(payloads, name) for name in payloads.__all__)


def test_other_names_are_not_in_the_package() -> None:
    for name in ("NoSuchEvent", "no_such_function"):
        with pytest.raises(AttributeError):
            getattr(chatcore, name)
