"""A log for faults that every request meets, such as a full disk: one line a minute for each cause."""

import logging
import time
from collections.abc import Callable

INTERVAL = 60.0
MAX_CAUSES = 20
"""Causes that are told apart within the interval; of any more nothing is logged."""


class QuietLog:
    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        self._log = log
        self._clock = clock
        self._logged: dict[str, float] = {}

    def warning(self, message: str, cause: object) -> None:
        """Log *message*, which has a place for the cause, unless that was logged a moment ago."""
        now, text = self._clock(), str(cause)
        self._logged = {known: at for known, at in self._logged.items() if now - at < INTERVAL}
        if text not in self._logged and len(self._logged) < MAX_CAUSES:
            self._logged[text] = now
            self._log.warning(message, text)
