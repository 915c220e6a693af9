"""State of event queues that one process holds besides their rows in the store."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from chatcore.domain.ids import Position, QueueId
from chatcore.events.queue import Queue

GRACE = 120.0
"""Minimum seconds that a queue lives after this process has first read its row: another process that uses the
queue stores that every minute.
"""
MOST_WITHOUT_UPKEEP = 10_000
"""Number of queues of which `shed` keeps nothing."""


class Note(NamedTuple):
    """The state of a queue to store."""

    queue_id: QueueId
    acknowledged: Position
    used_at: float
    """The time of its last use, by the monotonic clock."""
    last_seen: float
    """The time of its last use, by the wall clock."""


class _Row(NamedTuple):
    """The row of a queue as this process knows it."""

    last_seen: float
    previous: float
    """`last_seen` before this process stored a newer one; the snapshot of a request may be that old."""
    since: float
    """The time since which the queue is idle if the row is right, on the monotonic clock."""


class _Unwritten(NamedTuple):
    """The state of a queue that is not stored yet."""

    acknowledged: Position
    used_at: float
    """The time of its last use, by the monotonic clock."""


class QueueNotes:
    """The last uses of queues, and the positions that their clients have acknowledged; without locks.

    The wall clock can be set, so it does not decide about a queue that this process has known for a while:
    the idle time is measured by the monotonic clock, from the queue's last poll here or since its row last
    changed. `last_seen` in the row, by the wall clock, is the start for a process that has just started.
    (`docs/decisions/0030`)
    """

    def __init__(self, clock: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._clock = clock
        self._monotonic = monotonic
        self._used: dict[QueueId, float] = {}
        self._rows: dict[QueueId, _Row] = {}
        self._unwritten: dict[QueueId, _Unwritten] = {}
        """If these are lost, clients receive events again."""
        self._caught_up: dict[QueueId, Position] = {}

    # -- use ----------------------------------------------------------------------------------------

    def use(self, queue_id: QueueId) -> None:
        """Note that the client of a queue is active."""
        self._used[queue_id] = self._monotonic()

    def begin(self, queue: Queue) -> None:
        """Note a queue that was just created here."""
        self.use(queue.id)
        self._rows[queue.id] = _Row(queue.last_seen, queue.last_seen, self._used[queue.id])

    def idle(self, queue: Queue) -> float:
        """Return the seconds since the queue was last in use, as far as this process knows."""
        now = self._monotonic()
        row = self._rows.get(queue.id)
        if row is None or queue.last_seen not in (row.last_seen, row.previous):
            # The row is new to this process: the wall clock decides, but the queue lives for `GRACE` more.
            age = min(self._clock() - queue.last_seen, queue.registration.lifespan - GRACE)
            row = self._rows[queue.id] = _Row(queue.last_seen, queue.last_seen, now - max(0.0, age))
        return now - max(row.since, self._used.get(queue.id, -math.inf))

    # -- acknowledged positions ------------------------------------------------------------------

    def acknowledge(self, queue: Queue, position: Position | None = None) -> None:
        """Note that the client is active, and has everything up to *position*."""
        known = self.acknowledged_position(queue)
        self.use(queue.id)
        self._unwritten[queue.id] = _Unwritten(max(known, position or known), self._used[queue.id])

    def acknowledged_position(self, queue: Queue) -> Position:
        unwritten = self._unwritten.get(queue.id)
        return queue.acknowledged if unwritten is None else max(queue.acknowledged, unwritten.acknowledged)

    def unwritten(self) -> Sequence[Note]:
        """Return the notes that are not stored yet."""
        wall_minus_monotonic = self._clock() - self._monotonic()
        return [
            Note(queue_id, acknowledged, used_at, used_at + wall_minus_monotonic)
            for queue_id, (acknowledged, used_at) in self._unwritten.items()
        ]

    def begin_writing(self, notes: Iterable[Note]) -> None:
        """Note that the rows of queues are about to become these."""
        for note in notes:
            row = self._rows.get(note.queue_id)
            previous = note.last_seen if row is None else row.last_seen
            self._rows[note.queue_id] = _Row(note.last_seen, previous, note.used_at)

    def drop_written(self, notes: Iterable[Note]) -> None:
        """Drop notes that are stored now; newer ones of the same queues stay."""
        for note in notes:
            if self._unwritten.get(note.queue_id) == (note.acknowledged, note.used_at):
                del self._unwritten[note.queue_id]

    # -- positions without events for a queue ----------------------------------------------------

    def catch_up(self, queue_id: QueueId, position: Position) -> None:
        """Note that the client has acknowledged all of its events up to *position*."""
        self._caught_up[queue_id] = max(position, self._caught_up.get(queue_id, position))

    def caught_up(self, queue_id: QueueId) -> Position:
        return self._caught_up.get(queue_id, Position(0))

    # -- upkeep -------------------------------------------------------------------------------------

    @property
    def queue_ids(self) -> frozenset[QueueId]:
        """Return the queues of which there are notes."""
        return frozenset().union(self._used, self._rows, self._unwritten, self._caught_up)

    def shed(self) -> None:
        """Forget all queues if there are too many, in case upkeep does not run. Some queues live longer as a
        result.
        """
        if len(self._rows) >= MOST_WITHOUT_UPKEEP:
            self.keep_only(())

    def keep_only(self, queue_ids: Collection[QueueId]) -> None:
        """Forget queues that no longer exist, except for notes that are not stored yet."""
        kept = {*queue_ids, *self._unwritten}
        self._used = {queue_id: used for queue_id, used in self._used.items() if queue_id in kept}
        self._rows = {queue_id: row for queue_id, row in self._rows.items() if queue_id in kept}
        self._caught_up = {queue_id: to for queue_id, to in self._caught_up.items() if queue_id in kept}
