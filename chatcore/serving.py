"""Serving with gevent: one process per worker, a greenlet per connection.

`patch` comes first, before anything is imported that keeps a thread, a lock or a connection; then `serve`
runs until it is told to stop by SIGTERM or SIGINT. Everywhere else in the package the standard library's
`threading` is enough.
"""

import errno
import logging
import os
import re
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar
from urllib.parse import quote

import gevent
import gevent.os
from gevent import monkey
from gevent.event import Event
from gevent.pool import Pool
from gevent.pywsgi import Input, WSGIHandler, WSGIServer
from gevent.threadpool import ThreadPool

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = logging.getLogger("chatcore.serving")
access_log = logging.getLogger("chatcore.access")

T = TypeVar("T")

MAX_LINE: Final = 8192
"""Bytes of a request line or of one header."""
MAX_HEADERS: Final = 100
MAX_HEADER_BYTES: Final = 32_768
MAX_CONNECTIONS: Final = 20_000
"""Of one worker; while there are more, none is accepted."""
MAX_DISCARDED: Final = 2**20
"""Bytes of a body nobody read that are taken in so that the connection can go on."""
MAX_LINGERED: Final = 16 * 2**20
"""Bytes that are taken in after the last answer, so that the client reads it before it sees the end."""
BACKLOG: Final = 2048

IDLE_SECONDS: Final = 75
"""How long a connection may rest between requests, and how long one read or write may hang."""
HEADER_SECONDS: Final = 10
BODY_SECONDS: Final = 20
LINGER_SECONDS: Final = 2
SLOWEST_BODY: Final = 10_000
"""Bytes a second of a body, beyond its first `BODY_SECONDS`."""
GRACE_SECONDS: Final = 5
"""For the requests that run when the server is told to stop."""

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
EXIT_CANNOT_START: Final = 3


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Program:
    """What a worker serves. `stop` makes waiting requests answer; `close` comes after the last answer."""

    application: "WSGIApplication"
    stop: Callable[[], object] = _nothing
    close: Callable[[], object] = _nothing


class CannotServe(Exception):
    """The server cannot start; the message is one line for whoever started it."""


def patch() -> None:
    """Make the standard library cooperative.

    :raises RuntimeError: something has been imported that has kept what would have to be replaced
    """
    if too_early := {"peewee", "psycopg"} & sys.modules.keys():
        raise RuntimeError(f"patch() must come before the import of {', '.join(sorted(too_early))}")
    monkey.patch_all()


_threads: dict[int, ThreadPool] = {}


def run_in_threadpool(work: Callable[[], T]) -> T:
    """Run what takes long and waits for nothing, such as hashing a password, beside the event loop."""
    threads = _threads.get(os.getpid())
    if threads is None:
        threads = _threads[os.getpid()] = ThreadPool(os.cpu_count() or 1)
    result: T = threads.apply(work)
    return result


def serve(
    make_program: Callable[[], Program],
    host: str,
    port: int,
    *,
    workers: int = 1,
    on_listening: Callable[[str, int], object] = lambda host, port: None,
) -> None:
    """Serve until SIGTERM or SIGINT; a second signal ends the requests that still run.

    *make_program* is called in each worker. *on_listening* is told host and port, also the port chosen for 0;
    from then on nobody is turned away.

    :raises CannotServe: wrong host, port taken, or workers that cannot start
    """
    if not monkey.is_module_patched("socket"):
        raise RuntimeError("patch() must be called before serve()")
    listener = _listen(host, port)
    _allow_many_files()
    try:
        if workers == 1:
            program = make_program()
            on_listening(host, listener.getsockname()[1])
            _run(program, listener, workers=1)
        else:
            on_listening(host, listener.getsockname()[1])
            _Supervisor(make_program, listener, workers).run()
    finally:
        listener.close()


# Listening


def _listen(host: str, port: int) -> socket.socket:
    """A plain socket, so that nothing of gevent's is shared by workers."""
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
        raise CannotServe(_why_not(error, host, port)) from error
    return listener


def _why_not(error: OSError | OverflowError, host: str, port: int) -> str:
    if isinstance(error, OverflowError):
        return f"{port} is not a port: use a number from 0 to 65535."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"'{host}' is not an address of this machine."
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken: stop the program that has it, or choose another port."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the system's administrator: choose one above 1023."
    return f"Cannot listen on {host}, port {port}: {error.strerror or error}."


def _allow_many_files() -> None:
    """Each connection is an open file, and the usual limit of 1,024 is not meant for servers."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


# One worker


def _run(program: Program, listener: socket.socket, *, workers: int, until: int | None = None) -> None:
    """Serve in this process until a signal comes, or until the other end of the pipe *until* is closed."""
    server = Server(program.application, listener, workers=workers)
    told = Event()
    watchers = [gevent.signal_handler(number, server.told_to_stop, told) for number in SIGNALS]
    if until is not None:
        gevent.spawn(_tell_at_end_of_file, until, told)
    server.start()
    told.wait()
    server.finish(program)
    for watcher in watchers:
        watcher.cancel()


def _tell_at_end_of_file(pipe: int, told: Event) -> None:
    gevent.os.make_nonblocking(pipe)
    gevent.os.nb_read(pipe, 1)
    told.set()


class Server(WSGIServer):  # type: ignore[misc]
    """A server that knows which connections rest, and so can stop without cutting an answer."""

    def __init__(self, application: "WSGIApplication", listener: socket.socket, *, workers: int) -> None:
        host, port = listener.getsockname()[:2]
        self.stopping = False
        self.resting: set[gevent.Greenlet] = set()
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
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(IDLE_SECONDS)
        super().handle(sock, address)

    def told_to_stop(self, told: Event) -> None:
        """Called for each signal."""
        if told.is_set():
            self.pool.kill(block=False)
        told.set()

    def finish(self, program: Program) -> None:
        """Take no more requests and answer those that run."""
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


class BadRequestHead(ValueError):
    """A request whose line or headers cannot be taken."""


class Handler(WSGIHandler):  # type: ignore[misc]
    """One connection: its requests, one after another."""

    close_connection: bool
    wsgi_input: "Body"

    def handle_one_request(self) -> bool | None:
        """Read a request and answer it; None ends the connection, True waits for the next request."""
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
        self.handle_one_response()
        if self.wsgi_input.is_lost:
            self._linger()
            return None
        if self.close_connection or self.rfile.closed:
            return None
        gevent.sleep(0)  # a connection that always has its next request ready must not keep out the others
        return True

    def _next_bytes(self) -> bytes:
        """What there is of the next request; empty when the client has gone or rests too long."""
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
            raise BadRequestHead("the request line is too long or ends early")
        if not _REQUEST_LINE.fullmatch(self.requestline):
            raise BadRequestHead("malformed request line")
        self.read_request(self.requestline)

    def read_requestline(self) -> str:
        line: bytes = self.rfile.readline(MAX_LINE)
        if line in (b"\r\n", b"\n"):  # some clients end a body with one line break too many
            line = self.rfile.readline(MAX_LINE)
        return line.decode("latin-1")

    def MessageClass(self, *args: Any) -> "Head":  # noqa: N802 - the name is pywsgi's
        return Head(self.rfile)

    def _headers(self) -> Iterator[tuple[str, str]]:
        """For the WSGI environment; names with an underscore could pose as others."""
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
        """Answer what is no HTTP; the connection ends with it."""
        access_log.info("malformed request %s: %s", quote((self.requestline or "")[:100]), error)
        with suppress(OSError):
            self.socket.sendall(_MALFORMED)
        self._linger()

    def _linger(self) -> None:
        """Take in what the client is still sending, or a reset would overtake our last answer."""
        with suppress(OSError), gevent.Timeout(LINGER_SECONDS, False):
            self.socket.shutdown(socket.SHUT_WR)
            left = MAX_LINGERED
            while left > 0 and (piece := self.socket.recv(65_536)):
                left -= len(piece)

    def log_request(self) -> None:
        """The application has its own access log."""

    def finalize_headers(self) -> None:
        super().finalize_headers()
        if self.server.stopping and not self.close_connection:
            self.close_connection = True
            self.response_headers.append((b"Connection", b"close"))

    def _write_with_headers(self, data: bytes) -> None:
        """Headers and the first piece of the body in one packet, or the second would wait for the first."""
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
            lines.append(data)
            self._sendall(b"".join(lines))

    def handle_error(self, kind: type[BaseException], error: BaseException, trace: Any) -> None:
        """The application answers its own errors: here a request was killed, a client left, or we failed."""
        self.close_connection = True
        if not isinstance(error, gevent.GreenletExit | OSError):
            log.error("unexpected failure", exc_info=(kind, error, trace))
            self._send_error_response_if_possible(500)


_MALFORMED_BODY = b'{"result":"error","msg":"Malformed HTTP request","code":"BAD_REQUEST"}'
_MALFORMED = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n%s" % (len(_MALFORMED_BODY), _MALFORMED_BODY)
)

_REQUEST_LINE = re.compile(r"[A-Za-z]{1,20} [\x21-\x7e\x80-\xff]+ HTTP/1\.[01]\r?\n")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
ONLY_ONCE: Final = frozenset({"authorization", "content-length", "content-type", "host", "transfer-encoding"})
"""Two of one of these could be read in two ways by a proxy and by us."""


class Head:
    """The headers of one request, with the methods that pywsgi wants."""

    status = ""

    def __init__(self, rfile: Any) -> None:
        self.pairs: list[tuple[str, str]] = []
        self._values: dict[str, str] = {}
        total = 0
        while (line := rfile.readline(MAX_LINE)) not in (b"\r\n", b"\n"):
            total += len(line)
            if not line.endswith(b"\n") or total > MAX_HEADER_BYTES or len(self.pairs) >= MAX_HEADERS:
                raise BadRequestHead("the headers are too long or end early")
            name, colon, value = line.decode("latin-1").partition(":")
            value = value.strip(" \t\r\n")
            if not colon or not _TOKEN.fullmatch(name) or _CONTROL.search(value):
                raise BadRequestHead("malformed header")
            self._add(name.lower(), value)
        self._check_framing()

    def _add(self, name: str, value: str) -> None:
        if name in self._values and name in ONLY_ONCE:
            raise BadRequestHead(f"two headers {name}")
        self.pairs.append((name, value))
        self._values[name] = value

    def _check_framing(self) -> None:
        """Where the body ends must be said in exactly one way."""
        length, coding = self.get("content-length"), self.get("transfer-encoding")
        if length is not None and not (length.isascii() and length.isdecimal() and len(length) < 19):
            raise BadRequestHead("malformed Content-Length")
        if coding is not None and (length is not None or coding.lower() != "chunked"):
            raise BadRequestHead("the body's length is not clear")

    def get(self, name: str, default: str | None = None) -> str | None:
        return self._values.get(name.lower(), default)

    getheader = get

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    @property
    def typeheader(self) -> str | None:
        return self._values.get("content-type")


class Body(Input):  # type: ignore[misc]
    """The body of one request. It is lost when the rest of it was not read: no request can follow then."""

    __slots__ = ("is_lost",)

    def __init__(self, rfile: Any, content_length: int | None, sock: Any, chunked: bool) -> None:
        super().__init__(rfile, content_length, sock, chunked)
        self.is_lost = False

    def read(self, length: int | None = None) -> bytes:
        seconds = BODY_SECONDS + (self.content_length or 0) / SLOWEST_BODY
        try:
            with gevent.Timeout(seconds, TimeoutError("the body took too long")):
                data: bytes = super().read(length)
        except OSError:
            self.is_lost = True
            raise
        return data

    def _discard(self) -> None:
        """Read what is left, if that is not much and the client does not wait to be asked for it."""
        left = (self.content_length or 0) - self.position
        if self.is_lost or not (left or self.chunked_input):
            return
        if self.socket is not None or left > MAX_DISCARDED:
            self.is_lost = True
            return
        left = MAX_DISCARDED
        with suppress(OSError):
            while piece := self.read(65_536):
                left -= len(piece)
                if left < 0:
                    self.is_lost = True
                    return


# Several workers


class _Supervisor:
    """The parent of the workers: starts them, replaces one that dies, and passes on the signal to stop.

    It runs no event loop, so that each worker begins with a fresh one.
    """

    def __init__(self, make_program: Callable[[], Program], listener: socket.socket, workers: int) -> None:
        self._make_program = make_program
        self._listener = listener
        self._workers = workers
        self._started: dict[int, float] = {}
        self._stopping = False
        self._failed = False
        self._parent = os.getpid()
        self._life = os.pipe()
        """Only the parent holds the writing end; a worker reads the end of file when the parent is gone."""

    def run(self) -> None:
        previous = {number: signal.signal(number, self._stop) for number in SIGNALS}
        wait = monkey.get_original("os", "waitpid")
        try:
            for _ in range(self._workers):
                self._start()
            while self._started:
                pid, status = wait(-1, 0)
                started = self._started.pop(pid, None)
                if started is not None:
                    self._ended(pid, os.waitstatus_to_exitcode(status), time.monotonic() - started)
        finally:
            for end in self._life:
                os.close(end)
            for number, handler in previous.items():
                signal.signal(number, handler)
        if self._failed:
            raise CannotServe("The workers cannot start; the reason is above.")

    def _start(self) -> None:
        pid = gevent.os.fork_gevent()
        if not pid:
            self._work()
        self._started[pid] = time.monotonic()
        if self._stopping:  # the signal came while this worker was being made
            self._stop()

    def _work(self) -> NoReturn:
        """The life of a worker; it never returns into the parent's code."""
        code = EXIT_CANNOT_START
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the parent decides
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.close(self._life[1])
            if self._stopping:
                os._exit(0)
            program = self._make_program()
            code = 1
            _run(program, self._listener, workers=self._workers, until=self._life[0])
            code = 0
        except BaseException as error:
            log.critical("a worker failed: %s", error, exc_info=True)
        finally:
            logging.shutdown()
            os._exit(code)

    def _ended(self, pid: int, code: int, seconds: float) -> None:
        if self._stopping:
            return
        if code == EXIT_CANNOT_START:
            self._failed = True
            self._stop()
            return
        log.warning("worker %d ended with %d and is replaced", pid, code)
        if seconds < 1:
            monkey.get_original("time", "sleep")(1)
        if not self._stopping:
            self._start()

    def _stop(self, *_: object) -> None:
        """Handles the signals; a worker that has just been made inherits this for a moment."""
        self._stopping = True
        if os.getpid() == self._parent:
            for pid in self._started:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
