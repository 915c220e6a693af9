"""Connections that are refused: answered at once, without a slot, and read for a moment."""

import socket
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

import gevent

MAX_LINGERING: Final = 50
"""Refused connections that stay open for a moment; the next one closes the oldest."""
MAX_LINGERING_OF_NETWORK: Final = 25
LINGER_SECONDS: Final = 1.0
MAX_LINGERED: Final = 4096
"""Bytes of a request that are read after its refusal."""
LOOK_SECONDS: Final = 0.1
"""Seconds between two looks at the connections that stay open."""


@dataclass(slots=True, eq=False)
class _Lingering:
    socket: Any
    network: str
    until: float
    bytes_left: int = MAX_LINGERED

    def read(self) -> bool:
        """Read what has come, without waiting; return whether the client may send more."""
        try:
            while self.bytes_left > 0:
                piece = self.socket.recv(self.bytes_left)
                if not piece:
                    return False
                self.bytes_left -= len(piece)
        except BlockingIOError:
            return monotonic() < self.until
        except OSError:
            return False
        return False


class Refusals:
    """The refused connections that are still open.

    A reset overtakes the answer, and comes if a connection is closed before its request was read. So it stays
    open until the client closes it, but not for long: it costs a descriptor, and neither a slot nor a
    greenlet.
    """

    def __init__(self) -> None:
        self._open: deque[_Lingering] = deque()
        self._reading: gevent.Greenlet | None = None

    def __len__(self) -> int:
        return len(self._open)

    def refuse(self, sock: Any, network: str, answer: bytes) -> None:
        """Answer a connection of a network; never wait for the client."""
        of_network = [lingering for lingering in self._open if lingering.network == network]
        if len(of_network) >= MAX_LINGERING_OF_NETWORK:
            self._close_socket(of_network[0])
        elif len(self._open) >= MAX_LINGERING:
            self._close_socket(self._open[0])
        sock.setblocking(False)
        try:
            sock.send(answer)
            sock.shutdown(socket.SHUT_WR)
        except OSError:
            sock.close()
            return
        self._open.append(_Lingering(sock, network, monotonic() + LINGER_SECONDS))
        if self._reading is None:
            self._reading = gevent.spawn(self._read_all)

    def close(self) -> None:
        for lingering in tuple(self._open):
            self._close_socket(lingering)

    def _close_socket(self, lingering: _Lingering) -> None:
        lingering.read()  # what has come already would cause a reset
        self._open.remove(lingering)
        with suppress(OSError):
            lingering.socket.close()

    def _read_all(self) -> None:
        while self._open:
            gevent.sleep(LOOK_SECONDS)
            for lingering in tuple(self._open):
                if not lingering.read():
                    self._close_socket(lingering)
        self._reading = None
