"""Types of events: one for each kind that clients receive, with the fields that are sent.

Each event that a test receives over HTTP is held against its type by `Line` (`tests/worlds/organization.py`).
"""

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints, is_typeddict

import msgspec
import pytest

import chatcore
from chatcore.events import forms
from chatcore.events.forms import FORMS, Event
from scripts.build_payload_objects import TARGET, build
from tests.worlds.clients.events import APPLY


def test_each_kind_of_event_has_one_type() -> None:
    assert FORMS.keys() == {*APPLY, ("heartbeat", None)}
    assert sum(len([*forms.names_of(form)]) for form in get_args(Event)) == len(FORMS)


def test_objects_are_made_from_the_shapes_that_are_encoded() -> None:
    assert TARGET.read_text(encoding="utf-8") == build()


def _parts(kind: Any) -> Iterator[Any]:
    """Yield a type and all types inside it."""
    yield kind
    inside = get_type_hints(kind).values() if is_typeddict(kind) else get_args(kind)
    for part in inside:
        yield from _parts(part)


def test_events_contain_no_class_with_attributes() -> None:
    parts = {part for form in FORMS.values() for part in _parts(form) if isinstance(part, type)}
    assert forms.MessageObject in parts
    assert not [part for part in parts if issubclass(part, msgspec.Struct)]


def test_types_of_events_can_be_imported_from_the_package() -> None:
    named = [*forms.channels.__all__, *forms.messages.__all__, *forms.organization.__all__]
    assert forms.__all__ == ["Event", *named, *forms.people.__all__]
    assert {form.__name__ for form in get_args(Event)} <= {*forms.__all__}
    assert all(getattr(chatcore, name) is getattr(forms, name) for name in forms.__all__)


def test_other_names_are_not_in_the_package() -> None:
    for name in ("NoSuchEvent", "no_such_function"):
        with pytest.raises(AttributeError):
            getattr(chatcore, name)
