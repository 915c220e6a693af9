"""One poll that waits."""

import threading
from collections.abc import Sequence

from chatcore.domain.errors import ChatError
from chatcore.domain.ids import Position, UserId
from chatcore.events.queue import Queue


class Waiter:
    """One poll that waits: for events of its queue, for a heartbeat, or to be told to look again."""

    def __init__(self, queue: Queue, user_id: UserId, position: Position, due: float) -> None:
        self.queue = queue
        self.user_id = user_id
        self.position = position
        """How far the poll has looked at the log."""
        self.due = due
        """When it gets a heartbeat, by the monotonic clock."""
        self.heartbeat: Position | None = None
        """The one that was noted with its queue, and is about to be sent."""
        self._turn = threading.Event()
        self._events: Sequence[bytes] | None = None
        self._error: ChatError | None = None

    def wait(self, seconds: float) -> Sequence[bytes] | None:
        """The events as JSON, or none of them after so many seconds; None to look again.

        :raises ChatError: the queue is gone, or its owner's account is deactivated
        """
        if not self._turn.wait(seconds):
            return []
        if self._error is not None:
            raise self._error
        return self._events

    def answer(self, events: Sequence[bytes]) -> None:
        self._events = events
        self._turn.set()

    def fail(self, error: ChatError) -> None:
        self._error = error
        self._turn.set()

    def look_again(self) -> None:
        self._turn.set()
