"""Base classes of events."""

from typing import ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """Base of all events. `type` is the API's name, by which queues select events."""

    type: ClassVar[str]

    @property
    def position_count(self) -> int:
        """Number of log positions that the event occupies, for clients that receive it as several events; its
        own position is the last of them.
        """
        return 1


class Unreadable(Event, frozen=True, kw_only=True):
    """A stand-in for an event in the log that this version cannot read: a newer one has written it."""

    type = ""
    event_type: str
    """Its type, by which queues have selected it."""


class ListChanged(Event, frozen=True, kw_only=True):
    """A list has changed. Clients receive the whole list as it is when the event is sent."""
