"""Waiting polls, and the interface of the event hub, which answers them."""

from collections.abc import Callable, Sequence
from typing import Protocol

from chatcore.domain.errors import ChatError
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.events.queue import Queue
from chatcore.events.sending import EventToSend
from chatcore.runtime.signals import Signal


class Distribution:
    """The answers that events of the log cause, until all of them are on their way.

    Polls that begin meanwhile wait behind them: most come from clients that were answered, and poll again at
    once. Those who count the answers hold the lock of the hub.
    """

    def __init__(self) -> None:
        self.is_over = Signal()
        self.ended = 0
        """The number of parts that have ended: answers that were taken, and the hub's own part."""
        self._left = 1
        """The answers on which polls still have to be woken, and one for the hub that makes them."""

    def add(self) -> None:
        self._left += 1

    def give_up(self) -> None:
        """Keep nobody waiting any longer."""
        self.is_over.set()

    def end_one(self) -> None:
        self.ended += 1
        self._left -= 1
        if not self._left:
            self.is_over.set()


class Waiter:
    """A poll that waits for events of its queue, for a heartbeat, or for a request to look again."""

    def __init__(self, queue: Queue, user_id: UserId, position: Position, due: float) -> None:
        self.queue = queue
        self.user_id = user_id
        self.position = position
        """The position up to which the poll has read the log."""
        self.due = due
        """The time of its heartbeat, by the monotonic clock."""
        self.heartbeat_position: Position | None = None
        """The heartbeat that is stored with its queue, and is about to be sent."""
        self.ready = Signal()
        """Set when `wait` would return without waiting."""
        self.distribution: Distribution | None = None
        """The distribution that has its answer, until the poll has taken it."""
        self._events: Sequence[bytes] | None = None
        self._error: ChatError | None = None

    def wait(self, seconds: float) -> Sequence[bytes] | None:
        """Wait for at most this number of seconds. Return the events as JSON (none after that time), or None
        if the poll has to look again.

        :raises ChatError: the queue no longer exists, or its owner's account is deactivated
        """
        if not self.ready.wait(seconds):
            return []
        if self._error is not None:
            raise self._error
        return self._events

    @property
    def ended_empty(self) -> bool:
        """Whether the poll was answered without events, for example because the server stops."""
        return self._events is not None and not self._events

    def answer(self, events: Sequence[bytes]) -> None:
        self._events = events
        self.wake()

    def fail(self, error: ChatError) -> None:
        self._error = error
        self.wake()

    def wake(self) -> None:
        self.ready.set()


class Hub(Protocol):
    """The waiting polls of one process; `chatcore.application.events.hub` implements and describes it."""

    chores: list[Callable[[], None]]
    """Periodic tasks, run by whichever process has time."""

    @property
    def waiting(self) -> int: ...

    @property
    def lag(self) -> float: ...

    @property
    def stopped(self) -> bool: ...

    def register(self, queue: Queue) -> None: ...

    def wait(self, queue: Queue, user_id: UserId, position: Position, due: float | None = None) -> Waiter: ...

    def leave(self, waiter: Waiter) -> None: ...

    def let_answers_go_first(self) -> None: ...

    def end_poll(self, queue_id: QueueId) -> None: ...

    def acknowledge(self, queue: Queue, position: Position, head: Position, caught_up: Position) -> None: ...

    def acknowledged_position(self, queue: Queue) -> Position: ...

    def caught_up(self, queue: Queue) -> Position: ...

    def idle(self, queue: Queue) -> float: ...

    def remembered_events(self, position: Position, head: Position) -> list[EventToSend] | None: ...

    def maintain(self) -> bool: ...

    def stop(self) -> None: ...
