"""The newest events of the log, as a process keeps them in memory for the polls to come."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from chatcore.domain.ids import Position
from chatcore.domain.limits import Limits
from chatcore.events.wire import WireEvent

ASSUMED_SIZE: Final = 2**15
"""Bytes that a new event counts for at least until all are measured: its forms are made when it is told."""


class RecentEvents:
    """Events in the forms in which they were sent, no more of them than the limits say; not locked."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._events: deque[WireEvent] = deque()
        self._unmeasured = 0
        self._from = Position(0)
        """Everything that came after this position is here."""

    def begin(self, position: Position) -> None:
        """Forget everything, and begin with what comes after *position*."""
        self._events.clear()
        self._from = position

    def add(self, events: Sequence[WireEvent]) -> None:
        """Add what came next; the oldest go where there are too many, or where they are too large."""
        self._events.extend(events)
        while len(self._events) > self._limits.max_remembered_events:
            self._forget_oldest()
        self._unmeasured += sum(max(event.size, ASSUMED_SIZE) for event in events)
        if self._unmeasured > self._limits.max_remembered_size // 16:
            self._measure()

    def _measure(self) -> None:
        """To look at all of them each time would cost more than most events."""
        self._unmeasured = 0
        size = sum(event.size for event in self._events)
        while size > self._limits.max_remembered_size:
            size -= self._forget_oldest().size

    def _forget_oldest(self) -> WireEvent:
        oldest = self._events.popleft()
        self._from = oldest.position
        return oldest

    def between(self, position: Position, head: Position) -> list[WireEvent] | None:
        """The events after *position* up to *head*, or None where they are not all here."""
        if position < self._from:
            return None
        newest_first = []
        for event in reversed(self._events):
            if event.position <= position:
                break
            if event.position <= head:
                newest_first.append(event)
        return newest_first[::-1]
