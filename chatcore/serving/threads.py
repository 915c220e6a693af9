"""Threads for slow code that does not know greenlets."""

import os
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import gevent
from gevent import monkey
from gevent.hub import Waiter

T = TypeVar("T")

allocate_lock, start_new_thread = monkey.get_original("_thread", ["allocate_lock", "start_new_thread"])


class Kind(Protocol):
    """A kind of slow work, which has threads of its own."""

    @property
    def at_a_time(self) -> int | None:
        """Return the number of its threads; None: as many as there are processors."""


class Threads:
    """At most *number* threads, each started when it is needed first.

    A thread without work runs its hub. The locks of `threading`, that of an import too, are gevent's: several
    threads that wait for one are woken through the hub of one of them. In `gevent.threadpool` that hub stands
    still while its thread has no work, and the others would wait for ever.
    """

    def __init__(self, number: int) -> None:
        self._number: Final = number
        self._started = 0
        self._work: deque[Callable[[], object]] = deque()
        self._resting: list[Any] = []
        """A watcher of each thread that has no work."""
        self._lock = allocate_lock()

    def run(self, work: Callable[[], object]) -> None:
        """Let a thread run work, which must not raise; do not wait for it."""
        with self._lock:
            self._work.append(work)
            if self._resting:
                self._resting.pop().send()
                return
            if self._started == self._number:
                return
            self._started += 1
        start_new_thread(self._run, ())

    def _run(self) -> None:
        hub = gevent.get_hub()
        called = hub.loop.async_()
        while True:
            with self._lock:
                work = self._work.popleft() if self._work else None
                if work is None:
                    turn: Waiter[None] = Waiter(hub)
                    called.start(turn.switch, None)
                    self._resting.append(called)
            if work is None:
                turn.get()
                called.stop()
            else:
                work()


_threads: Final[dict[tuple[int, Kind], Threads]] = {}


def run_in_threadpool(work: Callable[[], T], kind: Kind) -> T:
    """Run slow code that does not know greenlets in a thread.

    Nothing can stop the work, which uses files and connections, so a greenlet that is killed meanwhile ends
    after it.
    """
    threads = _threads.get((os.getpid(), kind))
    if threads is None:
        threads = _threads[os.getpid(), kind] = Threads(kind.at_a_time or os.cpu_count() or 1)
    hub = gevent.get_hub()
    # The watcher wakes its greenlet before all requests that have arrived meanwhile are answered.
    done = hub.loop.async_(priority=hub.loop.MAXPRI)
    turn: Waiter[None] = Waiter(hub)
    result: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # the greenlet waits for it, whatever it is
            failure.append(error)
        finally:
            done.send()

    done.start(turn.switch, None)
    try:
        threads.run(run)
        _wait_for(turn)
    finally:
        done.stop()
        done.close()
    if failure:
        raise failure.pop()  # the error and its traceback would keep each other alive
    return result[0]


def _wait_for(turn: "Waiter[None]") -> None:
    """Wait for the turn, even if the greenlet is ended meanwhile."""
    ended: BaseException | None = None
    while True:
        try:
            turn.get()
            break
        except BaseException as error:
            ended = error
    if ended is not None:
        raise ended
