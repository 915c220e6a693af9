"""Small work that nobody waits for, done after the answers of a moment instead of between them."""

import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import gevent

from chatcore.serving.program import INSTANT

PAUSE: Final = 0.25
"""Seconds in which work gathers before it waits for others. What is not done yet is lost if the process is
killed.
"""
PIECE: Final = 32
"""Calls between which nobody else runs."""
MAX_WAITING_CALLS: Final = 3_000
"""Calls that wait at a time; for each further one, the oldest is made at once. As many lines of usual length
fit in the log's memory.
"""


class Afterwards:
    """Calls that are made a moment later, in their order, each whatever becomes of the others."""

    def __init__(self) -> None:
        self.let_others_go_first: Callable[[], object] = _nobody_goes_first
        """Waits until answers that are about to go to many people have gone."""
        self._calls: deque[Callable[[], object]] = deque()
        self._is_running = False
        self._has_ended = False

    def put(self, call: Callable[[], object]) -> None:
        """Make a call in a moment; at once after the end."""
        self._calls.append(call)
        if self._has_ended:
            self.end()
            return
        if len(self._calls) > MAX_WAITING_CALLS:
            _make(self._calls.popleft())
        if not self._is_running:
            self._is_running = True
            gevent.spawn(self._run)

    def end(self) -> None:
        """Make all calls now, and later ones at once."""
        self._has_ended = True
        while self._calls:
            _make(self._calls.popleft())

    def _run(self) -> None:
        while self._calls:
            gevent.sleep(PAUSE)
            _make(self.let_others_go_first)
            self._make_gathered()
        self._is_running = False

    def _make_gathered(self) -> None:
        """Make the calls that have come until now, and let others run between their pieces."""
        for number in range(len(self._calls)):
            if number and not number % PIECE:
                gevent.sleep(INSTANT)
            if not self._calls:  # they were made in between
                break
            _make(self._calls.popleft())


def _make(call: Callable[[], object]) -> None:
    try:
        call()
    except (Exception, gevent.GreenletExit, gevent.Timeout):
        with suppress(Exception):
            traceback.print_exc()  # perhaps it is the log that fails


def _nobody_goes_first() -> None:
    pass
