"""What one process knows about event queues besides their rows in the store."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from chatcore.domain.ids import Position, QueueId
from chatcore.events.queue import Queue

GRACE = 120.0
"""Seconds that a queue lives at least after this process has first read its row: another process in which it
is in use writes that down every minute."""


MOST_WITHOUT_UPKEEP = 10_000


class Note(NamedTuple):
    """What the store is to know of a queue."""

    queue_id: QueueId
    acknowledged: Position
    used: float
    """When it was last in use, by the monotonic clock."""
    last_seen: float
    """The same by the clock on the wall."""


class QueueNotes:
    """When queues were last in use, and what their clients have acknowledged; not locked.

    The clock on the wall can be set, so it decides nothing about a queue that this process has known for a
    while: its idle time is measured by the monotonic clock, from its last poll here or since its row last
    changed. `last_seen` in the row, by the clock on the wall, is the beginning for a process that has just
    started. (`docs/decisions/0030`)
    """

    def __init__(self, clock: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._clock = clock
        self._monotonic = monotonic
        self._used: dict[QueueId, float] = {}
        self._read: dict[QueueId, tuple[float, float]] = {}
        """`last_seen` of the row, and since when it is idle if that is right."""
        self._unwritten: dict[QueueId, tuple[Position, float]] = {}
        """Acknowledged positions and last uses that are not stored yet: losing them repeats events."""
        self._looked: dict[QueueId, Position] = {}

    # -- use ----------------------------------------------------------------------------------------

    def use(self, queue_id: QueueId) -> None:
        """Note that the client of a queue is here."""
        self._used[queue_id] = self._monotonic()

    def begin(self, queue: Queue) -> None:
        """Note a queue that was just made here."""
        self.use(queue.id)
        self._read[queue.id] = queue.last_seen, self._used[queue.id]

    def idle(self, queue: Queue) -> float:
        """Seconds since the queue was last in use, as far as it is known here."""
        now = self._monotonic()
        last_seen, since = self._read.get(queue.id, (None, 0.0))
        if last_seen != queue.last_seen:
            age = min(self._clock() - queue.last_seen, queue.registration.lifespan - GRACE)
            since = now - max(0.0, age)
            self._read[queue.id] = queue.last_seen, since
        return now - max(since, self._used.get(queue.id, -math.inf))

    # -- what was acknowledged ----------------------------------------------------------------------

    def acknowledge(self, queue: Queue, position: Position | None = None) -> None:
        """Note that the client is here, and has everything up to *position*."""
        known = self.acknowledged(queue)
        self.use(queue.id)
        self._unwritten[queue.id] = max(known, position or known), self._used[queue.id]

    def acknowledged(self, queue: Queue) -> Position:
        return max(queue.acknowledged, self._unwritten.get(queue.id, (queue.acknowledged, 0.0))[0])

    def unwritten(self) -> Sequence[Note]:
        """What the store does not know yet."""
        passed = self._clock() - self._monotonic()
        return [Note(queue_id, at, used, used + passed) for queue_id, (at, used) in self._unwritten.items()]

    def written(self, notes: Iterable[Note]) -> None:
        """Forget what the store knows now; what has come to it meanwhile stays."""
        for note in notes:
            self._read[note.queue_id] = note.last_seen, note.used
            if self._unwritten.get(note.queue_id) == (note.acknowledged, note.used):
                del self._unwritten[note.queue_id]

    # -- what was looked through --------------------------------------------------------------------

    def look(self, queue_id: QueueId, position: Position) -> None:
        """Note that up to *position* the log has nothing that the client was not given and acknowledged."""
        self._looked[queue_id] = max(position, self._looked.get(queue_id, position))

    def looked(self, queue_id: QueueId) -> Position:
        return self._looked.get(queue_id, Position(0))

    # -- upkeep -------------------------------------------------------------------------------------

    def shed(self) -> None:
        """Forget all queues where they are many, as no upkeep does: some live a bit longer for it."""
        if len(self._read) >= MOST_WITHOUT_UPKEEP:
            self.keep_only(())

    def keep_only(self, queue_ids: Collection[QueueId]) -> None:
        """Forget queues that are gone, but not what has yet to be written."""
        kept = {*queue_ids, *self._unwritten}
        self._used = {one: used for one, used in self._used.items() if one in kept}
        self._read = {one: read for one, read in self._read.items() if one in kept}
        self._looked = {one: looked for one, looked in self._looked.items() if one in kept}
