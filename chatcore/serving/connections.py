"""One connection with its requests, one after another, and the server with all connections."""

import json
import logging
import re
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING, Any, Final

import gevent
from gevent.event import Event
from gevent.pool import Pool
from gevent.pywsgi import WSGIHandler, WSGIServer

from chatcore.domain.errors import RETRY_SECONDS, RateLimited
from chatcore.domain.network_addresses import neighbourhood
from chatcore.serving.program import Program
from chatcore.serving.requests import MAX_REQUEST_LINE, BadRequestHead, Body, Head, RequestLineTooLong

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = logging.getLogger("chatcore.serving")
access_log = logging.getLogger("chatcore.access")

MAX_CONNECTIONS: Final = 20_000
"""Connections of one worker at a time; above this number, none is accepted."""
MAX_LINGERED: Final = 128 * 2**20
"""Bytes read after the last answer: many clients read no answer before they have sent everything."""
MAX_LINGERED_UNASKED: Final = 65_536
"""Bytes read after the refusal of a connection above the limit."""
IDLE_SECONDS: Final = 75
"""Seconds that a connection may rest between requests, and that one read or write may take."""
HEADER_SECONDS: Final = 10
SLOWEST_ANSWER: Final = 10_000
"""Bytes a second that a client must read of each `ANSWER_PIECE` of an answer, beyond `ANSWER_SECONDS`."""
ANSWER_PIECE: Final = 65_536
ANSWER_SECONDS: Final = 20
LINGER_SECONDS: Final = 30
LINGER_SILENCE: Final = 2
"""Seconds without a byte after which the client counts as having read the answer."""
READ_BUFFER: Final = 2048
"""Bytes that are read at once; most heads have fewer. Each waiting poll keeps a buffer."""
INSTANT: Final = 1e-6
"""Seconds of the shortest sleep. After one of zero seconds, the loop resumes up to fifty greenlets that are
ready, or one of them fifty times, before it looks at sockets and threads again.
"""
GRACE_SECONDS: Final = 5
"""Seconds for running requests after the signal to stop."""

_REQUEST_LINE = re.compile(r"[A-Za-z]{1,20} [\x21-\x7e\x80-\xff]+ HTTP/1\.[01]\r?\n")
_REFUSAL = (
    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/json\r\n{more}"
    "Content-Length: {length}\r\n\r\n{body}"
)


_TOO_MANY_CONNECTIONS = json.dumps(
    {
        "result": "error",
        "msg": "Too many connections from your address",
        "code": RateLimited.code,
        "retry-after": RETRY_SECONDS,
        "limit": "connections_by_address",
    }
)


class Handler(WSGIHandler):  # type: ignore[misc]
    """One connection: its requests, one after another."""

    close_connection: bool
    wsgi_input: "Body"
    response_headers: list[tuple[bytes, bytes]]
    body_left: int | None = None
    """Bytes of the answer's body that are announced and not yet written; None if no length is announced."""

    def __init__(self, sock: Any, address: Any, server: Any) -> None:
        super().__init__(sock, address, server, rfile=sock.makefile("rb", READ_BUFFER))

    def handle_one_request(self) -> bool | None:
        """Read a request and answer it.

        Return None to end the connection, True to wait for the next request.
        """
        if self.server.stopping or not (start := self._next_bytes()):
            return None
        try:
            if b"\r\n\r\n" in start:
                self._read_head()
            else:
                with gevent.Timeout(HEADER_SECONDS, BadRequestHead("the headers took too long")):
                    self._read_head()
        except ValueError as error:
            self._refuse(error)
            return None
        except OSError:
            return None
        self.environ = self.get_environ()
        self.application = self.server.application
        self.body_left = None
        self.handle_one_response()
        if self.wsgi_input.is_lost:
            self._linger()
            return None
        if self.close_connection or self.rfile.closed or self.body_left:
            return None
        gevent.sleep(INSTANT)  # yield to others, even if this connection always has its next request ready
        return True

    def _next_bytes(self) -> bytes:
        """Return the first bytes of the next request; empty if the client is gone or rests too long."""
        connection = gevent.getcurrent()
        self.server.resting.add(connection)
        try:
            start: bytes = self.rfile.peek(1)
        except OSError:
            return b""
        finally:
            self.server.resting.discard(connection)
        return start

    def _read_head(self) -> None:
        self.requestline = self.read_requestline()
        self.response_length = 0
        if not self.requestline.endswith("\n"):
            if len(self.requestline) == MAX_REQUEST_LINE:
                raise RequestLineTooLong("the request line is too long")
            raise BadRequestHead("the request line ends early")
        if not _REQUEST_LINE.fullmatch(self.requestline):
            raise BadRequestHead("malformed request line")
        self.read_request(self.requestline)

    def read_requestline(self) -> str:
        line: bytes = self.rfile.readline(MAX_REQUEST_LINE)
        if line in (b"\r\n", b"\n"):  # some clients end a body with an extra line break
            line = self.rfile.readline(MAX_REQUEST_LINE)
        return line.decode("latin-1")

    def MessageClass(self, *args: Any) -> "Head":  # noqa: N802 - the name is pywsgi's
        return Head(self.rfile, self.request_version)

    def _headers(self) -> Iterator[tuple[str, str]]:
        """Return headers for the WSGI environment, without names with an underscore, which could pose as
        others.
        """
        for name, value in self.headers.pairs:
            if "_" not in name and name not in ("content-type", "content-length"):
                yield "HTTP_" + name.replace("-", "_").upper(), value

    def get_environ(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environ()
        plain = self.wsgi_input
        self.wsgi_input = environ["wsgi.input"] = Body(
            plain.rfile, plain.content_length, plain.socket, plain.chunked_input
        )
        environ["wsgi.input_terminated"] = True
        return environ

    def _refuse(self, error: ValueError) -> None:
        """Answer a malformed request, and end the connection."""
        fields = {"address": self.client_address[0]}
        access_log.info(
            "malformed request: %s", error, extra={"fields": fields}
        )  # the address may hold secrets
        refusal = error if isinstance(error, BadRequestHead) else BadRequestHead
        body = json.dumps({"result": "error", "msg": refusal.answer, "code": "BAD_REQUEST"})
        refuse(self.socket, refusal.status, body)
        self._linger()

    def _linger(self) -> None:
        linger(self.socket, self.server)

    def log_request(self) -> None:
        """Log nothing: the application has its own access log."""

    @property
    def _is_without_body(self) -> bool:
        return self.command == "HEAD" or self.code in (204, 304)

    def finalize_headers(self) -> None:
        """Determine the length of the body, whatever the application writes. If the headers do not show
        where it ends, close the connection after it.
        """
        super().finalize_headers()
        lengths = [int(value) for name, value in self.response_headers if name.lower() == b"content-length"]
        if self._is_without_body:
            self.response_use_chunked = False
            self.body_left = 0
        elif not self.response_use_chunked:
            self.body_left = lengths[0] if lengths else None
        has_visible_end = self.response_use_chunked or self.body_left is not None
        is_last = not has_visible_end or self.server.stopping or self.wsgi_input.ends_connection
        if is_last and not self.close_connection:
            self.close_connection = True
            self.response_headers = [pair for pair in self.response_headers if pair[0] != b"Connection"]
            self.response_headers.append((b"Connection", b"close"))

    def write(self, data: bytes) -> None:
        super().write(b"" if self._is_without_body else data)

    def _within_length(self, data: bytes) -> bytes:
        """Return as much of the data as the headers announce; end the connection if there is more."""
        if self.body_left is None:
            return data
        if len(data) > self.body_left:
            log.error("the application wrote more than its Content-Length")
            self.close_connection = True
            data = data[: self.body_left]
        self.body_left -= len(data)
        return data

    def _write(self, data: bytes) -> None:
        super()._write(self._within_length(data))

    def _write_with_headers(self, data: bytes) -> None:
        """Send headers and the first piece of the body in one packet, so that the second does not wait for
        the first.
        """
        self.headers_sent = True
        self.finalize_headers()
        lines = [b"HTTP/1.1 ", self.status, b"\r\n"]
        for name, value in self.response_headers:
            lines += name, b": ", value, b"\r\n"
        lines.append(b"\r\n")
        if self.response_use_chunked:
            self._sendall(b"".join(lines))
            self._write(data)
        else:
            lines.append(self._within_length(data))
            self._sendall(b"".join(lines))

    def _sendall(self, data: bytes) -> None:
        """Send one piece at a time; each has its own time limit, however long the answer is."""
        for start in range(0, len(data), ANSWER_PIECE):
            piece = memoryview(data)[start : start + ANSWER_PIECE]
            self.socket.settimeout(ANSWER_SECONDS + len(piece) / SLOWEST_ANSWER)
            super()._sendall(piece)
        self.socket.settimeout(IDLE_SECONDS)

    def handle_error(self, kind: type[BaseException], error: BaseException, trace: Any) -> None:
        """Handle a killed request, a lost client or a failure of the server; the application answers its own
        errors.
        """
        self.close_connection = True
        if not isinstance(error, gevent.GreenletExit | OSError):
            log.error("unexpected failure", exc_info=(kind, error, trace))
            self._send_error_response_if_possible(500)


def refuse(sock: Any, status: str, body: str, more: str = "") -> None:
    """Answer before there is a request for the application, and end the connection."""
    with suppress(OSError):
        sock.sendall(_REFUSAL.format(status=status, length=len(body), body=body, more=more).encode())


def linger(sock: Any, server: "Server", bytes_left: int = MAX_LINGERED) -> None:
    """Read what the client still sends, because a reset would overtake our last answer."""
    with suppress(OSError), gevent.Timeout(LINGER_SECONDS, False):
        sock.shutdown(socket.SHUT_WR)
        sock.settimeout(LINGER_SILENCE)
        while bytes_left > 0 and not server.stopping and (piece := sock.recv(65_536)):
            bytes_left -= len(piece)
            gevent.sleep(INSTANT)  # yield to others, even if the client sends fast


class Server(WSGIServer):  # type: ignore[misc]
    """A server that tracks idle connections, so that it can stop without cutting an answer."""

    def __init__(
        self,
        application: "WSGIApplication",
        listener: socket.socket,
        *,
        workers: int,
        connections_per_address: int | None,
    ) -> None:
        host, port = listener.getsockname()[:2]
        self.stopping = False
        self.resting: set[gevent.Greenlet] = set()
        self.most_per_address = connections_per_address
        self.open_per_address: Counter[str] = Counter()
        super().__init__(
            listener,
            application,
            spawn=Pool(MAX_CONNECTIONS),
            log=None,
            error_log=log,
            handler_class=Handler,
            environ={
                "SERVER_NAME": host,
                "SERVER_PORT": str(port),
                "SERVER_SOFTWARE": "chatcore",
                "wsgi.multithread": True,
                "wsgi.multiprocess": workers > 1,
            },
        )

    def handle(self, sock: Any, address: Any) -> None:
        """Serve a connection, or refuse it beyond the limit for its network."""
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(IDLE_SECONDS)
        if self.most_per_address is None:
            super().handle(sock, address)
            return
        network = neighbourhood(address[0])
        if self.open_per_address[network] >= self.most_per_address:
            more = f"Retry-After: {ceil(RETRY_SECONDS)}\r\n"
            refuse(sock, "429 Too Many Requests", _TOO_MANY_CONNECTIONS, more)
            linger(sock, self, MAX_LINGERED_UNASKED)
            return
        self.open_per_address[network] += 1
        try:
            super().handle(sock, address)
        finally:
            self.open_per_address[network] -= 1
            if not self.open_per_address[network]:
                del self.open_per_address[network]

    def on_stop_signal(self, stop_asked: Event) -> None:
        """Handle each signal to stop."""
        if stop_asked.is_set():
            self.pool.kill(block=False)
        stop_asked.set()

    def finish(self, program: Program) -> None:
        """Accept no more requests, and answer those that run."""
        self.stopping = True
        self.close()
        for connection in tuple(self.resting):
            connection.kill(block=False)
        program.stop()
        self.pool.join(timeout=GRACE_SECONDS)
        if len(self.pool):
            log.warning("%d requests were cut off", len(self.pool))
            self.pool.kill(timeout=1)
        program.close()
