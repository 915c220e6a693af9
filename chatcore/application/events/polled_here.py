"""Coordination between processes: at most one poll waits for a queue."""

import secrets
import threading
from collections.abc import Callable, Collection

from chatcore.domain.ids import QueueId
from chatcore.storage import Storage

LOST = 10.0
"""Seconds after which a claim that was not received back counts as lost."""


class PolledHere:
    """The queues that were last polled in this process.

    The first poll of any other queue claims it: all processes on the store receive the claim, and end a
    waiting poll of the queue. All processes receive claims in the same order, and the later one holds. Claims
    are not stored; if one is lost, a poll waits for its heartbeat. (`docs/decisions/0030`)
    """

    def __init__(self, storage: Storage, monotonic: Callable[[], float]) -> None:
        self._storage = storage
        self._monotonic = monotonic
        self._name = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._mine: set[QueueId] = set()
        self._claimed: dict[QueueId, float] = {}
        """The time of a claim of a queue, until this process receives the claim back."""
        self._end_poll: Callable[[QueueId], None] = lambda queue_id: None

    def listen(self, end_poll: Callable[[QueueId], None]) -> None:
        """Call *end_poll* with queues that another process has claimed."""
        self._end_poll = end_poll
        self._storage.on_broadcast(self._on_broadcast)

    def claim(self, queue_id: QueueId) -> None:
        """Note a poll in this process; a poll that waits elsewhere ends."""
        if queue_id in self._mine:  # the usual case
            return
        with self._lock:
            self._mine.add(queue_id)
            self._claimed[queue_id] = self._monotonic()
        self._storage.broadcast(f"{self._name} {queue_id}")

    @property
    def queue_ids(self) -> frozenset[QueueId]:
        """Return the queues that were last polled here, or are claimed."""
        with self._lock:
            return frozenset(self._mine).union(self._claimed)

    def keep_only(self, queue_ids: Collection[QueueId]) -> None:
        """Forget all other queues."""
        with self._lock:
            self._mine = self._mine.intersection(queue_ids)
            self._claimed = {claimed: at for claimed, at in self._claimed.items() if claimed in self._mine}

    def _on_broadcast(self, text: str) -> None:
        name, _, claimed = text.partition(" ")
        queue_id = QueueId(claimed)
        with self._lock:
            at = self._claimed.get(queue_id)
            if name == self._name:
                self._claimed.pop(queue_id, None)
                return
            if at is not None and self._monotonic() - at < LOST:
                return  # our claim is later, and not received back yet
            self._mine.discard(queue_id)
        self._end_poll(queue_id)
