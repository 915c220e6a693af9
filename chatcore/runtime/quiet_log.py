"""A log for faults that affect every request, such as a full disk: one line a minute for each cause."""

import logging
import threading
import time
from collections.abc import Callable

INTERVAL = 60.0
MAX_CAUSES = 20
"""Maximum number of distinct causes within the interval; others are not logged."""


class QuietLog:
    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._lock = threading.Lock()
        self._logged: dict[str, float] = {}

    def warning(self, message: str, cause: object) -> None:
        """Log *message*, which has a placeholder for the cause, unless that was logged a moment ago."""
        now, text = self._clock(), str(cause)
        with self._lock:
            self._logged = {known: at for known, at in self._logged.items() if now - at < INTERVAL}
            if text in self._logged or len(self._logged) >= MAX_CAUSES:
                return
            self._logged[text] = now
        self._log.warning(message, text)
