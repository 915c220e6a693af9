"""Upkeep of queues and the log: unused queues end, and events that no queue can need are deleted."""

from collections.abc import Callable, Collection
from typing import NamedTuple

from chatcore.application.groups.system_members import announce_new_full_members
from chatcore.application.queue_closing import close_queues
from chatcore.domain.ids import Position, QueueId
from chatcore.domain.limits import Limits
from chatcore.events.queue import Queue
from chatcore.storage import Storage, Transaction


class Tidied(NamedTuple):
    """The outcome of one time of upkeep."""

    living: Collection[QueueId]
    dead: Collection[QueueId]
    """The queues that ended; an older snapshot may still show them."""
    has_grown: bool
    """Whether the log has grown since the last time."""


class Upkeep:
    """The upkeep of one process."""

    def __init__(
        self,
        storage: Storage,
        limits: Limits,
        clock: Callable[[], float],
        monotonic: Callable[[], float],
        *,
        idle: Callable[[Queue], float],
        caught_up: Callable[[Queue], Position],
    ) -> None:
        """*idle* and *caught_up* are those of the hub, which knows the polls of this process."""
        self._storage = storage
        self._limits = limits
        self._clock = clock
        self._monotonic = monotonic
        self._idle = idle
        self._caught_up = caught_up
        self._old_head = Position(0)
        self._heads: list[tuple[float, Position]] = []
        """Times of upkeep within the last `event_queue_idle` seconds, each with the end of the log then."""

    def tidy(self) -> Tidied:
        before = self._old_head
        self._old_head, living, dead = self._storage.write(self._tidy)
        return Tidied(living, dead, self._old_head > before)

    def _tidy(self, tx: Transaction) -> tuple[Position, Collection[QueueId], Collection[QueueId]]:
        """Tidy up; return the newest position, the remaining queues, and those that ended.

        An event counts as lag of a queue, and is kept for it, unless it was found not to concern it.
        """
        head = tx.log.head()
        long_ago = self._head_long_ago(head)
        living: dict[QueueId, Position] = {}
        dead: list[QueueId] = []
        for queue in tx.queues.all():
            reached = max(queue.acknowledged, self._caught_up(queue))
            if queue.is_expired(self._idle(queue)) or long_ago - reached > self._limits.max_event_queue_lag:
                dead.append(queue.id)
            else:
                living[queue.id] = reached
        close_queues(tx, dead)
        # A queue that is being registered at this moment starts at a head that is not older than this.
        tx.log.forget(min((*living.values(), head, self._old_head)))
        announce_new_full_members(tx, int(self._clock()))
        return head, living.keys(), dead

    def _head_long_ago(self, head: Position) -> Position:
        """Return the end of the log as it was `event_queue_idle` seconds ago.

        Only older events count as lag: however many events one account causes within a few minutes, nobody
        who has polled since then loses a queue.
        """
        now = self._monotonic()
        since = now - self._limits.event_queue_idle
        self._heads.append((now, head))
        while len(self._heads) > 1 and self._heads[1][0] <= since:
            del self._heads[0]
        at, position = self._heads[0]
        return position if at <= since else Position(0)
