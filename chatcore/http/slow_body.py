"""Bodies that take their time: who sends one may have lost the right to, since its head came."""

from collections.abc import Callable
from typing import IO, Final

PATIENCE: Final = 1.0
"""Seconds for which it counts that a caller was looked up."""


class SlowBody:
    """A request's body. Whenever it has kept one waiting, it is looked up again who calls."""

    def __init__(self, stream: IO[bytes], clock: Callable[[], float], look_again: Callable[[], None]) -> None:
        self._stream = stream
        self._clock = clock
        self._look_again = look_again
        self._looked_at = clock()

    def read(self, size: int = -1) -> bytes:
        """:raises ChatError: whoever calls may not any more"""
        piece = self._stream.read(size)
        if not 0 <= self._clock() - self._looked_at <= PATIENCE:  # a clock can be set back
            self._look_again()
            self._looked_at = self._clock()
        return piece
