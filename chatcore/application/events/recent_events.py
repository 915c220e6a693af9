"""The newest events of the log, cached in a process for later polls."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from chatcore.domain.ids import Position
from chatcore.domain.limits import Limits
from chatcore.events.sending import EventToSend

ASSUMED_SIZE: Final = 2**15
"""Minimum size in bytes assumed for a new event until all are measured: its payloads are made only when it is
sent.
"""


class RecentEvents:
    """Events with their payloads as they were sent, as many as the limits allow; without locks."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._events: deque[EventToSend] = deque()
        self._unmeasured = 0
        """The bytes assumed for the events that came since `_measure`."""
        self._from = Position(0)
        """The cache has all events after this position."""

    @property
    def size(self) -> int:
        """Return the bytes of all events, as far as they are measured."""
        return sum(event.size for event in self._events)

    def begin(self, position: Position) -> None:
        """Forget everything, and start with the events after *position*."""
        self._events.clear()
        self._from = position

    def add(self, events: Sequence[EventToSend]) -> None:
        """Add the next events; the oldest are dropped if they are too many or too large."""
        self._events.extend(events)
        while len(self._events) > self._limits.max_remembered_events:
            self._forget_oldest()
        self._unmeasured += sum(max(event.size, ASSUMED_SIZE) for event in events)
        if self._unmeasured > self._limits.max_remembered_size // 16:
            self._measure()

    def _measure(self) -> None:
        """Measure all events, and drop the oldest beyond the limit.

        `add` calls it rarely, as measuring costs more than most events.
        """
        self._unmeasured = 0
        size = self.size
        while size > self._limits.max_remembered_size:
            size -= self._forget_oldest().size

    def _forget_oldest(self) -> EventToSend:
        oldest = self._events.popleft()
        self._from = oldest.position
        return oldest

    def between(self, position: Position, head: Position) -> list[EventToSend] | None:
        """Return the events after *position* up to *head*, or None if the cache does not have all of them."""
        if position < self._from:
            return None
        newest_first = []
        for event in reversed(self._events):
            if event.position <= position:
                break
            if event.position <= head:
                newest_first.append(event)
        return newest_first[::-1]
