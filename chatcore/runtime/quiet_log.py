"""A log for faults that affect every request, such as a full disk: one line a minute for each cause."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from chatcore.storage import StorageNotReady

INTERVAL = 60.0
MAX_CAUSES = 20
"""Maximum number of distinct causes within the interval; others are not logged."""
STORE: Final = "the store is not ready"
"""The one cause of all that cannot be done without the store."""


class QuietLog:
    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._lock = threading.Lock()
        self._logged: dict[str, float] = {}

    def warning(self, message: str, cause: object) -> None:
        """Log *message*, which has a placeholder for the cause, unless that was logged a moment ago."""
        if self._note_if_new(str(cause)):
            self._log.warning(message, cause)

    def tell_not_ready(self, log: logging.Logger, message: str, reason: StorageNotReady) -> None:
        """Write to *log* that the store is not ready, unless that was written a moment ago, even with another
        *reason*: a database that is away gives several reasons for the same fault.
        """
        if self._note_if_new(STORE):
            log.warning(message, reason)

    def _note_if_new(self, cause: str) -> bool:
        """Note that a cause is logged now, unless it was a moment ago; return whether it is noted."""
        now = self._clock()
        with self._lock:
            self._logged = {known: at for known, at in self._logged.items() if now - at < INTERVAL}
            if cause in self._logged or len(self._logged) >= MAX_CAUSES:
                return False
            self._logged[cause] = now
            return True
