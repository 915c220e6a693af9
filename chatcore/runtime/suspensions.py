"""Requests that wait without a thread: they are suspended, and called again when they can continue.

A request waits for a turn of its account, and a poll for events.
"""

from collections.abc import Callable
from typing import Any, NoReturn

from chatcore.runtime.admission import Turn
from chatcore.runtime.polls import Waiter
from chatcore.runtime.rate_limits import LimitState
from chatcore.runtime.signals import Signal


class Suspended(BaseException):
    """A request waits for *signal*, at most for this number of *seconds*, and is then called again.

    No handler of errors catches this on its way to the server.
    """

    def __init__(self, signal: Signal, seconds: float) -> None:
        super().__init__()
        self.signal = signal
        self.seconds = seconds


class Suspension:
    """The state of a request that waits without a thread, between its calls."""

    def __init__(self) -> None:
        self.turn: Turn | None = None
        """The turn for which the request waits."""
        self.waiter: Waiter | None = None
        """The poll that waits for events."""
        self.has_waited = False
        self.is_given_up = False
        self.is_stopped = False
        """Whether the request no longer waits, as the server stops."""
        self.limit_state: LimitState | None = None
        """The strictest limit that has counted the request, which it does once."""
        self.last_answer: Callable[..., Any] | None = None
        """A WSGI application that answers the request after `stop`, without the store."""
        self._leave: Callable[[Waiter], None] | None = None

    def suspend_until_turn(self, turn: Turn) -> NoReturn:
        """Suspend the request until *turn* has come."""
        self.turn = turn
        self._suspend(turn.granted, turn.seconds_left)

    def suspend_until_events(
        self, waiter: Waiter, seconds: float, leave: Callable[[Waiter], None]
    ) -> NoReturn:
        """Suspend the poll until *waiter* is ready; *leave* ends its waiting."""
        self.waiter, self._leave = waiter, leave
        self._suspend(waiter.ready, seconds)

    @property
    def is_over(self) -> bool:
        """Whether the request is stopped, or its poll has ended without events."""
        return self.is_stopped or (self.waiter is not None and self.waiter.ended_empty)

    def stop(self) -> None:
        """Let the request wait no more, as the server stops; a poll is answered without events."""
        self.is_stopped = True

    def end(self) -> NoReturn:
        """Stop the request, which was suspended before; its last answer follows."""
        self.stop()
        self._suspend(Signal(), 0.0)

    def give_up(self) -> None:
        """End the waiting: the client has left. If the request runs in a thread just now, it ends before it
        waits.
        """
        self.is_given_up = True
        turn, waiter = self.turn, self.waiter  # the thread takes them when it continues
        if turn is not None:
            turn.leave()
        if waiter is not None and self._leave is not None:
            self._leave(waiter)

    def _suspend(self, signal: Signal, seconds: float) -> NoReturn:
        """End this call of the request, which is called again at the signal or after these seconds."""
        self.has_waited = True
        if self.is_given_up:  # after the state is set, so that either side sees the other
            self.give_up()
        raise Suspended(signal, seconds)
