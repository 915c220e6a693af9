"""The bytes of one client, read and written at once where that needs no wait."""

import io
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from typing import Any

from gevent.socket import wait_read


class Wire(io.RawIOBase):
    """The bytes of one client. Only waiting for them is free: `while_waiting` is entered for each wait."""

    def __init__(self, sock: Any) -> None:
        self._socket = sock
        self.while_waiting: Callable[[], AbstractContextManager[object]] = nullcontext
        self.seconds_left: float | None = None
        """Seconds that all further waits together may take; None for any number."""
        self.waited_at = monotonic()
        """The end of the last wait, by the monotonic clock."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what has arrived; wait if that is nothing.

        :raises TimeoutError: the client is too slow
        """
        while True:
            try:
                # gevent's own method would wait by itself
                received: int = self._socket._sock.recv_into(buffer)  # noqa: SLF001
            except BlockingIOError:
                with self.while_waiting():
                    self._wait_for_bytes()
            else:
                return received

    def send_now(self, data: bytes) -> int:
        """Send as much as the connection takes without a wait; return the number of bytes."""
        try:
            sent: int = self._socket._sock.send(data)  # noqa: SLF001 - its own method would wait
        except BlockingIOError:
            return 0
        return sent

    def _wait_for_bytes(self) -> None:
        """Wait until there is something to read, and subtract what that took from the seconds left."""
        seconds: float = self._socket.gettimeout()
        started = monotonic()
        if self.seconds_left is None:
            wait_read(self._socket.fileno(), seconds)
        else:
            wait_read(self._socket.fileno(), max(0.0, min(seconds, self.seconds_left)))
        self.waited_at = monotonic()
        if self.seconds_left is not None:
            self.seconds_left -= self.waited_at - started
