"""A PostgreSQL that does not answer: all its processes stand still, or the way to it is lost."""

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg


class Frozen:
    """A server whose processes are stopped and continued."""

    def __init__(self, url: str) -> None:
        self.url = url
        with psycopg.connect(url) as connection:
            found = connection.execute("SELECT current_setting('data_directory')").fetchone()
        assert found is not None
        self._first = int((Path(found[0]) / "postmaster.pid").read_text().split()[0])

    def fall_silent(self) -> None:
        os.kill(self._first, signal.SIGSTOP)  # it starts no other ones any more
        for process in self._others():
            os.kill(process, signal.SIGSTOP)

    def go_on(self) -> None:
        for process in (*self._others(), self._first):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

    def _others(self) -> Iterator[int]:
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                with suppress(OSError):
                    parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                    if int(parent) == self._first:
                        yield int(folder.name)


class Vanished:
    """A way to a server that loses what is sent; afterwards what was connected before is lost for ever."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        (folder,) = parse_qs(parts.query)["host"]
        self._server = f"{folder}/.s.PGSQL.5432"
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        self.url = parts._replace(netloc=f"postgres@127.0.0.1:{port}", query="").geturl()
        self._is_lost = threading.Event()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def fall_silent(self) -> None:
        self._is_lost.set()

    def go_on(self) -> None:
        self._is_lost = threading.Event()

    def close(self) -> None:
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._open += [client, server]
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=(*ends, self._is_lost), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket, is_lost: threading.Event) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                if not is_lost.is_set():
                    other.sendall(data)
            if not is_lost.is_set():
                other.shutdown(socket.SHUT_WR)


@contextmanager
def silent(database: Frozen | Vanished) -> Iterator[None]:
    database.fall_silent()
    try:
        yield
    finally:
        database.go_on()
