"""An event at its position in the log, with the forms that were already encoded."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

import msgspec

from chatcore.domain.ids import Position
from chatcore.events.audience import Audience, PlacesSeen
from chatcore.events.happened import AnyEvent, MessageEdited, Unreadable

Fields = Mapping[str, Any]
"""The JSON fields of an event, without its position."""
Encoded = TypeVar("Encoded", bytes, msgspec.Raw)

encode = msgspec.json.Encoder().encode


class WireEvent:
    """An event at its position in the log. Forms that many queues want are encoded once and kept with it."""

    def __init__(
        self, position: Position, event: AnyEvent | Unreadable, audience: Audience, size: int = 0
    ) -> None:
        self.position = position
        self.event = event
        self.audience = audience
        self.size = size
        """Approximate size in bytes, including the kept forms."""
        self._kept: dict[Hashable, Any] = {}

    def as_seen(self, places: PlacesSeen) -> "WireEvent":
        """Return the event for a reader who may no longer read all places of a move."""
        event = self.event
        if all(places) or not isinstance(event, MessageEdited) or event.new_channel_id is None:
            return self
        return WireEvent(self.position, event.as_seen(places), self.audience)

    def kept(self, key: Hashable, make: Callable[[], Encoded | None]) -> Encoded | None:
        """Return the form that is kept under *key*; if there is none, make it and keep it.

        All forms under one key have the same type. A form that is None is not kept, nor is any form under the
        key None, which stands for a form that only one listener needs.
        """
        if key is None:
            return make()
        if (form := self._kept.get(key)) is None and (form := make()) is not None:
            self._kept[key] = form
            self.size += len(bytes(form))
        return form

    def encoded(self, fields: Fields, position: Position | None = None) -> bytes:
        """Return an event as JSON, at its own position or another one."""
        return encode({**fields, "id": self.position if position is None else position})


def heartbeat(position: Position) -> bytes:
    """Return the event that ends a poll without other events."""
    return encode({"type": "heartbeat", "id": position})
