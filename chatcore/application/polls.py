"""Waiting polls, and the interface of the event hub, which answers them."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from chatcore.application.rate_limits import Window
from chatcore.domain.errors import ChatError
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.events.queue import Queue
from chatcore.events.wire import WireEvent


class Waiter:
    """A poll that waits for events of its queue, for a heartbeat, or for a request to look again."""

    def __init__(self, queue: Queue, user_id: UserId, position: Position, due: float) -> None:
        self.queue = queue
        self.user_id = user_id
        self.position = position
        """The position up to which the poll has read the log."""
        self.due = due
        """The time of its heartbeat, by the monotonic clock."""
        self.heartbeat: Position | None = None
        """The heartbeat that is stored with its queue, and is about to be sent."""
        self._ready = threading.Event()
        self._when_ready: Callable[[], object] | None = None
        self._events: Sequence[bytes] | None = None
        self._error: ChatError | None = None

    def wait(self, seconds: float) -> Sequence[bytes] | None:
        """Wait for at most this number of seconds. Return the events as JSON (none after that time), or None
        if the poll has to look again.

        :raises ChatError: the queue no longer exists, or its owner's account is deactivated
        """
        if not self._ready.wait(seconds):
            return []
        if self._error is not None:
            raise self._error
        return self._events

    @property
    def is_ended(self) -> bool:
        """Whether the poll has ended without events, for example because the server stops."""
        return self._events is not None and not self._events

    def when_ready(self, notify: Callable[[], object]) -> None:
        """Have *notify* called, in any thread and perhaps twice, when `wait` would return without waiting."""
        self._when_ready = notify
        if self._ready.is_set():
            notify()

    def answer(self, events: Sequence[bytes]) -> None:
        self._events = events
        self.wake()

    def fail(self, error: ChatError) -> None:
        self._error = error
        self.wake()

    def wake(self) -> None:
        self._ready.set()
        if self._when_ready is not None:
            self._when_ready()


class Suspended(BaseException):
    """A poll waits without a thread, and continues when it is called again.

    No handler of errors catches this on its way to the server.
    """


class Suspension:
    """The state of a poll that waits without a thread, between its calls."""

    def __init__(self) -> None:
        self.waiter: Waiter | None = None
        self.is_given_up = False
        self.seconds = 0.0
        """The time that the poll waits at most."""
        self.window: Window | None = None
        """The strictest limit that has counted the poll, which it does once."""
        self.leave: Callable[[Waiter], None] = _nothing
        self.last_answer: Callable[..., Any] | None = None
        """A WSGI application that answers a request after `stop`, without the store."""

    @property
    def has_waited(self) -> bool:
        return self.waiter is not None

    def stop(self) -> None:
        """Answer the poll without events, as the server stops."""
        if self.waiter is not None:
            self.waiter.answer([])

    def give_up(self) -> None:
        """End the poll, whose client has left; if it runs in a thread just now, before it waits."""
        self.is_given_up = True
        if self.waiter is not None:
            self.leave(self.waiter)


def _nothing(waiter: Waiter) -> None:
    pass


class Hub(Protocol):
    """The waiting polls of one process; `chatcore.application.events.hub` implements it."""

    chores: list[Callable[[], None]]
    """Periodic tasks, run by whichever process has time."""

    @property
    def waiting(self) -> int: ...

    @property
    def stopped(self) -> bool: ...

    def register(self, queue: Queue) -> None: ...

    def wait(self, queue: Queue, user_id: UserId, position: Position, due: float | None = None) -> Waiter: ...

    def leave(self, waiter: Waiter) -> None: ...

    def end_poll(self, queue_id: QueueId) -> None: ...

    def acknowledge(self, queue: Queue, position: Position, head: Position, caught_up: Position) -> None: ...

    def acknowledged(self, queue: Queue) -> Position: ...

    def caught_up(self, queue: Queue) -> Position: ...

    def idle(self, queue: Queue) -> float: ...

    def remembered(self, position: Position, head: Position) -> list[WireEvent] | None: ...

    def maintain(self) -> bool: ...

    def stop(self) -> None: ...
