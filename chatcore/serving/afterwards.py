"""Small work that nobody waits for, done after the answers of a moment instead of between them."""

import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import gevent

from chatcore.serving.program import INSTANT

PAUSE: Final = 0.25
"""Seconds in which work gathers. An event may be on its way to hundreds of people meanwhile."""
MANY: Final = 100
"""Calls of one pause after which work gathers for another one: perhaps an event goes to thousands."""
MOST_PAUSES: Final = 4
"""Pauses after which the work is done however much comes. A killed process loses what has gathered."""
PIECE: Final = 32
"""Calls between which nobody else runs."""
MOST: Final = 3_000
"""Calls that wait at a time; for each further one, the oldest is made at once. As many lines of usual length
fit in the log's memory.
"""


class Afterwards:
    """Calls that are made a moment later, in their order, each whatever becomes of the others."""

    def __init__(self) -> None:
        self._calls: deque[Callable[[], object]] = deque()
        self._is_due = False
        """Whether the calls that come now have a time at which they are made."""
        self._has_ended = False

    def put(self, call: Callable[[], object]) -> None:
        """Make a call in a moment; at once after the end."""
        self._calls.append(call)
        if self._has_ended:
            self.end()
            return
        if len(self._calls) > MOST:
            self._make_oldest()
        if not self._is_due:
            self._is_due = True
            gevent.spawn(self._run)

    def end(self) -> None:
        """Make all calls now, and later ones at once."""
        self._has_ended = True
        while self._calls:
            self._make_oldest()

    def _run(self) -> None:
        self._let_gather()
        self._is_due = False  # what comes from now on gathers for another time
        for number in range(len(self._calls)):
            if number and not number % PIECE:
                gevent.sleep(INSTANT)
            if not self._calls:  # they were made in between
                break
            self._make_oldest()

    def _let_gather(self) -> None:
        """Wait for a pause in which few calls come, or after which there is no room for as many again, or for
        `MOST_PAUSES`.
        """
        number = 0
        for _ in range(MOST_PAUSES):
            gevent.sleep(PAUSE)
            came, number = len(self._calls) - number, len(self._calls)
            if came < MANY or number + came > MOST:
                return

    def _make_oldest(self) -> None:
        try:
            self._calls.popleft()()
        except Exception:
            with suppress(Exception):
                traceback.print_exc()  # perhaps it is the log that fails
