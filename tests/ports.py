"""Ports for servers that cannot choose one themselves."""

import secrets
import socket
from contextlib import closing
from typing import Final

BELOW_THOSE_OF_CONNECTIONS: Final = range(20_000, 32_000)
"""Ports that a system gives to no outgoing connection, which could take one before its server does."""


def free_port() -> int:
    """Return a port on which nobody listens, by chance, so that tests side by side get different ones."""
    while True:
        port = secrets.choice(BELOW_THOSE_OF_CONNECTIONS)
        with closing(socket.socket()) as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port
