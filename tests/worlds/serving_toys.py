"""A server for the tests of serving; its output reports its state to the tests."""

import ctypes
import gc
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gevent
import gevent.socket
from gevent import monkey

from chatcore import serving
from chatcore.runtime.afterwards import AFTERWARDS
from chatcore.runtime.going_first import HAS_LET_GO_FIRST, LETS_GO_FIRST
from chatcore.runtime.work import Work
from chatcore.serving import afterwards, bodies, connections, server, streams
from tests.waiting import PATIENCE

stopped: threading.Event
HELD = os.pipe()
TICKS = os.pipe()
ticks: list[None] = []
waits: list[None] = []
held: list[int] = []


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Handler(connections.Handler):
    """A handler that logs what it sends, and shows its socket to the application."""

    def get_environ(self) -> dict[str, Any]:
        return {**super().get_environ(), "socket": self.socket}

    def _sendall(self, data: bytes) -> None:
        if self.path == "/sends":
            nodelay = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            say(f"sent {len(data)} nodelay {bool(nodelay)}")
        super()._sendall(data)


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    if environ["PATH_INFO"] == "/large":
        start_response("200 OK", [("Content-Length", str(LARGE))])
        return Large()
    if (odd := FRAMES.get(environ["PATH_INFO"])) is not None:
        status, headers, pieces = odd
        start_response(status, headers)
        return made_of(pieces)
    answer = PAGES[f"/{environ['PATH_INFO'].lstrip('/')}"](environ)
    start_response("200 OK", [("Content-Length", str(len(answer)))])
    return [answer]


def made_of(pieces: Iterable[bytes | Exception]) -> Iterator[bytes]:
    """Yield pieces of an answer, and fail where one is an exception."""
    for piece in pieces:
        if isinstance(piece, Exception):
            raise piece
        yield piece


LARGE = 2**26
"""A number of bytes that exceeds the buffers of any socket."""


class Large:
    """An answer that reports when it is abandoned or finished."""

    def __iter__(self) -> Iterator[bytes]:
        yield bytes(LARGE)

    def close(self) -> None:
        say("closed large")


def wait(environ: dict[str, Any]) -> bytes:
    say("waiting")
    stopped.wait()
    return b"woken"


def behind(environ: dict[str, Any]) -> bytes:
    """Say whether the server has called `let_go_first` before it read the request, and how often in all."""
    has_waited = environ[HAS_LET_GO_FIRST] is let_go_first
    if environ["REQUEST_METHOD"] == "GET":
        environ["HTTP_HOST"] = environ.get("HTTP_X_FORWARDED_HOST", environ.get("HTTP_HOST", ""))
        environ[LETS_GO_FIRST] = let_go_first
    return f"{has_waited} {len(waits)}".encode()


def let_go_first() -> None:
    waits.append(None)


def environments(environ: dict[str, Any]) -> bytes:
    """Return how many requests are in memory, beside this one."""
    kept = [one for one in gc.get_objects() if isinstance(one, dict) and "wsgi.input" in one]
    return str(len(kept) - 1).encode()


def work_afterwards(environ: dict[str, Any]) -> bytes:
    environ[AFTERWARDS](lambda: say("worked"))
    return b"answered"


def write(environ: dict[str, Any]) -> bytes:
    say("writing")
    stopped.wait()
    time.sleep(0.2)
    Path(sys.argv[2]).write_text("written")
    return b"written"


def hang(environ: dict[str, Any]) -> bytes:
    say("hanging")
    threading.Event().wait()
    return b""


def in_thread(environ: dict[str, Any]) -> bytes:
    loop, kind = threading.get_native_id(), Work(environ["QUERY_STRING"])
    return str(serving.run_in_threadpool(threading.get_native_id, kind) != loop).encode()


def ends_in_thread(environ: dict[str, Any]) -> bytes:
    try:
        serving.run_in_threadpool(sys.exit, Work.TEXTS)
    except SystemExit:
        return b"ended"
    return b""


def locked_in_threads(environ: dict[str, Any]) -> bytes:
    """Return how many of several threads that wait for one lock get it."""
    lock = threading.Lock()
    sleep = monkey.get_original("time", "sleep")

    def work() -> None:
        with lock:
            sleep(0.01)

    waiting = [gevent.spawn(serving.run_in_threadpool, work, Work.FILES) for _ in range(8)]
    return str(len(gevent.joinall(waiting, timeout=PATIENCE))).encode()


def files_in_threads(environ: dict[str, Any]) -> bytes:
    """Return how many files are finished in threads without a failure."""
    from storage_backends.files import LocalFiles

    def finish_some(one: int) -> int:
        for number in range(250):
            key = f"{one:02x}/{number}"
            files.writer(key).close()
            serving.run_in_threadpool(partial(files.finish, key), Work.FILES)
        return 250

    with TemporaryDirectory() as folder:
        files = LocalFiles(Path(folder))
        making = gevent.joinall([gevent.spawn(finish_some, one) for one in range(8)])
    return str(sum(one.value or 0 for one in making)).encode()


def killed_in_thread(environ: dict[str, Any]) -> bytes:
    """Return how many pieces of work have ended when their greenlets, which were killed meanwhile, end."""
    sleep = monkey.get_original("time", "sleep")
    ended: list[None] = []

    def work() -> None:
        sleep(0.2)
        ended.append(None)

    one = gevent.spawn(serving.run_in_threadpool, work, Work.TEXTS)
    gevent.sleep(0.05)
    one.kill()
    return str(len(ended)).encode()


def hold(environ: dict[str, Any]) -> bytes:
    """Run work of a kind that waits until a byte is written to `HELD`."""
    say("holding")
    return serving.run_in_threadpool(partial(os.read, HELD[0], 1), Work(environ["QUERY_STRING"]))


def release(environ: dict[str, Any]) -> bytes:
    os.write(HELD[1], b"x")
    return b""


def together(environ: dict[str, Any]) -> bytes:
    """Return how many of several pieces of work of a kind run at the same time.

    They wait until as many as are expected do.
    """
    sleep = monkey.get_original("time", "sleep")
    name, _, number = environ["QUERY_STRING"].partition("&")
    running: list[None] = []
    counts: list[int] = []

    def work() -> None:
        running.append(None)
        counts.append(len(running))
        for _ in range(int(PATIENCE / 0.001)):
            if max(counts) >= int(number):
                break
            sleep(0.001)
        sleep(0.1)  # one more may come
        running.pop()

    kind = Work(name)
    gevent.joinall([gevent.spawn(serving.run_in_threadpool, work, kind) for _ in range(12)])
    assert len(counts) == 12
    return str(max(counts)).encode()


def impatient(environ: dict[str, Any]) -> bytes:
    """Wait no longer for what this connection sends from now on."""
    connections.IDLE_SECONDS = 0.05  # type: ignore[misc, assignment]
    environ["socket"].settimeout(connections.IDLE_SECONDS)
    return echo(environ)


def tick(environ: dict[str, Any]) -> bytes:
    if not ticks:
        os.write(TICKS[1], b"x")
    ticks.append(None)
    return b""


def overtaken(environ: dict[str, Any]) -> bytes:
    """Return how many other requests are answered after something can be read, before its reader goes on."""
    say("waiting")
    gevent.socket.wait_read(TICKS[0])
    return str(len(ticks)).encode()


def piece(environ: dict[str, Any]) -> bytes:
    try:
        return str(len(environ["wsgi.input"].read(65_536))).encode()
    except OSError as error:
        return type(error).__name__.encode()


def echo(environ: dict[str, Any]) -> bytes:
    try:
        body: bytes = environ["wsgi.input"].read()
    except OSError as error:
        return type(error).__name__.encode()
    return f"{environ['REQUEST_METHOD']} {environ.get('HTTP_X_A', '-')} ".encode() + body


def made_at_once(environ: dict[str, Any]) -> bytes:
    """Return how often a page is made that several requests are the first to ask for."""
    from chatcore.http.pages.fixed import Fixed
    from chatcore.http.response import Response

    made: list[None] = []

    def make() -> Response:
        made.append(None)
        gevent.sleep(0.01)
        return Response(200, b"page")

    page = Fixed(make)
    gevent.joinall([gevent.spawn(page, environ) for _ in range(8)], raise_error=True)
    return str(len(made)).encode()


def hold_descriptors(environ: dict[str, Any]) -> bytes:
    """Take all descriptors that are left."""
    try:
        while True:
            held.append(os.dup(0))
    except OSError:
        return str(len(held)).encode()


def free_descriptors(environ: dict[str, Any]) -> bytes:
    while held:
        os.close(held.pop())
    return b""


def log_lines(environ: dict[str, Any]) -> bytes:
    """Write numbered lines to the log, in a way that the query names."""
    way, first, number = environ["QUERY_STRING"].split("&")
    for one in range(int(first), int(first) + int(number)):
        WAYS[way](environ, f"line {one} {way} {'x' * 100}")
    return b"logged"


def fail_in_loop(environ: dict[str, Any], line: str) -> None:
    gevent.get_hub().handle_error(line, ValueError, ValueError(line), None)


def warn_of(environ: dict[str, Any], line: str) -> None:
    warnings.showwarning(line, UserWarning, "toys.py", 1)


WAYS: dict[str, Callable[[dict[str, Any], str], object]] = {
    "logging": lambda environ, line: logging.getLogger("toys").warning(line),
    "print": lambda environ, line: print(line, file=sys.stderr),  # noqa: T201
    "wsgi": lambda environ, line: environ["wsgi.errors"].write(line),
    "loop": fail_in_loop,
    "warning": warn_of,
}
FRAMES: dict[str, tuple[str, list[tuple[str, str]], Sequence[bytes | Exception]]] = {
    "/generated": ("200 OK", [], [b"he", b"llo"]),
    "/longer": ("200 OK", [("Content-Length", "3")], [b"he", b"", b"llo", b"!"]),
    "/shorter": ("200 OK", [("Content-Length", "9")], [b"he", b"llo"]),
    "/no_content": ("204 No Content", [], [b"hello"]),
    "/not_modified": ("304 Not Modified", [], [b"hello"]),
    "/odd_length": ("200 OK", [("Content-Length", "five")], [b"hello"]),
    "/failing": ("200 OK", [("Content-Length", "99")], [b"he", ValueError("an odd file")]),
    "/failing_generated": ("200 OK", [], [b"he", ValueError("an odd file")]),
    "/dated": ("200 OK", [("Date", "Sun, 06 Nov 1994 08:49:37 GMT")], [b"hello"]),
}
"""Answers of applications that declare one length and write another or none, fail, or have a date."""
PAGES: dict[str, Callable[[dict[str, Any]], bytes]] = {
    "/": lambda environ: b"hello",
    "/sends": lambda environ: b"hello",
    "/pid": lambda environ: str(os.getpid()).encode(),
    "/unread": lambda environ: b"unread",
    "/echo": echo,
    "/piece": piece,
    "/wait": wait,
    "/behind": behind,
    "/behind/it": behind,
    "/environments": environments,
    "/afterwards": work_afterwards,
    "/write": write,
    "/hang": hang,
    "/in_thread": in_thread,
    "/ends_in_thread": ends_in_thread,
    "/locked_in_threads": locked_in_threads,
    "/files_in_threads": files_in_threads,
    "/killed_in_thread": killed_in_thread,
    "/hold": hold,
    "/release": release,
    "/together": together,
    "/impatient": impatient,
    "/tick": tick,
    "/overtaken": overtaken,
    "/made_at_once": made_at_once,
    "/hold_descriptors": hold_descriptors,
    "/free_descriptors": free_descriptors,
    "/log": log_lines,
}


def stop_at_fork() -> None:
    """Tell this process to stop after its first fork, while the new process still waits for its turn."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    libc = ctypes.CDLL(None)
    for _ in range(100):  # before Python prepares the new process for signals
        libc["__register_atfork"](None, None, libc.sched_yield, None)
    forks = count()
    os.register_at_fork(after_in_parent=lambda: next(forks) or os.kill(os.getpid(), signal.SIGTERM))


def make_program() -> serving.Program:
    global stopped
    if sys.argv[1:] == ["fails"]:
        raise RuntimeError("no such database")
    stopped = threading.Event()

    def stop() -> None:
        say("stopping")
        stopped.set()

    per_address = int(os.environ.get("PER_ADDRESS", "0")) or None  # noqa: TID251
    return serving.Program(application, stop, lambda: say("closed"), per_address)


if __name__ == "__main__":
    serving.patch()
    connections.Handler = Handler  # type: ignore[misc]
    server.GRACE_SECONDS = float(os.environ.get("GRACE", "60"))  # type: ignore[misc]  # noqa: TID251
    if moment := os.environ.get("LAST_REQUEST"):  # noqa: TID251
        server.LAST_REQUEST_SECONDS = float(moment)  # type: ignore[misc, assignment]
    connections.HEADER_SECONDS = float(os.environ.get("HEADER", "60"))  # type: ignore[misc, assignment]  # noqa: TID251
    connections.ANSWER_SECONDS = float(os.environ.get("ANSWER", "60"))  # type: ignore[misc, assignment]  # noqa: TID251
    if linger := os.environ.get("LINGER"):  # noqa: TID251
        connections.LINGER_SILENCE = connections.LINGER_SECONDS = float(linger)  # type: ignore[misc, assignment]
    connections.SLOWEST_ANSWER = 10**9  # type: ignore[misc]
    bodies.BODY_SECONDS = float(os.environ.get("BODY", "60"))  # type: ignore[misc, assignment]  # noqa: TID251
    afterwards.PAUSE = float(os.environ.get("PAUSE", "0"))  # type: ignore[misc]  # noqa: TID251
    streams.LAST_SECONDS = float(os.environ.get("LAST", "60"))  # type: ignore[misc]  # noqa: TID251
    workers = int(os.environ.get("WORKERS", "1"))  # noqa: TID251
    if files := int(os.environ.get("FILES", "0")):  # noqa: TID251
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    if "STOPPED_AT_FORK" in os.environ:  # noqa: TID251
        stop_at_fork()
    try:
        serving.serve(
            make_program,
            "127.0.0.1",
            0,
            passed=serving.passed_listener(),
            workers=workers,
            on_listening=lambda host, port: say(f"port {port}"),
        )
    except serving.CannotServe as error:
        sys.exit(str(error))
    say("ended")
