"""Slow work without the store, run outside the event loop and fairly between accounts."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Final, Protocol, TypeVar

from chatcore.domain.errors import RETRY_SECONDS, RateLimited
from chatcore.domain.ids import UserId

T = TypeVar("T")


class Work(Enum):
    """The kinds of slow work; work of one kind never waits for work of another."""

    PASSWORDS = "passwords"
    """Hashing passwords."""
    FILES = "files"
    """Reading files and making them durable, on a disk or in a bucket, whose service may be slow."""
    TEXTS = "texts"
    """Rendering, comparing and highlighting many characters."""
    COMMITS = "commits"
    """Writing to the disk, for which writers to SQLite wait."""
    PICTURES = "pictures"
    """Decoding and scaling pictures."""
    OUTSIDE = "outside"
    """Waiting for another server of the operator."""
    FOREIGN = "foreign"
    """Waiting for servers of anybody."""
    ARCHIVES = "archives"
    """Compressing and writing the pages of an archive."""

    @property
    def at_a_time(self) -> int | None:
        """Return how many pieces of this kind may run at a time; None: as many as there are processors.

        Decoded pictures need much memory; an archive has one writer; files and foreign servers are waited
        for more than they compute.
        """
        return _AT_A_TIME.get(self)


FOREIGN_AT_A_TIME: Final = 12
"""Requests to servers of anybody at a time, of all accounts together."""

_AT_A_TIME: Final = {Work.PICTURES: 1, Work.ARCHIVES: 1, Work.FILES: 8, Work.FOREIGN: FOREIGN_AT_A_TIME}


class RunBlocking(Protocol):
    """A function that runs slow work outside the event loop."""

    def __call__(self, work: Callable[[], T], kind: Work) -> T: ...


def run_here(work: Callable[[], T], kind: Work) -> T:
    """Run work in the calling thread, for servers with a thread for each request."""
    return work()


class OneAtATime:
    """At most one piece of work per account at a time; further ones are refused meanwhile."""

    def __init__(self) -> None:
        self._taken: set[UserId] = set()
        self._lock = threading.Lock()

    @contextmanager
    def hold(self, user_id: UserId) -> Iterator[None]:
        """Hold the account's turn.

        :raises RateLimited: the account holds its turn already
        """
        with self._lock:
            if user_id in self._taken:
                raise RateLimited(RETRY_SECONDS, limit="work_at_a_time")
            self._taken.add(user_id)
        try:
            yield
        finally:
            self._taken.discard(user_id)
