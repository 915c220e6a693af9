"""Slow bodies: other requests run during a wait, and the sender may lose the permission to send."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import IO, Final

from chatcore.runtime.admission import Turn

CHECK_SECONDS: Final = 1.0
"""Seconds for which the last check of a caller is valid."""


class SlowBody:
    """The body of a request. After a slow read it checks the caller again; *turn* is paused while it waits
    for the client.

    The body of our own server knows when it waits, so that reading what has come counts as running. With
    other servers, all of each read counts as a wait.
    """

    def __init__(
        self, stream: IO[bytes], clock: Callable[[], float], check_again: Callable[[], object], turn: Turn
    ) -> None:
        self._stream = stream
        self._clock = clock
        self._check_again = check_again
        self._checked_at = clock()
        self._while_reading: Callable[[], AbstractContextManager[object]]
        wait_within = getattr(stream, "wait_within", None)  # only the body of our own server has it
        if wait_within is None:
            self._while_reading = turn.paused
        else:
            wait_within(turn.paused)
            self._while_reading = nullcontext

    def read(self, size: int = -1) -> bytes:
        """Read a piece of the body.

        :raises ChatError: the caller has lost the permission
        """
        with self._while_reading():
            piece = self._stream.read(size)
        if self._clock() - self._checked_at > CHECK_SECONDS:
            self._check_again()
            self._checked_at = self._clock()
        return piece
