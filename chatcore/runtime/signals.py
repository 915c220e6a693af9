"""A signal that threads wait for, and of which coroutines are notified."""

import threading
from collections.abc import Callable


class Signal:
    """An event that happens once."""

    __slots__ = ("_event", "_notify")

    def __init__(self) -> None:
        self._event = threading.Event()
        self._notify: Callable[[], object] | None = None

    @property
    def has_happened(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for at most this number of seconds, and return whether it has happened."""
        return self._event.wait(max(0.0, seconds))

    def when_set(self, notify: Callable[[], object]) -> None:
        """Have *notify* called, in any thread and perhaps twice, when it has happened."""
        self._notify = notify
        if self._event.is_set():
            notify()

    def set(self) -> None:
        self._event.set()
        if self._notify is not None:
            self._notify()
