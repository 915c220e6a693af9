"""Slow bodies: other requests run while one is awaited, and its sender may lose the right to send it."""

from collections.abc import Callable
from typing import IO, Final

from chatcore.application.admission import Turn

PATIENCE: Final = 1.0
"""Seconds for which it counts that a caller was looked up."""


class SlowBody:
    """A request's body. Whenever it has kept one waiting, it is looked up again who calls; *turn* is paused
    while it does.
    """

    def __init__(
        self, stream: IO[bytes], clock: Callable[[], float], look_again: Callable[[], object], turn: Turn
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._look_again = look_again
        self._looked_at = clock()
        self._turn = turn

    def read(self, size: int = -1) -> bytes:
        """:raises ChatError: whoever calls may not any more"""
        with self._turn.paused():
            piece = self._stream.read(size)
        if self._clock() - self._looked_at > PATIENCE:
            self._look_again()
            self._looked_at = self._clock()
        return piece
