"""Admission of requests: few of one account run at a time, some more wait, and the rest are refused.

Bytes of large answers are counted until they have been sent. Neither many requests nor clients that do not
read their answers can block others or fill the memory.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from chatcore.domain.errors import TRY_AGAIN, RateLimited
from chatcore.storage.slices import let_others

AT_A_TIME: Final = "requests_at_a_time"
"""The name of these limits in a refusal."""
LONG: Final = 0.02
"""Seconds of running after which a server of greenlets should check for new requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits on concurrent requests of one account, or of one address without credentials."""

    running: int
    present: int
    """Requests that run, wait for their turn, or wait for their client."""


@unique
class Lane(Enum):
    """Kinds of requests that do not wait for one another."""

    CALLS = "calls"
    POLLS = "polls"
    FILES = "files"


BOUNDS: Final[Mapping[Lane, Bounds]] = {
    Lane.CALLS: Bounds(running=2, present=50),
    # More than an account has event queues: the new poll of a queue arrives before the previous one has
    # ended.
    Lane.POLLS: Bounds(running=2, present=250),
    # A page may show many pictures, and each is read quickly.
    Lane.FILES: Bounds(running=2, present=250),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Limits on the waiting of requests, and on the bytes of unsent answers."""

    seconds: float = 10.0
    """Maximum time to wait for a turn, and for room for an answer."""
    unsent: int = 16 * 2**20
    """Bytes of answers that one account has not read; above it, the account's next request waits."""
    all_unsent: int = 128 * 2**20
    """Bytes of answers that all accounts together have not read."""


class _Waiter:
    __slots__ = ("has_turn", "wake")

    def __init__(self) -> None:
        self.wake = threading.Event()
        self.has_turn = False


class _Queue:
    """The requests of one account in one lane."""

    __slots__ = ("bounds", "present", "running", "waiting")

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.present = 0
        self.running = 0
        self.waiting: deque[_Waiter] = deque()


class Admission:
    """Admission of all requests of one process to an organization; *timer* returns seconds."""

    def __init__(
        self, patience: Patience | None = None, *, timer: Callable[[], float] = time.perf_counter
    ) -> None:
        self.patience = patience or Patience()
        self.timer = timer
        self._lock = threading.Lock()
        self._room = threading.Condition(self._lock)
        self._queues: dict[tuple[str, Lane], _Queue] = {}
        self._unsent: dict[str, int] = {}
        self._all_unsent = 0

    @contextmanager
    def turn(self, who: str, lane: Lane) -> "Iterator[Turn]":
        """Wait for a turn and keep it.

        :raises RateLimited: too many requests of *who* are present already, or none of them ends in time
        """
        turn = Turn(self, who, lane)
        try:
            turn.start()
            yield turn
        finally:
            if turn.seconds >= LONG:
                let_others()  # before the next request of the same account starts
            turn.end()

    @property
    def present(self) -> int:
        """Return the number of requests that run or wait."""
        with self._lock:
            return sum(queue.present for queue in self._queues.values())

    @property
    def waiting(self) -> int:
        """Return the number of requests that wait for their turn."""
        with self._lock:
            return sum(len(queue.waiting) for queue in self._queues.values())

    @property
    def unsent(self) -> int:
        """Return the number of bytes of large answers that wait to be sent."""
        return self._all_unsent

    # -- called by turns ----------------------------------------------------------------------------

    def enter(self, who: str, lane: Lane) -> _Queue:
        with self._lock:
            queue = self._queues.get((who, lane))
            if queue is None:
                queue = self._queues[who, lane] = _Queue(BOUNDS[lane])
            if queue.present >= queue.bounds.present:
                raise RateLimited(TRY_AGAIN, limit=AT_A_TIME)
            queue.present += 1
        return queue

    def leave(self, who: str, lane: Lane, queue: _Queue) -> None:
        with self._lock:
            queue.present -= 1
            if not queue.present:
                del self._queues[who, lane]

    def take(self, who: str, queue: _Queue) -> None:
        """Wait until one more request of the queue may run, after those that wait already."""
        with self._lock:
            if not queue.waiting and self._may_run(who, queue):
                queue.running += 1
                return
            waiter = _Waiter()
            queue.waiting.append(waiter)
        try:
            waiter.wake.wait(self.patience.seconds)
        except BaseException:  # the thread is being ended
            with self._lock:
                self._give_up(who, queue, waiter)
            raise
        with self._lock:
            if not waiter.has_turn:
                self._give_up(who, queue, waiter)
                raise RateLimited(TRY_AGAIN, limit=AT_A_TIME)

    def give_back(self, who: str, queue: _Queue) -> None:
        with self._lock:
            queue.running -= 1
            self._advance(who, queue)

    def reserve(self, who: str, size: int, *, may_refuse: bool) -> None:
        """Count the bytes of an answer of *who* until `release`; wait for room in the total.

        :raises RateLimited: there is no room, if *may_refuse*
        """
        with self._room:
            has_room = self._room.wait_for(lambda: self._has_room(who, size), self.patience.seconds)
            if not has_room and may_refuse:
                raise RateLimited(TRY_AGAIN, limit="unread_answers")
            self._unsent[who] = self._unsent.get(who, 0) + size
            self._all_unsent += size

    def release(self, who: str, size: int) -> None:
        """Subtract the bytes of an answer that was sent or abandoned."""
        with self._room:
            self._all_unsent -= size
            self._unsent[who] -= size
            if not self._unsent[who]:
                del self._unsent[who]
            self._room.notify_all()
            for lane in Lane:
                if (queue := self._queues.get((who, lane))) is not None:
                    self._advance(who, queue)

    # -- called with the lock held -------------------------------------------------------------------

    def _has_room(self, who: str, size: int) -> bool:
        """Whether there is room for an answer; half of it is reserved for accounts without unsent answers, so
        that a few accounts cannot fill it.
        """
        room = self.patience.all_unsent // (2 if who in self._unsent else 1)
        return not self._all_unsent or self._all_unsent + size <= room

    def _may_run(self, who: str, queue: _Queue) -> bool:
        return queue.running < queue.bounds.running and self._unsent.get(who, 0) < self.patience.unsent

    def _advance(self, who: str, queue: _Queue) -> None:
        while queue.waiting and self._may_run(who, queue):
            waiter = queue.waiting.popleft()
            waiter.has_turn = True
            queue.running += 1
            waiter.wake.set()

    def _give_up(self, who: str, queue: _Queue, waiter: _Waiter) -> None:
        if waiter.has_turn:
            queue.running -= 1
            self._advance(who, queue)
        else:
            queue.waiting.remove(waiter)


class Turn:
    """One request: it runs, except while it waits for its client or for events."""

    __slots__ = ("_admission", "_lane", "_queue", "_ran", "_since", "_who")

    def __init__(self, admission: Admission, who: str, lane: Lane) -> None:
        self._admission = admission
        self._who = who
        self._lane = lane
        self._queue: _Queue | None = None
        self._since: float | None = None
        """The time when it began to run; None while it does not run."""
        self._ran = 0.0

    @property
    def seconds(self) -> float:
        """Return how long the request has run."""
        return self._ran + (0.0 if self._since is None else self._admission.timer() - self._since)

    def start(self) -> None:
        self._queue = self._admission.enter(self._who, self._lane)
        self._take(self._queue)

    def end(self) -> None:
        if self._queue is not None:
            self._give_back(self._queue)
            self._admission.leave(self._who, self._lane, self._queue)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let others run while this request waits for something; afterwards it waits for its turn again.

        :raises RateLimited: as `Admission.turn` does
        """
        if self._queue is None:
            yield
            return
        self._give_back(self._queue)
        yield
        self._take(self._queue)

    def reserve(self, size: int, *, may_refuse: bool) -> Callable[[], None] | None:
        """Count the bytes of an answer, which is sent after the turn; the caller calls the result once it is
        sent.

        The request no longer runs: waiting for room does not count as running time.

        :raises RateLimited: as `Admission.reserve` does
        """
        if self._queue is None:
            return None
        self._give_back(self._queue)
        self._admission.reserve(self._who, size, may_refuse=may_refuse)
        return lambda: self._admission.release(self._who, size)

    def _take(self, queue: _Queue) -> None:
        self._admission.take(self._who, queue)
        self._since = self._admission.timer()

    def _give_back(self, queue: _Queue) -> None:
        if self._since is not None:
            self._ran = self.seconds
            self._since = None
            self._admission.give_back(self._who, queue)


FREE: Final = Turn(Admission(), "", Lane.CALLS)
"""Turn of a request that is not counted."""
