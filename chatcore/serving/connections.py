"""One connection with its requests, one after another."""

import io
import json
import logging
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from time import time  # noqa: TID251 - answers have the machine's time
from typing import Any, Final, NamedTuple

import gevent
from gevent.pywsgi import WSGIHandler, format_date_time

from chatcore.runtime.going_first import HAS_LET_GO_FIRST, LETS_GO_FIRST
from chatcore.serving.bodies import Body
from chatcore.serving.program import INSTANT
from chatcore.serving.requests import LINE_END, MAX_REQUEST_LINE, BadRequestHead, Head, RequestLineTooLong
from chatcore.serving.wire import Wire

log = logging.getLogger("chatcore.serving")
access_log = logging.getLogger("chatcore.access")

MAX_LINGERED: Final = 128 * 2**20
"""Bytes read after the last answer: many clients read no answer before they have sent everything."""
IDLE_SECONDS: Final = 75
"""Seconds that a connection may rest between requests, and that one read or write may take."""
HEADER_SECONDS: Final = 10
SLOWEST_ANSWER: Final = 10_000
"""Bytes a second that a client must read of each `ANSWER_PIECE` of an answer, beyond `ANSWER_SECONDS`."""
ANSWER_PIECE: Final = 65_536
ANSWER_SECONDS: Final = 20
LINGER_SECONDS: Final = 30
LINGER_PIECE: Final = 65_536
LINGER_PAUSE: Final = 0.0005
"""Seconds between two reads after a last answer, times the number of connections that linger: all of them
together take a small part of the time.
"""
LONGEST_LINGER_PAUSE: Final = 0.01
LINGER_SILENCE: Final = 2
"""Seconds without a byte after which the client counts as having read the answer."""
READ_BUFFER: Final = 2048
"""Bytes that are read at once; most heads have fewer. Each waiting poll keeps a buffer."""

_REQUEST_LINE = re.compile(r"[A-Za-z]{1,20} [\x21-\x7e\x80-\xff]+ HTTP/1\.[01]\r\n")
_HOST = re.compile(rb"\r\nhost:([^\r\n]*)\r\n", re.IGNORECASE)
HEAD_END: Final = b"\r\n\r\n"
_REFUSAL = (
    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/json\r\n{more}"
    "Content-Length: {length}\r\n\r\n{body}"
)


class RestIsOver(Exception):
    """A stopping server no longer waits for the next request of a connection."""


class _Wait(NamedTuple):
    """How a request has let others go first."""

    target: bytes
    """The request line up to the query."""
    host: bytes
    let_go_first: Callable[[], object]

    def is_for(self, start: bytes) -> bool:
        """Whether a request that begins with these bytes, its whole head among them, asks for the same."""
        host = _HOST.search(start, 0, start.index(HEAD_END) + 2)
        return start.startswith(self.target) and host is not None and host[1].strip(b" \t") == self.host


class Handler(WSGIHandler):  # type: ignore[misc]
    """One connection: its requests, one after another."""

    close_connection: bool
    wsgi_input: "Body"
    response_headers: list[tuple[bytes, bytes]]
    provided_date: str | bytes | None
    """The header `Date`, if the answer has it."""
    response_length: int
    body_left: int | None = None
    """Bytes of the answer's body that the headers declare and that are not yet written; None: they declare no
    length.
    """
    _last_wait: _Wait | None = None
    _has_let_go_first: Callable[[], object] | None = None
    """The function that was called before the current request was read."""

    def __init__(self, sock: Any, address: Any, server: Any) -> None:
        super().__init__(sock, address, server, rfile=io.BufferedReader(Wire(sock), READ_BUFFER))

    def handle_one_request(self) -> bool | None:
        """Read a request and answer it.

        Return None to end the connection, True to wait for the next request.
        """
        try:
            if not self._receive_head():
                return None
        except ValueError as error:
            self._refuse(error)
            return None
        except OSError:
            return None
        if self.server.is_dropped():  # while the last bytes of the head arrived
            return None
        self.environ = self.get_environ()
        self.application = self.server.application
        self.body_left = None
        self.handle_one_response()
        self._note_wait()
        if self.wsgi_input.is_lost:
            self._linger()
            return None
        if self.close_connection or self.rfile.closed or self.body_left:
            return None
        del self.environ, self.headers, self.wsgi_input, self.requestline, self.path  # it may rest for long
        return True

    def _receive_head(self) -> bool:
        """Wait for the next request, and read its head; return False if the client is gone."""
        wire: Wire = self.rfile.raw
        waited_at = wire.waited_at
        with self.server.resting():
            start = self._await_request(wire)
        if not start:
            return False
        self._has_let_go_first = None
        has_waited = wire.waited_at != waited_at
        if HEAD_END in start:
            self._yield_unless(has_waited)
            self._let_others_go_first(start)
            self._read_head()
        else:
            with (
                self.server.resting(reads_head=True),
                gevent.Timeout(HEADER_SECONDS, BadRequestHead("the headers took too long")),
            ):
                self._yield_unless(has_waited)
                self._read_head()
        return True

    def _yield_unless(self, has_waited: bool) -> None:
        """Let others run, if the next request was there already: perhaps it always is."""
        if not has_waited:
            gevent.sleep(INSTANT)

    def _note_wait(self) -> None:
        """Note how the request that was answered has let others go first, if it has: for what the server does
        afterwards, and for the next request, if its head can tell that it asks for the same.
        """
        self._last_wait = None
        if (let_go_first := self.environ.get(LETS_GO_FIRST)) is None:
            return
        self.server.afterwards.let_others_go_first = let_go_first
        target = "".join(self.requestline.partition("?")[:2])
        host = self.headers.get("host", "")
        if len(target) <= READ_BUFFER and self.environ.get("HTTP_HOST", "") == host:  # else a proxy says it
            self._last_wait = _Wait(target.encode("latin-1"), host.encode("latin-1"), let_go_first)

    def _let_others_go_first(self, start: bytes) -> None:
        """Wait as the last request of the connection did, if this one asks for the same: it would wait
        anyway, but after its head was read and its route was found.
        """
        if self._last_wait is not None and self._last_wait.is_for(start):
            self._has_let_go_first = self._last_wait.let_go_first
            self._has_let_go_first()

    def _await_request(self, wire: Wire) -> bytes:
        """Wait until the next request begins; return its first bytes, or none if the client is gone.

        :raises OSError: the server stops, and no request has begun
        """
        start: bytes
        with suppress(RestIsOver):  # a stopping server raises it here, to end the wait
            if not self.server.rests_are_over:
                start = self.rfile.peek(1)
                return start
        # The server stops: read a request that has come already, but wait for none.
        wire.seconds_left = 0
        start = self.rfile.peek(1)
        wire.seconds_left = None
        return start

    def _read_head(self) -> None:
        self.requestline = self.read_requestline()
        self.response_length = 0
        if not self.requestline.endswith("\n"):
            if len(self.requestline) == MAX_REQUEST_LINE:
                raise RequestLineTooLong("the request line is too long")
            raise BadRequestHead("the request line ends early")
        if not _REQUEST_LINE.fullmatch(self.requestline):
            raise BadRequestHead("the first line is no request line of HTTP")
        self.read_request(self.requestline)

    def read_requestline(self) -> str:
        line: bytes = self.rfile.readline(MAX_REQUEST_LINE)
        if line == LINE_END:  # some clients end a body with an extra line break
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
            plain.rfile, plain.content_length, plain.socket, plain.chunked_input, self.server.give_way
        )
        environ["wsgi.input_terminated"] = True
        environ[HAS_LET_GO_FIRST] = self._has_let_go_first
        return environ

    def _refuse(self, error: ValueError) -> None:
        """Answer a malformed request, and end the connection."""
        fields = {"address": self.client_address[0]}
        # The request's own address is not logged: it may hold secrets.
        access_log.info("malformed request: %s", error, extra={"fields": fields})
        refused = error if isinstance(error, BadRequestHead) else BadRequestHead()
        body = json.dumps({"result": "error", "msg": refused.answer, "code": "BAD_REQUEST"})
        with suppress(OSError):
            self.socket.sendall(refusal(refused.status, body))
        self._linger()

    def _linger(self) -> None:
        """Read what the client still sends, because a reset would overtake our last answer."""
        sock, bytes_left = self.socket, MAX_LINGERED
        with suppress(OSError), gevent.Timeout(LINGER_SECONDS, False), self.server.resting(lingers=True):
            sock.shutdown(socket.SHUT_WR)
            sock.settimeout(LINGER_SILENCE)
            while bytes_left > 0 and not self.server.stopping and (piece := sock.recv(LINGER_PIECE)):
                bytes_left -= len(piece)
                gevent.sleep(min(LINGER_PAUSE * self.server.lingering, LONGEST_LINGER_PAUSE))

    def log_request(self) -> None:
        """Log nothing: the application has its own access log."""

    @property
    def _is_without_body(self) -> bool:
        return self.command == "HEAD" or self.code in (204, 304)

    def finalize_headers(self) -> None:
        """Determine the length of the body, whatever the application writes. If the headers do not show
        where it ends, close the connection after it.
        """
        if self.provided_date is None:
            self.provided_date = _date(int(time()))  # pywsgi would make one for each answer
            self.response_headers.append((b"Date", self.provided_date))
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

    def _take_declared(self, data: bytes) -> bytes:
        """Count and return as much of the data as the headers declare; end the connection after more."""
        if self.body_left is None:
            return data
        if len(data) > self.body_left:
            log.error("the application wrote more than its Content-Length")
            self.close_connection = True
            data = data[: self.body_left]
        self.body_left -= len(data)
        return data

    def _write(self, data: bytes) -> None:
        super()._write(self._take_declared(data))

    def _write_with_headers(self, data: bytes) -> None:
        """Send headers and the first piece of the body in one packet, so that the second does not wait for
        the first.
        """
        self.finalize_headers()
        self.headers_sent = True  # no earlier: an answer with an odd header is answered as a failure
        lines = [b"HTTP/1.1 ", self.status, b"\r\n"]
        for name, value in self.response_headers:
            lines += name, b": ", value, b"\r\n"
        lines.append(b"\r\n")
        if self.response_use_chunked:
            self._sendall(b"".join(lines))
            self._write(data)
        else:
            lines.append(self._take_declared(data))
            self._sendall(b"".join(lines))

    def _sendall(self, data: bytes) -> None:
        """Send one piece at a time; each has its own time limit, however long the answer is."""
        wire: Wire = self.rfile.raw
        sent = wire.send_now(data)
        self.response_length += sent  # if there is none, pywsgi answers a failure itself
        for start in range(sent, len(data), ANSWER_PIECE):
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


def refusal(status: str, body: str, more: str = "") -> bytes:
    """Return an answer that comes before there is a request for the application, and ends the connection."""
    return _REFUSAL.format(status=status, length=len(body), body=body, more=more).encode()


@lru_cache(maxsize=1)
def _date(second: int) -> bytes:
    """Return a time as the header has it; hundreds of answers have the same."""
    date: bytes = format_date_time(second)
    return date
