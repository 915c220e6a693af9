"""The socket on which connections arrive."""

import ctypes
import errno
import socket
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from gevent import monkey

from chatcore.serving.program import CannotServe

BACKLOG: Final = 2048
"""Connections that wait to be accepted."""
SO_ATTACH_FILTER: Final = 26
"""The option of Linux, which Python does not name."""
_INSTRUCTION: Final = "HBBI"
_ALL_BUT_NEW: Final = b"".join(
    struct.pack(_INSTRUCTION, *instruction)
    for instruction in (
        (0x30, 0, 0, 13),  # load the byte of the flags in the header of TCP
        (0x54, 0, 0, 0x12),  # keep SYN and ACK of it
        (0x15, 0, 1, 0x02),  # only SYN?
        (0x06, 0, 0, 0),  # then drop the packet,
        (0x06, 0, 0, 0xFFFFFFFF),  # else let it pass
    )
)
"""A filter of packets in the instructions of the kernel (see "BPF" in the manual of `socket`)."""


@dataclass(frozen=True, slots=True)
class Listener:
    """A plain socket that listens, so that workers share nothing of gevent's."""

    socket: socket.socket
    is_passed: bool = False
    """Whether a service manager has it too: who connects while this server stops waits for the next one."""

    @property
    def address(self) -> tuple[str, int]:
        """Return host and port."""
        host, port = self.socket.getsockname()[:2]
        return host, port

    def close_to_new(self) -> None:
        """Let nobody connect to this server any more, in any of its processes. Who has connected can still be
        accepted.

        Otherwise, who connects between the last `accept` and `close` would be cut off. A client whose packet
        is dropped repeats it after a second, and is refused then. Only Linux can do this.
        """
        if self.is_passed or sys.platform != "linux":
            return
        instructions = ctypes.create_string_buffer(_ALL_BUT_NEW, len(_ALL_BUT_NEW))
        count = len(_ALL_BUT_NEW) // struct.calcsize(_INSTRUCTION)
        program = struct.pack("HP", count, ctypes.addressof(instructions))
        with suppress(OSError):
            self.socket.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


def listen(host: str, port: int) -> Listener:
    """Listen on host and port.

    :raises CannotServe: wrong host, or port taken
    """
    plain_socket = monkey.get_original("socket", "socket")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener: socket.socket = plain_socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except (OSError, OverflowError) as error:
        listener.close()
        raise CannotServe(_reason(error, host, port)) from error
    return Listener(listener)


def _reason(error: OSError | OverflowError, host: str, port: int) -> str:
    """Return why the server cannot listen, for people."""
    if isinstance(error, OverflowError):
        return f"{port} is not a port: use a number from 0 to 65535."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"'{host}' is not an address of this machine."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken: stop the program that has it, or choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system's administrator: choose one above 1023."
    return f"Cannot listen on {host}, port {port}: {error.strerror or error}."
