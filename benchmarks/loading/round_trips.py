"""A relay in front of PostgreSQL that counts round trips: how often a client waits for an answer."""

import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

SILENCE: Final = 0.005
"""Seconds without further statements after which the client is taken to wait. Answers are held back until
then, so that statements that are sent one after another without waiting count once.
"""


class _Connection:
    """A client's connection, and the one to the server that it leads to."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.round_trips = 0
        self._client, self._server = client, server
        self._has_answer = True
        """Whether the client has got something since it has sent something."""
        self._sent_at = 0.0
        self._turn = threading.Lock()
        for pass_on in (self._pass_on_statements, self._pass_on_answers):
            threading.Thread(target=pass_on, daemon=True).start()

    def _pass_on_statements(self) -> None:
        with closing(self._server), suppress(OSError):
            while data := self._client.recv(2**20):
                with self._turn:
                    self.round_trips += self._has_answer
                    self._has_answer, self._sent_at = False, time.monotonic()
                self._server.sendall(data)
            self._server.shutdown(socket.SHUT_RDWR)

    def _pass_on_answers(self) -> None:
        with closing(self._client), suppress(OSError):
            while data := self._server.recv(2**20):
                while (left := self._begin_answer()) > 0:
                    time.sleep(left)
                self._client.sendall(data)
            self._client.shutdown(socket.SHUT_RDWR)

    def _begin_answer(self) -> float:
        """Return for how many seconds the client may still send; if there are none, it gets an answer now."""
        with self._turn:
            left = self._sent_at + SILENCE - time.monotonic()
            self._has_answer = left <= 0
            return left


class Relay:
    """A socket whose connections lead to the server's socket at *target*."""

    def __init__(self, target: Path, path: Path) -> None:
        self._connections: list[_Connection] = []
        self._target = str(target)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self) -> None:
        for one in self._connections:
            one.round_trips = 0

    @property
    def round_trips(self) -> int:
        """The number since `begin` of the connection with the most; others hear or send notices."""
        return max((one.round_trips for one in self._connections), default=0)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self._target)
                except OSError:
                    client.close()
                else:
                    self._connections.append(_Connection(client, server))


@contextmanager
def relayed(url: str) -> Iterator[tuple[str, Relay]]:
    """Yield a URL of the same database by way of a relay, and the relay. The URL is like that of
    `postgres_cluster`: it names a user, and as `host` in its query the folder with the server's socket.
    """
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    with tempfile.TemporaryDirectory() as folder:
        name = f".s.PGSQL.{query.get('port', 5432)}"
        with closing(Relay(Path(query["host"]) / name, Path(folder) / name)) as relay:
            yield urlunsplit(parts._replace(query=urlencode({**query, "host": folder}))), relay
