"""A signal that threads wait for, and of which coroutines are notified."""

import threading
from collections.abc import Callable
from contextlib import suppress


class Signal:
    """An event that happens once: a lock that is held until then. After it, whoever acquires the lock
    releases it, so those who wait go on one after another.

    Under gevent it is made in the thread that waits for it, or in one that never blocks natively.
    """

    __slots__ = ("_lock", "_notify", "has_happened")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()
        self._notify: Callable[[], object] | None = None
        self.has_happened = False

    def wait(self, seconds: float) -> bool:
        """Wait for at most this number of seconds, and return whether it has happened."""
        if not self.has_happened and self._lock.acquire(timeout=max(0.0, seconds)):
            self._let_go()
        return self.has_happened

    def when_set(self, notify: Callable[[], object]) -> None:
        """Have *notify* called, in any thread and perhaps twice, when it has happened."""
        self._notify = notify
        if self.has_happened:
            notify()

    def set(self) -> None:
        self.has_happened = True  # before those who wait look
        self._let_go()
        if self._notify is not None:
            self._notify()

    def _let_go(self) -> None:
        with suppress(RuntimeError):  # another thread has released it
            self._lock.release()
