"""A relay in front of PostgreSQL that counts round trips: how often a client waits for an answer."""

import selectors
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

SILENCE: Final = 0.005
"""Seconds without further statements after which the client is taken to wait. Answers are held back until
then, so that statements that are sent one after another without waiting count once.
"""


class Relay:
    """A socket whose connections lead to the server's socket at *target*."""

    def __init__(self, target: Path, path: Path) -> None:
        self.round_trips = 0
        """Of all connections until now."""
        self._target = str(target)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._target)
                threading.Thread(target=self._pass_on, args=(client, server), daemon=True).start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        answer = b""
        with closing(client), closing(server), selectors.DefaultSelector() as both, suppress(OSError):
            both.register(client, selectors.EVENT_READ)
            both.register(server, selectors.EVENT_READ)
            while True:
                ready = [key.fileobj for key, _ in both.select(SILENCE if answer else None)]
                for one in ready:
                    data = one.recv(2**20)  # type: ignore[union-attr]
                    if not data:
                        return
                    if one is client:
                        server.sendall(data)
                    else:
                        answer += data
                if answer and client not in ready and server not in ready:
                    self.round_trips += 1
                    client.sendall(answer)
                    answer = b""


@contextmanager
def relayed(url: str) -> Iterator[tuple[str, Relay]]:
    """Yield a URL of the same database by way of a relay, and the relay."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    with tempfile.TemporaryDirectory() as folder:
        name = f".s.PGSQL.{query.get('port', 5432)}"
        with closing(Relay(Path(query["host"]) / name, Path(folder) / name)) as relay:
            yield urlunsplit(parts._replace(query=urlencode({**query, "host": folder}))), relay
