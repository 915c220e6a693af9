"""Threads for slow code that does not know greenlets."""

import os
from collections import deque
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

import gevent
from gevent import monkey
from gevent.hub import Hub, Waiter

T = TypeVar("T")

allocate_lock, start_new_thread = monkey.get_original("_thread", ["allocate_lock", "start_new_thread"])

Hub.threadpool_size = 64
"""Threads in which a hub looks up names, also that of the database. With gevent's own ten, a few names
without an answer would keep all others waiting.
"""


class WorkKind(Protocol):
    """A kind of slow work, which has threads of its own."""

    @property
    def at_a_time(self) -> int | None:
        """Return the number of its threads; None: as many as there are processors."""


class Threads:
    """At most *number* threads, each started when it is needed first.

    A thread without work runs its hub: gevent wakes all threads that wait for one lock through the hub of the
    first of them. In `gevent.threadpool` that hub stands still while its thread has no work, and the others
    wait for ever. The locks of `threading` are gevent's, and so are those of imports.
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
            if self._resting:
                self._resting.pop().send()
            elif self._started < self._number:
                self._start_thread()
            self._work.append(work)

    def _start_thread(self) -> None:
        try:
            start_new_thread(self._run, ())
        except RuntimeError:  # the machine has no more threads
            if not self._started:
                raise
        else:
            self._started += 1

    def _run(self) -> None:
        """Do what is queued in one of the threads, and wake up by its hub when more comes."""
        hub = gevent.get_hub()
        watcher = hub.loop.async_()
        while True:
            with self._lock:
                work = self._work.popleft() if self._work else None
                if work is None:
                    turn: Waiter[None] = Waiter(hub)
                    watcher.start(turn.switch, None)
                    self._resting.append(watcher)
            if work is None:
                turn.get()
                watcher.stop()
            else:
                work()


_threads_by_kind: Final[dict[tuple[int, WorkKind], Threads]] = {}


def run_in_threadpool(work: Callable[[], T], kind: WorkKind) -> T:
    """Run slow code that does not know greenlets in a thread.

    Nothing can stop the work, which uses files and connections, so a greenlet that is killed meanwhile ends
    after it.
    """
    threads = _threads_by_kind.get((os.getpid(), kind))
    if threads is None:
        threads = _threads_by_kind[os.getpid(), kind] = Threads(kind.at_a_time or os.cpu_count() or 1)
    hub = gevent.get_hub()
    done = hub.loop.async_()
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
        try:
            raise ended
        finally:
            del ended  # it and its traceback would keep each other alive
