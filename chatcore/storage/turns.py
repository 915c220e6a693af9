"""Long work in slices, between which others go on.

A server of greenlets has one thread for everybody: whoever computes in it for long keeps everybody waiting.
Where requests have threads of their own this does no harm.
"""

import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

SLICE: Final = 0.005
"""Seconds that anybody may compute before others go on."""
LOOK_EVERY: Final = 16
"""Items of `in_slices` between two looks at the time."""
INSTANT: Final = 1e-6
"""Seconds. A sleep of none at all is not enough for a server of greenlets: it goes on with what is ready
already, many times over, before it looks for what has come in.
"""


class Turns:
    """Those with much to do go on one at a time, in the order in which they gave way.

    So those with little to do wait for one slice, however many slices wait.
    """

    def __init__(self) -> None:
        self._free_at = 0.0

    def give_way(self) -> None:
        """Let others go on, until it is one's turn."""
        now = time.perf_counter()
        at = max(now, self._free_at)
        self._free_at = at + SLICE
        time.sleep(max(INSTANT, at - now))


_turns: Final = Turns()
give_way: Final = _turns.give_way


def in_slices(items: Iterable[T]) -> Iterator[T]:
    """The items, for a loop that may be long; between some of them others go on."""
    since = time.perf_counter()
    for number, item in enumerate(items, 1):
        yield item
        if not number % LOOK_EVERY and time.perf_counter() - since > SLICE:
            give_way()
            since = time.perf_counter()
