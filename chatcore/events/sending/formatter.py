"""The kinds of formatters: one payload for an event, several, or a list read when it is sent."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from chatcore.domain.ids import Position
from chatcore.events.happened import Event, ListChanged
from chatcore.events.payloads.parts import Payload
from chatcore.events.sending.event import EventToSend, encode
from chatcore.events.sending.listener import Listener

E = TypeVar("E", bound=Event)
L = TypeVar("L", bound=ListChanged)


@dataclass(frozen=True, slots=True)
class Formatter(Generic[E]):
    """The formatter of one class of events."""

    event_class: type[E]
    payloads: Callable[[E, EventToSend, Listener, Position], Iterable[bytes]]
    """Returns what a listener receives after a position, as JSON; nothing if the client does not accept the
    event.
    """


def same_client(event: Event, listener: Listener) -> Hashable:
    """Return a key for a payload that depends only on the capabilities of the client."""
    return listener.capabilities


def same_client_and_people(event: Event, listener: Listener) -> Hashable:
    """Return a key as `same_client` does, but none if the listener is a guest who sees only some users."""
    return listener.capabilities if listener.knows is None else None


def nobody_else(event: Event, listener: Listener) -> Hashable:
    """Return no key: the payload is for one listener."""
    return None


def one_payload(
    event_class: type[E],
    format_event: Callable[[E, Listener, Position], Payload | None],
    same_for: Callable[[E, Listener], Hashable] = same_client,
) -> Formatter[E]:
    """Return a formatter for events that are sent as one object.

    *format_event* returns None if the listener is not notified. *same_for* returns a key that is equal for
    listeners who receive the same, or None.
    """

    def payloads(event: E, to_send: EventToSend, listener: Listener, after: Position) -> Iterable[bytes]:
        def make() -> bytes | None:
            payload = format_event(event, listener, to_send.position)
            return None if payload is None else encode(payload)

        encoded = to_send.get_or_make(same_for(event, listener), make)
        return () if encoded is None else (encoded,)

    return Formatter(event_class, payloads)


def payload_for_each_position(
    event_class: type[E], format_event: Callable[[E, Listener, Position], Iterator[Payload]]
) -> Formatter[E]:
    """Return a formatter for events that are sent as several objects, each with its own position.

    *format_event* is called with the first of these positions; the last one is the event's own.
    """

    def payloads(event: E, to_send: EventToSend, listener: Listener, after: Position) -> Iterable[bytes]:
        first = Position(to_send.position - event.position_count + 1)
        received_count = max(after - first + 1, 0)
        return map(encode, islice(format_event(event, listener, first), received_count, None))

    return Formatter(event_class, payloads)


def always(listener: Listener) -> bool:
    return True


def whole_list(event_class: type[L], accepts: Callable[[Listener], bool] = always) -> Formatter[L]:
    """Return a formatter for lists that are read when the event is sent."""

    def payloads(event: L, to_send: EventToSend, listener: Listener, after: Position) -> Iterable[bytes]:
        if not accepts(listener):
            return ()
        return (listener.late.lists[event.type].payload_at(to_send.position),)

    return Formatter(event_class, payloads)
