"""A server of toys in a process of its own, and clients that write bytes as they are."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from threading import Thread

from tests.http.serving.managed import Manager
from tests.waiting import PATIENCE
from tests.worlds import serving_toys

PROJECT = Path(__file__).parents[3]


class Server:
    """A server process, its output, and connections to it."""

    def __init__(
        self,
        closing: ExitStack,
        *arguments: str,
        errors_are_read: bool = True,
        manager: Manager | None = None,
        **environment: str,
    ) -> None:
        self.closing = closing
        launcher = manager.launcher if manager else [sys.executable]
        managed = manager.environment if manager else {}
        self.process = subprocess.Popen(
            [*launcher, serving_toys.__file__, *arguments],
            env={**os.environ, "PYTHONPATH": str(PROJECT), **managed, **environment},  # noqa: TID251
            pass_fds=manager.passed if manager else (),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        closing.enter_context(self.process)
        self.said: Queue[str] = Queue()
        self.errors: list[str] = []
        self._read(self.process.stdout, self.said.put)
        if errors_are_read:
            self.read_errors()
        self.port = int(self.in_audience("port ").split()[1])

    def read_errors(self) -> None:
        self._read(self.process.stderr, self.errors.append)

    def _read(self, stream: "Iterator[str] | None", take: Callable[[str], None]) -> None:
        assert stream is not None
        reader = Thread(target=lambda: [take(line.rstrip("\n")) for line in stream])
        reader.start()
        self.closing.callback(reader.join)
        self.closing.callback(self.process.kill)  # which comes first, and ends what is read

    def in_audience(self, beginning: str) -> str:
        """The next line that begins so."""
        while not (line := self.said.get(timeout=PATIENCE)).startswith(beginning):
            pass
        return line

    def connect(self, source: str = "127.0.0.1") -> "Connection":
        """Connect from an address of this machine."""
        address = ("127.0.0.1", self.port)
        connection = Connection(
            socket.create_connection(address, timeout=PATIENCE, source_address=(source, 0))
        )
        self.closing.callback(connection.close)
        return connection

    @property
    def descriptors(self) -> int:
        """The number of open descriptors of the process."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def get(self, path: str, source: str = "127.0.0.1") -> str:
        return self.connect(source).ask(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")[1]

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)


class Connection:
    """A client that writes bytes as they are."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.stream = sock.makefile("rb")
        self.says_close = False
        """Whether the last answer announced that the connection closes."""

    def close(self) -> None:
        self.stream.close()
        self.socket.close()

    def send(self, request: str | bytes) -> None:
        self.socket.sendall(request.encode("latin-1") if isinstance(request, str) else request)

    def read(self) -> tuple[int, str]:
        """Status and body of the next answer; status 0 at the end of the connection."""
        line = self.stream.readline()
        if not line:
            return 0, ""
        length, self.says_close = 0, False
        while (header := self.stream.readline().lower().strip()) != b"":
            self.says_close |= header == b"connection: close"
            if header.startswith(b"content-length:"):
                length = int(header.partition(b":")[2])
        return int(line.split()[1]), self.stream.read(length).decode()

    def ask(self, request: str | bytes) -> tuple[int, str]:
        self.send(request)
        return self.read()

    @property
    def is_at_its_end(self) -> bool:
        try:
            return self.stream.read() == b""
        except ConnectionResetError:
            return True
