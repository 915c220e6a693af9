"""The organizations of a server that cannot be opened now: each is tried again until it can."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Final

from chatcore.domain.errors import ChatcoreError
from chatcore.runtime.alarm import Alarm
from chatcore.runtime.quiet_log import QuietLog
from chatcore.settings import Settings

log = logging.getLogger("chatcore.sites")

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts; each pause is twice as long as the one before."""


def pause_after(failures: int) -> float:
    """Return the seconds until the next attempt after a number of failures."""
    return min(FIRST_PAUSE * 2.0 ** min(failures - 1, 10), LONGEST_PAUSE)


@dataclass(slots=True)
class Closed:
    """An organization that could not be opened."""

    settings: Settings
    reason: str
    failures: int
    due: float
    """The time of the next attempt, in seconds of the monotonic clock."""


class Reopening:
    """The organizations that could not be opened; *open_again* is called with the settings of each that is
    due, and has to call `note` or `forget`.
    """

    def __init__(self, open_again: Callable[[Settings], object]) -> None:
        self._open_again = open_again
        self._closed: dict[str, Closed] = {}
        self._quiet_log = QuietLog(log)
        self._alarm = Alarm("chatcore-reopening", LONGEST_PAUSE)
        self._alarm.task = self._open_due

    def note(self, settings: Settings, error: Exception) -> None:
        """Note that an organization could not be opened, or was closed again."""
        before = self._closed.get(settings.host)
        failures = 1 if before is None else before.failures + 1
        due = time.monotonic() + pause_after(failures)
        is_known = isinstance(error, ChatcoreError)
        reason = str(error) if is_known else "an unexpected failure, which is in the log"
        self._closed[settings.host] = Closed(settings, reason, failures, due)
        if is_known:
            self._quiet_log.warning("an organization cannot be used: %s", f"{settings.host}: {reason}")
        else:
            log.error("%s cannot be used", settings.host, exc_info=error)

    def forget(self, host: str) -> None:
        """Note that the organization at a host is open."""
        if self._closed.pop(host, None) is not None:
            log.info("%s can be used again", host)

    def reason(self, host: str) -> str | None:
        """Return why the organization at a host cannot be used, or None if it is not one of these."""
        closed = self._closed.get(host)
        return None if closed is None else closed.reason

    def start(self) -> None:
        """Try again from now on, in a thread, if there is anything to try."""
        if self._closed:
            self._alarm.start()

    def stop(self) -> None:
        self._alarm.stop()

    def _open_due(self) -> float:
        """Try to open the organizations that are due; return the seconds until the next one is due."""
        for closed in tuple(self._closed.values()):
            if closed.due <= time.monotonic() and not self._alarm.stopped:
                self._open_again(closed.settings)
        return max(0.0, min((closed.due for closed in self._closed.values()), default=inf) - time.monotonic())
