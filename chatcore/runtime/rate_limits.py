"""Counting against the limits of `chatcore.domain.rate_limits`."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from limits import RateLimitItem
from limits.strategies import FixedWindowRateLimiter

from chatcore.domain.errors import RateLimited
from chatcore.domain.rate_limits import RULES, Rule
from chatcore.runtime.counts import Counts
from chatcore.runtime.quiet_log import QuietLog
from chatcore.settings.rules import read_limits
from chatcore.storage import Storage, StorageClosed, StorageNotReady

log = logging.getLogger("chatcore.limits")

SHARING_INTERVAL: Final = 1.0
"""Seconds between two exchanges of counts between processes; none happen while nothing is counted."""
IDLE_SECONDS: Final = 60.0
"""Seconds without a count after which the thread that shares counts ends."""


@dataclass(frozen=True, slots=True)
class LimitState:
    """The state of a limit for one client; `resets_at` is the end of its window, in seconds since 1970."""

    limit: int
    remaining: int
    resets_at: float


class RateLimits:
    """The limits of one organization. *given* has the configured ones, by the names of the rules.

    With *storage* the counts are shared with other processes that serve the organization.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        given: Mapping[str, str] | None = None,
        *,
        is_on: bool = True,
        storage: Storage | None = None,
    ) -> None:
        self.is_on = is_on
        self._clock = clock
        self.quiet_log = QuietLog(log)
        self._sharing = None if storage is None or not is_on else _Sharing(storage, self)
        self.counts = Counts(clock, on_count=None if self._sharing is None else self._sharing.note_count)
        self._limiter = FixedWindowRateLimiter(self.counts)
        texts = {name: rule.limit for name, rule in RULES.items()} | dict(given or {})
        self._items = {name: read_limits(text) if is_on else () for name, text in texts.items()}

    def items(self, rule: Rule) -> tuple[RateLimitItem, ...]:
        """Return the limits of a rule; none if it is disabled."""
        return self._items[rule.name]

    def count(self, rule: Rule, who: str) -> tuple[LimitState | None, float]:
        """Count one use. Return the state of the strictest limit, and the seconds to wait (0 if the use is
        within the limits).
        """
        strictest: LimitState | None = None
        wait = 0.0
        for item in self._items[rule.name]:
            fits = self._limiter.hit(item, rule.name, who)
            limit_state = self._state(item, rule, who)
            if not fits:
                wait = max(wait, limit_state.resets_at - self._clock())
            if strictest is None or limit_state.remaining < strictest.remaining:
                strictest = limit_state
        return strictest, wait

    def spend(self, rule: Rule, who: str) -> None:
        """Count one use.

        :raises RateLimited: a limit is exceeded
        """
        _, wait = self.count(rule, who)
        if wait:
            raise RateLimited(wait, limit=rule.name)

    def charge(self, rule: Rule, who: str, amount: int) -> None:
        """Count an *amount* that has been used already."""
        for item in self._items[rule.name]:
            self._limiter.hit(item, rule.name, who, cost=amount)

    def require_left(self, rule: Rule, who: str) -> None:
        """Check that a limit is not used up.

        :raises RateLimited: nothing is left of a limit
        """
        for item in self._items[rule.name]:
            if not self._limiter.test(item, rule.name, who):
                wait = self._state(item, rule, who).resets_at - self._clock()
                raise RateLimited(wait, limit=rule.name)

    def _state(self, item: RateLimitItem, rule: Rule, who: str) -> LimitState:
        stats = self._limiter.get_window_stats(item, rule.name, who)
        return LimitState(item.amount, stats.remaining, stats.reset_time)

    def share(self, storage: Storage) -> bool:
        """Exchange counts with the other processes, if this process has new ones; return whether it had."""
        taken = self.counts.take_unshared()
        if not taken:
            return False
        now = int(self._clock())
        try:
            totals = storage.write(lambda tx: tx.counters.add(taken, now))
        except BaseException:
            self.counts.put_back(taken)
            raise
        self.counts.set_shared(totals)
        return True


class _Sharing:
    """Periodic sharing of counts, in a thread that runs as long as something is counted."""

    def __init__(self, storage: Storage, limits: RateLimits) -> None:
        self._storage = storage
        self._limits = limits
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._counted = threading.Event()

    def note_count(self) -> None:
        """Have the counts shared soon, by the thread, which is started if it has ended."""
        if self._counted.is_set():
            return
        with self._lock:
            self._counted.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="chatcore-limits", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        """The thread: share the counts at intervals; it ends after a while without requests."""
        while True:
            if not self._counted.wait(IDLE_SECONDS):
                with self._lock:
                    if not self._counted.is_set():
                        self._thread = None
                        return
            threading.Event().wait(SHARING_INTERVAL)
            self._counted.clear()
            try:
                self._limits.share(self._storage)
            except StorageClosed:
                return
            except StorageNotReady as error:
                self._limits.quiet_log.tell_not_ready(
                    log, "counts of requests cannot be shared with other processes: %s", error
                )
            except Exception:
                log.exception("sharing the counts of requests failed")
