"""Work that takes long without the store: where it runs, and that nobody's work is in everybody's way."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Protocol, TypeVar

from chatcore.domain.errors import TRY_AGAIN, RateLimited
from chatcore.domain.ids import UserId

T = TypeVar("T")


class Work(Enum):
    """The kinds of such work; that of one kind never waits for that of another."""

    SHORT = "short"
    """What nobody gets on without: passwords, and that a file is safe."""
    TEXTS = "texts"
    """Rendering, comparing and marking many characters."""
    COMMITS = "commits"
    """Writing to the disk, for which whoever writes to SQLite waits."""
    PICTURES = "pictures"
    """Unpacked ones need much memory, so there is one of them at a time."""


class RunBlocking(Protocol):
    """Runs such work where it holds up nobody."""

    def __call__(self, work: Callable[[], T], kind: Work = Work.SHORT) -> T: ...


def run_here(work: Callable[[], T], kind: Work = Work.SHORT) -> T:
    """For servers with a thread for each request."""
    return work()


class Turns:
    """One piece of work per account at a time; whoever brings another meanwhile is sent away."""

    def __init__(self) -> None:
        self._taken: set[UserId] = set()
        self._lock = threading.Lock()

    @contextmanager
    def turn_of(self, user_id: UserId) -> Iterator[None]:
        """:raises RateLimited: the account has its turn already"""
        with self._lock:
            if user_id in self._taken:
                raise RateLimited(TRY_AGAIN, limit="work_at_a_time")
            self._taken.add(user_id)
        try:
            yield
        finally:
            self._taken.discard(user_id)
