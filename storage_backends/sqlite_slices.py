"""SQLite in a server of greenlets, where a greenlet that does not yield blocks all others.

SQLite waits for locks and for the disk, and computes, in the calling thread. So no call here waits for a
lock: a statement that meets one is retried (`patiently`). A long computation yields from SQLite's progress
handler (`Connection.give_way`). See docs/decisions/0027.
"""

import sqlite3
import time
from collections.abc import Callable
from math import inf
from typing import Any, Final, TypeVar

import peewee

from chatcore.storage.slices import SLICE, give_way

T = TypeVar("T")

STEPS: Final = 2_000
"""Instructions of SQLite's virtual machine between two checks of the time: about a tenth of a millisecond."""
FIRST_PAUSE: Final = 0.001
LONGEST_PAUSE: Final = 0.02


def patiently(attempt: Callable[[], T], until: float) -> T:
    """Return the result of *attempt*, which is repeated as long as a lock blocks it.

    :raises peewee.OperationalError: a lock still blocks it at *until*, a time of `time.monotonic`
    """
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
    """Return SQLite's primary result code of an error, or 0."""
    cause = getattr(error, "orig", error)  # peewee's errors wrap the driver's
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF


class Connection(sqlite3.Connection):
    """A connection whose statements can yield to other greenlets.

    A greenlet switches inside SQLite's callback; other greenlets use connections of their own meanwhile.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.since = inf
        """The time at which the greenlet began to compute, on `time.perf_counter`."""
        self.ended: BaseException | None = None
        """The exception that ended the greenlet while it yielded. SQLite only reports an interruption."""
        self.is_elsewhere = False
        """Whether another thread uses the connection, so that there is no greenlet to yield to."""
        self.forget: Callable[[Connection], None] | None = None
        """Called before it closes."""

    def close(self) -> None:
        if self.forget is not None:
            self.forget(self)
        super().close()

    def give_way(self) -> int:
        """Yield from the progress handler; a result other than 0 interrupts the statement."""
        if time.perf_counter() - self.since < SLICE or self.is_elsewhere:
            return 0
        try:
            give_way()
        except BaseException as error:
            self.ended = error
            return 1
        self.since = time.perf_counter()
        return 0
