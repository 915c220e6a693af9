"""The loop of an alarm over rows that wait in the store.

A row is claimed before slow work: the process reads the first one, and in one unit of work changes the time
at which it is due, if it is still as it was read. So no two processes do the work at once, and a row that a
killed process has claimed becomes due again.

A process with an old secret of the organization does no due work: its links and tokens would be void.
"""

from collections.abc import Callable
from math import inf
from typing import Protocol, TypeVar

from chatcore.application import units
from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.runtime.alarm import Alarm
from chatcore.storage import Snapshot
from chatcore.storage.slices import let_others


class Due(Protocol):
    """A row with the time from which it is due."""

    @property
    def due(self) -> int: ...


T = TypeVar("T", bound=Due)
R = TypeVar("R")


def read_due(svc: Services, look: Callable[[Snapshot], R]) -> R:
    """Look for due work in the store; each round of such work begins with it.

    :raises StorageNotReady: the secret was replaced since this process started
    """

    def read(view: View) -> R:
        units.find_with_secret(view)
        return look(view.snapshot)

    return units.read(svc, read)


def run_due(
    svc: Services,
    alarm: Alarm,
    first_due: Callable[[Snapshot], T | None],
    work: Callable[[T], object],
    longest: Callable[[T], float] = lambda _: inf,
) -> float:
    """Do the *work* for the first row again and again, until none is due or the alarm is stopped; return the
    seconds until a row is due, infinity if none waits.

    The work removes the row, or makes it due later, by *longest* seconds at most. A row that is due later was
    put off by a clock that was set back since, and is due now.

    :raises StorageNotReady: as `read_due` does
    """
    while not alarm.stopped:
        first = read_due(svc, first_due)
        if first is None:
            break
        if 0 < (left := first.due - svc.clock()) <= longest(first):
            return left
        work(first)
        let_others()
    return inf
