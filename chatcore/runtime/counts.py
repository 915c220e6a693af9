"""Counters of rate limits in memory, shared with the other processes of the organization.

A window of a limit is an interval of clock time that is the same in all processes: it begins at a multiple of
its length.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Final

from limits.storage import Storage

MAX_KEYS: Final = 20_000
"""Maximum number of counters, of about 400 bytes each."""

CounterKey = tuple[str, int]
"""Key of a counter and the end of its window, in seconds since 1970."""


class _Counter:
    __slots__ = ("begins", "total", "unshared", "until")

    def __init__(self, until: int, length: int) -> None:
        self.begins = until - length
        self.until = until
        self.total = 0
        self.unshared = 0
        """The part of the total that the other processes do not know yet."""


class Counts(Storage):
    """Counters for the strategies of `limits`, at most *max_keys* of them.

    *on_count* is called after each change that may have to be shared.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        max_keys: int = MAX_KEYS,
        on_count: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._max_keys = max_keys
        self._on_count = on_count
        self._counters: dict[str, _Counter] = {}
        self._lock = threading.Lock()

    # -- the interface for `limits` ----------------------------------------------------------------

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to the count of a key in the current window of *expiry* seconds; return the new count."""
        until = (int(self._clock()) // expiry + 1) * expiry
        with self._lock:
            counter = self._counters.get(key)
            if counter is None or counter.until != until:
                if counter is None and len(self._counters) >= self._max_keys:
                    self._make_room()
                counter = self._counters[key] = _Counter(until, expiry)
            counter.total += amount
            counter.unshared += amount
            total = counter.total
        if self._on_count is not None:
            self._on_count()
        return total

    def get(self, key: str) -> int:
        counter = self._counters.get(key)
        # A window that is still to come was counted before the clock was set back.
        if counter is None or not counter.begins <= self._clock() < counter.until:
            return 0
        return counter.total

    def get_expiry(self, key: str) -> float:
        counter = self._counters.get(key)
        return self._clock() if counter is None else counter.until

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        with self._lock:
            count = len(self._counters)
            self._counters.clear()
        return count

    def clear(self, key: str) -> None:
        with self._lock:
            self._counters.pop(key, None)

    def __len__(self) -> int:
        return len(self._counters)

    def _make_room(self) -> None:
        """Drop windows that are over; if these are few, drop the half with the lowest counts: a client with
        very many addresses must not displace the counters of those who request much.
        """
        now = self._clock()
        living = {key: counter for key, counter in self._counters.items() if counter.until > now}
        if len(living) > self._max_keys // 2:
            most = sorted(living.items(), key=lambda pair: pair[1].total, reverse=True)
            living = dict(most[: self._max_keys // 2])
        self._counters = living

    # -- sharing --------------------------------------------------------------------------------------

    def take_unshared(self) -> Mapping[CounterKey, int]:
        """Return the amounts that were counted here since the last call."""
        amounts: dict[CounterKey, int] = {}
        now = self._clock()
        with self._lock:
            for key, counter in self._counters.items():
                if counter.unshared and counter.until > now:
                    amounts[key, counter.until] = counter.unshared
                    counter.unshared = 0
        return amounts

    def put_back(self, taken: Mapping[CounterKey, int]) -> None:
        """Restore amounts that could not be shared, to be shared with the next ones."""
        with self._lock:
            for (key, until), amount in taken.items():
                if (counter := self._counters.get(key)) is not None and counter.until == until:
                    counter.unshared += amount

    def set_shared(self, totals: Mapping[CounterKey, int]) -> None:
        """Set the totals of all processes; amounts counted here meanwhile are added."""
        with self._lock:
            for (key, until), total in totals.items():
                if (counter := self._counters.get(key)) is not None and counter.until == until:
                    counter.total = total + counter.unshared
