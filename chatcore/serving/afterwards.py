"""Small work on which nobody waits, done after the answers of a moment instead of between them."""

import traceback
from collections import deque
from collections.abc import Callable
from typing import Final

import gevent

from chatcore.serving.program import INSTANT

PAUSE: Final = 0.25
"""Seconds in which work gathers. An event may be on its way to hundreds of people meanwhile."""
PIECE: Final = 32
"""Calls between which nobody else runs."""
MOST: Final = 2_000
"""Calls that wait at a time; for each further one, the oldest is made at once."""


class Afterwards:
    """Calls that are made a moment later, in their order, each whatever becomes of the others."""

    def __init__(self) -> None:
        self._calls: deque[Callable[[], object]] = deque()
        self._is_running = False
        self._has_ended = False

    def put(self, call: Callable[[], object]) -> None:
        """Make a call in a moment; at once after the end."""
        self._calls.append(call)
        if self._has_ended:
            self.end()
            return
        if len(self._calls) > MOST:
            self._make_oldest()
        if not self._is_running:
            self._is_running = True
            gevent.spawn_later(PAUSE, self._run)

    def end(self) -> None:
        """Make all calls now, and later ones at once."""
        self._has_ended = True
        while self._calls:
            self._make_oldest()

    def _run(self) -> None:
        while self._calls:
            for _ in range(PIECE):
                if self._calls:
                    self._make_oldest()
            gevent.sleep(INSTANT)
        self._is_running = False

    def _make_oldest(self) -> None:
        try:
            self._calls.popleft()()
        except Exception:
            traceback.print_exc()  # perhaps it is the log that fails
