"""SQLite in a server of greenlets, where whoever keeps the thread keeps everybody waiting.

SQLite waits for locks and for the disk, and computes, in the thread that asks it. So nothing here lets it
wait for a lock: a statement that finds one is tried again (`patiently`). A statement that computes for long
gives way from SQLite's progress handler (`Connection.give_way`). See docs/decisions/0027.
"""

import sqlite3
import time
from collections.abc import Callable
from math import inf
from typing import Any, Final, TypeVar

import peewee

from chatcore.storage.turns import SLICE, give_way

T = TypeVar("T")

STEPS: Final = 2_000
"""Instructions of SQLite's machine between two looks at the time: a tenth of a millisecond or so."""
FIRST_PAUSE: Final = 0.001
LONGEST_PAUSE: Final = 0.02


def patiently(attempt: Callable[[], T], until: float) -> T:
    """Attempt something until no lock is in its way, or until it is *until* on `time.monotonic`."""
    pause = FIRST_PAUSE
    while True:
        try:
            return attempt()
        except peewee.OperationalError as error:
            if error_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def error_code(error: Exception) -> int:
    """SQLite's primary result code of an error, or 0."""
    told = getattr(error, "orig", error)  # peewee's errors keep the driver's
    return getattr(told, "sqlite_errorcode", 0) & 0xFF


class Connection(sqlite3.Connection):
    """A connection whose statements can give way to other greenlets.

    A greenlet switches inside of SQLite's callback, and others use connections of their own meanwhile.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.since = inf
        """When its user began to compute, on `time.perf_counter`."""
        self.ended: BaseException | None = None
        """What ended its user while it gave way. SQLite only says that it was interrupted."""
        self.is_elsewhere = False
        """Whether it is used in another thread, where there is nobody to give way to."""

    def give_way(self) -> int:
        """The progress handler; anything but 0 interrupts the statement."""
        if time.perf_counter() - self.since < SLICE or self.is_elsewhere:
            return 0
        try:
            give_way()
        except BaseException as error:
            self.ended = error
            return 1
        self.since = time.perf_counter()
        return 0
