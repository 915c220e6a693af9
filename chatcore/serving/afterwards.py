"""Small work on which nobody waits, done after the answers of a moment instead of between them."""

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
"""Calls that wait at a time; further ones are made at once."""


class Afterwards:
    """Calls that are made a moment later, in their order."""

    def __init__(self) -> None:
        self._calls: deque[Callable[[], object]] = deque()
        self._is_running = False
        self._has_ended = False

    def put(self, call: Callable[[], object]) -> None:
        """Make a call in a moment; at once if too many wait, or after the end."""
        if self._has_ended or len(self._calls) >= MOST:
            call()
            return
        self._calls.append(call)
        if not self._is_running:
            self._is_running = True
            gevent.spawn_later(PAUSE, self._run)

    def end(self) -> None:
        """Make all calls now, and later ones at once."""
        self._has_ended = True
        while self._calls:
            self._make_calls()

    def _run(self) -> None:
        try:
            while self._calls:
                self._make_calls()
                gevent.sleep(INSTANT)
        finally:
            self._is_running = False  # also if a call has failed: the next one begins anew

    def _make_calls(self) -> None:
        for _ in range(min(PIECE, len(self._calls))):
            self._calls.popleft()()
