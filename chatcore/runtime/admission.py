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
from typing import Final, Self

from chatcore.domain.errors import RETRY_SECONDS, RateLimited
from chatcore.runtime.signals import Signal
from chatcore.runtime.work import FOREIGN_AT_A_TIME
from chatcore.storage.slices import let_others

LIMIT_NAME: Final = "requests_at_a_time"
"""The name of these limits in a refusal."""
LONG_SECONDS: Final = 0.02
"""Seconds of running after which a server of greenlets should check for new requests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneBounds:
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
    FOREIGN = "foreign"
    LOGOUTS = "logouts"
    """A login service says who has logged out there: of many people at once, if it likes."""


BOUNDS: Final[Mapping[Lane, LaneBounds]] = {
    Lane.CALLS: LaneBounds(running=2, present=50),
    # More than an account has event queues: the new poll of a queue arrives before the previous one has
    # ended.
    Lane.POLLS: LaneBounds(running=2, present=250),
    # A page may show many pictures, and each is read quickly.
    Lane.FILES: LaneBounds(running=2, present=250),
    # They wait for other servers; how many do at a time is bounded for all addresses together.
    Lane.FOREIGN: LaneBounds(running=FOREIGN_AT_A_TIME, present=250),
    Lane.LOGOUTS: LaneBounds(running=2, present=250),
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


class _Queue:
    """The requests of one account in one lane."""

    __slots__ = ("bounds", "present", "running", "waiting")

    def __init__(self, bounds: LaneBounds) -> None:
        self.bounds = bounds
        self.present = 0
        self.running = 0
        self.waiting: deque[Turn] = deque()


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

    def ask(self, who: str, lane: Lane) -> "Turn":
        """Return a turn that comes after those of *who* that wait already.

        :raises RateLimited: too many requests of *who* are present already
        """
        with self._lock:
            queue = self._queues.get((who, lane))
            if queue is None:
                queue = self._queues[who, lane] = _Queue(BOUNDS[lane])
            if queue.present >= queue.bounds.present:
                raise RateLimited(RETRY_SECONDS, limit=LIMIT_NAME)
            queue.present += 1
            turn = Turn(self, who, lane, queue)
            self._enqueue_turn(turn)
            return turn

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

    def wait(self, turn: "Turn") -> None:
        """Wait until the turn runs. If it does not in time, end it and raise `RateLimited`."""
        turn.granted.wait(turn.seconds_left)
        with self._lock:
            if not turn.is_running:
                self._end_turn(turn)
                raise RateLimited(RETRY_SECONDS, limit=LIMIT_NAME)

    def ask_again(self, turn: "Turn") -> None:
        with self._lock:
            self._enqueue_turn(turn)

    def give_back(self, turn: "Turn") -> None:
        with self._lock:
            self._end_turn(turn)

    def leave(self, turn: "Turn") -> None:
        with self._lock:
            if turn.is_present:
                self._end_turn(turn)
                turn.is_present = False
                turn.queue.present -= 1
                if not turn.queue.present:
                    del self._queues[turn.who, turn.lane]

    def reserve(self, who: str, size: int, *, may_refuse: bool) -> None:
        """Count the bytes of an answer of *who* until `release`; wait for room in the total.

        :raises RateLimited: there is no room, if *may_refuse*
        """
        with self._room:
            has_room = self._room.wait_for(lambda: self._has_room(who, size), self.patience.seconds)
            if not has_room and may_refuse:
                raise RateLimited(RETRY_SECONDS, limit="unread_answers")
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
                    self._grant_turns(who, queue)

    # -- called with the lock held -------------------------------------------------------------------

    def _has_room(self, who: str, size: int) -> bool:
        """Whether there is room for an answer; half of it is reserved for accounts without unsent answers, so
        that a few accounts cannot fill it.
        """
        most = self.patience.all_unsent // 2 if who in self._unsent else self.patience.all_unsent
        return self._all_unsent == 0 or self._all_unsent + size <= most

    def _may_run(self, who: str, queue: _Queue) -> bool:
        return queue.running < queue.bounds.running and self._unsent.get(who, 0) < self.patience.unsent

    def _enqueue_turn(self, turn: "Turn") -> None:
        """Put a turn at the end of its queue, where it may be granted at once.

        :raises RateLimited: the turn was given up meanwhile
        """
        if not turn.is_present:
            raise RateLimited(RETRY_SECONDS, limit=LIMIT_NAME)
        turn.until = time.monotonic() + self.patience.seconds
        turn.granted = Signal()
        turn.queue.waiting.append(turn)
        self._grant_turns(turn.who, turn.queue)

    def _grant_turns(self, who: str, queue: _Queue) -> None:
        """Grant the turns at the front of a queue, as many as may run."""
        while queue.waiting and self._may_run(who, queue):
            turn = queue.waiting.popleft()
            queue.running += 1
            turn.is_running = True
            turn.granted.set()

    def _end_turn(self, turn: "Turn") -> None:
        """End a turn, or remove it from its queue if it still waits."""
        if turn.is_running:
            turn.is_running = False
            turn.queue.running -= 1
            self._grant_turns(turn.who, turn.queue)
        elif turn in turn.queue.waiting:
            turn.queue.waiting.remove(turn)


class Turn:
    """One request: it runs, except while it waits for its turn, for its client or for events.

    Entering the context waits for the turn, and raises `RateLimited` if it has not come in time.
    """

    __slots__ = (
        "_admission",
        "_ran",
        "_since",
        "granted",
        "is_present",
        "is_running",
        "lane",
        "queue",
        "until",
        "who",
    )

    def __init__(self, admission: Admission, who: str, lane: Lane, queue: _Queue) -> None:
        self._admission = admission
        self._ran = 0.0
        self._since: float | None = None
        """The time when it began to run; None while it does not run."""
        self.who = who
        self.lane = lane
        # Changed by the admission alone, with its lock:
        self.queue = queue
        self.is_present = True
        self.is_running = False
        self.granted = Signal()
        """Set when the turn has come."""
        self.until = 0.0
        """The time until which it waits, by the monotonic clock."""

    @property
    def seconds(self) -> float:
        """Return how long the request has run."""
        return self._ran + (0.0 if self._since is None else self._admission.timer() - self._since)

    @property
    def seconds_left(self) -> float:
        """Return how long the request still waits for its turn."""
        return max(0.0, self.until - time.monotonic())

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.leave()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        if self.seconds >= LONG_SECONDS:
            let_others()  # before the next request of the same account starts
        self.leave()

    def leave(self) -> None:
        """End the turn, or the wait for it."""
        self._pause()
        self._admission.leave(self)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let others run while this request waits for something; afterwards it waits for its turn again.

        :raises RateLimited: the turn has not come in time
        """
        self._pause()
        self._admission.give_back(self)
        yield
        self._admission.ask_again(self)
        self._start()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for another server: the request keeps its turn, and the time does not count."""
        self._pause()
        try:
            yield
        finally:
            self._since = self._admission.timer()

    def reserve(self, size: int, *, may_refuse: bool) -> Callable[[], None] | None:
        """Count the bytes of an answer, which is sent after the turn; the caller calls the result once it is
        sent.

        Waiting for room does not count as running time. The turn is kept until there is room, as the answer
        is in memory.

        :raises RateLimited: as `Admission.reserve` does
        """
        self._pause()
        self._admission.reserve(self.who, size, may_refuse=may_refuse)
        self._admission.give_back(self)
        return lambda: self._admission.release(self.who, size)

    def _start(self) -> None:
        self._admission.wait(self)
        self._since = self._admission.timer()

    def _pause(self) -> None:
        self._ran, self._since = self.seconds, None


class _Uncounted(Turn):
    """The turn of a request that is not counted: it never waits and has no limit."""

    __slots__ = ()

    @contextmanager
    def paused(self) -> Iterator[None]:
        yield

    @contextmanager
    def waiting(self) -> Iterator[None]:
        yield

    def reserve(self, size: int, *, may_refuse: bool) -> None:
        return None


NO_TURN: Final = _Uncounted(Admission(), "", Lane.CALLS, _Queue(BOUNDS[Lane.CALLS]))
