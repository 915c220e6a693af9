"""Every class of events is written to the log, has a formatter, and has the types of what it contains."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from chatcore.application.events.late_fields import ListType
from chatcore.events import sending
from chatcore.events.happened import AnyEvent, Event, ListChanged, Unreadable

CLASSES = get_args(AnyEvent)


def all_kinds(base: type[Event] = Event) -> Iterator[type[Event]]:
    """Yield the classes that are written to the log: those with a tag of their own."""
    for kind in base.__subclasses__():
        if kind.__module__.startswith("chatcore."):
            if not kind.__subclasses__():
                yield kind
            yield from all_kinds(kind)


def test_every_class_is_in_the_union_of_events() -> None:
    """The log decodes the union alone; what it cannot decode is `Unreadable`."""
    assert set(all_kinds()) == {*CLASSES, Unreadable}


def test_every_class_has_one_formatter() -> None:
    formatters = Counter(one.event_class for table in sending.TABLES for one in table.FORMATTERS)
    assert formatters == Counter(CLASSES)
    assert sending.FORMATTERS.keys() == set(CLASSES)


def test_every_list_has_a_reader() -> None:
    assert set(get_args(ListType)) == {kind.type for kind in CLASSES if issubclass(kind, ListChanged)}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_fields_have_types(kind: type[Event]) -> None:
    untyped = [field.name for field in msgspec.structs.fields(kind) if mentions_any(field.type)]
    assert untyped == []


def mentions_any(annotation: object) -> bool:
    return annotation is Any or any(mentions_any(part) for part in get_args(annotation))
