"""Cooperative scheduling: long work runs in slices and yields to other work in between.

A server of greenlets runs all requests in one thread, so long computations delay all of them. Where requests
have threads of their own, yielding does no harm. To yield is to sleep, and never for zero seconds: a server
of greenlets would then resume ready greenlets many times over before it polls for new input.

`give_way` and `in_slices` are for one long computation; `let_others` is for work in several steps, between
which waiting writers and new requests run.
"""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

SLICE: Final = 0.005
"""Seconds of computation after which work yields."""
LOOK_EVERY: Final = 16
"""Items of `in_slices` between two checks of the time."""
INSTANT: Final = 1e-6
"""Seconds of the shortest sleep."""
PAUSE: Final = 0.001
"""Seconds of sleep between two steps."""


class SliceScheduler:
    """Scheduler that resumes long-running work one slice at a time, in the order of yielding.

    Short work therefore waits for one slice at most, however many slices are waiting.
    """

    def __init__(self) -> None:
        self._free_at = 0.0

    def give_way(self) -> None:
        """Yield to other work until it is the caller's turn."""
        now = time.perf_counter()
        at = max(now, self._free_at)
        self._free_at = at + SLICE
        time.sleep(max(INSTANT, at - now))


_scheduler: Final = SliceScheduler()
give_way: Final = _scheduler.give_way


def in_slices(items: Iterable[T]) -> Iterator[T]:
    """Yield the items for a possibly long loop, giving way to other work between some of them."""
    since = time.perf_counter()
    rest = iter(items)
    while batch := tuple(islice(rest, LOOK_EVERY)):
        yield from batch
        if time.perf_counter() - since > SLICE:
            give_way()
            since = time.perf_counter()


def let_others() -> None:
    """Yield between two steps to writers that wait for the store, and to new requests."""
    time.sleep(PAUSE)


class WaitForSocket(Protocol):
    """A function of a server of greenlets that lets others run until a socket is ready, for reading or for
    writing. It returns whether that was so within *seconds*.
    """

    def __call__(self, number: int, *, reading: bool, writing: bool, seconds: float) -> bool: ...
