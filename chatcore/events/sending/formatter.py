"""The kinds of formatters: one JSON object for an event, several, or a list read when it is sent."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from chatcore.domain.ids import Position
from chatcore.events.happened import Event, ListChanged
from chatcore.events.sending.event import Fields, WireEvent
from chatcore.events.sending.listener import Listener

E = TypeVar("E", bound=Event)
L = TypeVar("L", bound=ListChanged)


@dataclass(frozen=True, slots=True)
class Formatter(Generic[E]):
    """The formatter of one class of events."""

    event_class: type[E]
    forms: Callable[[E, WireEvent, Listener, Position], Iterable[bytes]]
    """Returns what a listener receives after a position; nothing if the client does not accept the event."""


def same_client(event: Event, listener: Listener) -> Hashable:
    """Return a key for a form that depends only on the capabilities of the client."""
    return listener.capabilities


def same_client_and_people(event: Event, listener: Listener) -> Hashable:
    """Return a key as above, unless the form depends on the users who are visible to the listener."""
    return listener.capabilities if listener.knows is None else None


def nobody_else(event: Event, listener: Listener) -> Hashable:
    """Return no key: the form is for one listener."""
    return None


def form(
    event_class: type[E],
    fields: Callable[[E, Listener], Fields | None],
    same_for: Callable[[E, Listener], Hashable] = same_client,
) -> Formatter[E]:
    """Return a formatter for events that are sent as one object.

    *fields* returns None if the listener is not notified. *same_for* returns a key that is equal for
    listeners who receive the same, or None.
    """

    def forms(event: E, wire: WireEvent, listener: Listener, after: Position) -> Iterable[bytes]:
        def make() -> bytes | None:
            found = fields(event, listener)
            return None if found is None else wire.encoded(found)

        encoded = wire.kept(same_for(event, listener), make)
        return () if encoded is None else (encoded,)

    return Formatter(event_class, forms)


def form_for_each_position(
    event_class: type[E], fields: Callable[[E, Listener], Iterator[Fields]]
) -> Formatter[E]:
    """Return a formatter for events that are sent as several objects, each with its own position."""

    def forms(event: E, wire: WireEvent, listener: Listener, after: Position) -> Iterable[bytes]:
        first = wire.position - event.position_count + 1
        begin = max(first, after + 1)
        for position, one in enumerate(islice(fields(event, listener), begin - first, None), begin):
            yield wire.encoded(one, Position(position))

    return Formatter(event_class, forms)


def always(listener: Listener) -> bool:
    return True


def whole_list(event_class: type[L], accepts: Callable[[Listener], bool] = always) -> Formatter[L]:
    """Return a formatter for lists that are read when the event is sent."""

    def forms(event: L, wire: WireEvent, listener: Listener, after: Position) -> Iterable[bytes]:
        return (listener.late.lists[event.type].form(event.type, wire.position),) if accepts(listener) else ()

    return Formatter(event_class, forms)
