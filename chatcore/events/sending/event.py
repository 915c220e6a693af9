"""An event at its position in the log, with the payloads that were already encoded."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

import msgspec

from chatcore.domain.ids import Position
from chatcore.events.audience import Audience, PlacesSeen
from chatcore.events.happened import AnyEvent, MessageEdited, Unreadable
from chatcore.events.payloads.organization import HeartbeatEvent

Encoded = TypeVar("Encoded", bytes, msgspec.Raw)

Object = TypeVar("Object")

encode = msgspec.json.Encoder().encode


def written_as(kind: type[Object], part: msgspec.Struct | msgspec.Raw | None) -> Object:
    """Return *part* itself, typed as the dictionary that `encode` writes for it."""
    return cast(Object, part)


class EventToSend:
    """An event at its position in the log. Payloads for many queues are encoded once and kept with it."""

    def __init__(
        self, position: Position, event: AnyEvent | Unreadable, audience: Audience, size: int = 0
    ) -> None:
        self.position = position
        self.event = event
        self.audience = audience
        self.size = size
        """Approximate size in bytes, including the kept payloads."""
        self._kept: dict[Hashable, Any] = {}

    def as_seen(self, places: PlacesSeen) -> "EventToSend":
        """Return the event for a reader who may no longer read all places of a move."""
        event = self.event
        if all(places) or not isinstance(event, MessageEdited) or event.new_channel_id is None:
            return self
        return EventToSend(self.position, event.as_seen(places), self.audience)

    def get_or_make(self, key: Hashable, make: Callable[[], Encoded | None]) -> Encoded | None:
        """Return the JSON that is kept under *key*; if there is none, make it and keep it.

        All JSON under one key has the same type. The key None is for JSON that only one listener needs, which
        is not kept. An answer None of *make* is not kept, either.
        """
        if key is None:
            return make()
        if (encoded := self._kept.get(key)) is None and (encoded := make()) is not None:
            self._kept[key] = encoded
            self.size += len(bytes(encoded))
        return encoded


def heartbeat(position: Position) -> bytes:
    """Return the event that ends a poll without other events."""
    payload: HeartbeatEvent = {"type": "heartbeat", "id": position}
    return encode(payload)
