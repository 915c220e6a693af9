"""A service manager, as systemd is one: it passes a socket to servers, and hears their news."""

import os
import socket
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import count
from typing import Final

from tests.waiting import PATIENCE

LAUNCHER: Final = """
import os, sys
first, *rest = sys.argv[1].split()
os.dup2(int(first), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(1 + len(rest)))
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
"""A program that becomes Python with the arguments behind its first one, which are the passed descriptors."""
_numbers = count()


class Manager:
    """Holds a listening socket, or what else a test wants to pass."""

    def __init__(
        self, closing: ExitStack, *, notify_at: str = "", passed: Iterable[socket.socket] = ()
    ) -> None:
        self.listener = closing.enter_context(socket.create_server(("127.0.0.1", 0), backlog=128))
        self.passed = [one.fileno() for one in (*passed, self.listener)]
        self._ear = closing.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self._ear.settimeout(PATIENCE)
        address = notify_at or f"@chatcore-tests-{os.getpid()}-{next(_numbers)}"
        self._ear.bind(address.replace("@", "\0"))
        self.environment = {"NOTIFY_SOCKET": address}
        self.launcher = [sys.executable, "-c", LAUNCHER, " ".join(map(str, self.passed))]
        """Takes the place of the interpreter in the command of a server."""

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def hear(self) -> str:
        """Wait for news of the server."""
        return self._ear.recv(1000).decode()
