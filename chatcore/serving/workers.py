"""A worker process, and the parent that keeps several of them running."""

import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

import gevent
import gevent.os
from gevent import monkey
from gevent.event import Event

from chatcore.serving.program import CannotServe, Program
from chatcore.serving.server import Server
from chatcore.serving.streams import written_by_threads

log = logging.getLogger("chatcore.serving")

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
EXIT_CANNOT_START: Final = 3


def run(
    program: Program,
    listener: socket.socket,
    *,
    workers: int,
    until: int | None = None,
    on_started: Callable[[], object] = lambda: None,
) -> None:
    """Serve in this process until a signal comes, or until the other end of the pipe *until* is closed."""
    server = Server(program, listener, workers=workers)
    stop_asked = Event()
    watchers = [gevent.signal_handler(number, server.on_stop_signal, stop_asked) for number in SIGNALS]
    if until is not None:
        gevent.spawn(_stop_at_end_of_file, until, stop_asked)
    server.start()
    # Objects loaded by now stay for good; collecting garbage among them would stop everybody for 50 ms.
    gc.freeze()
    on_started()
    stop_asked.wait()
    server.finish(program)
    for watcher in watchers:
        watcher.cancel()


def _stop_at_end_of_file(pipe: int, stop_asked: Event) -> None:
    gevent.os.make_nonblocking(pipe)
    gevent.os.nb_read(pipe, 1)
    stop_asked.set()


class Supervisor:
    """The parent of the workers: it starts them, replaces one that dies, and passes on the signal to stop.

    It runs no event loop, so that each worker begins with a fresh one. It writes nothing to the log, whose
    reader may stand still: a new worker logs for it.
    """

    def __init__(
        self,
        make_program: Callable[[], Program],
        listener: socket.socket,
        workers: int,
        on_ended: Callable[[int], object],
    ) -> None:
        self._make_program = make_program
        self._on_ended = on_ended
        self._listener = listener
        self._workers = workers
        self._started: dict[int, float] = {}
        self._stopping = False
        self._failed = False
        self._parent = os.getpid()
        self._life = os.pipe()
        """A pipe whose writing end only the parent holds; a worker reads its end of file when the parent is
        gone.
        """

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
                    self._on_ended(pid)
                    self._note_end(pid, os.waitstatus_to_exitcode(status), time.monotonic() - started)
        finally:
            for end in self._life:
                os.close(end)
            for number, handler in previous.items():
                signal.signal(number, handler)
        if self._failed:
            raise CannotServe("The workers cannot start; the reason is above.")

    def _start(self, news: str = "") -> None:
        """Start a worker, which logs the news first."""
        pid = gevent.os.fork_gevent()
        if not pid:
            self._work(news)
        self._started[pid] = time.monotonic()
        if self._stopping:  # the signal arrived during the fork
            self._stop()

    def _work(self, news: str) -> NoReturn:
        """Run a worker; this never returns into the parent's code."""
        code = EXIT_CANNOT_START
        try:
            # A terminal sends it to all processes; the parent decides.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.close(self._life[1])
            if self._stopping:
                os._exit(0)
            with written_by_threads():
                try:
                    if news:
                        log.warning(news)
                    program = self._make_program()
                    code = 1
                    run(program, self._listener, workers=self._workers, until=self._life[0])
                    code = 0
                except BaseException as error:
                    log.critical("a worker failed: %s", error, exc_info=True)
        finally:
            logging.shutdown()
            os._exit(code)

    def _note_end(self, pid: int, code: int, seconds: float) -> None:
        if self._stopping:
            return
        if code == EXIT_CANNOT_START:
            self._failed = True
            self._stop()
            return
        if seconds < 1:
            monkey.get_original("time", "sleep")(1)
        if not self._stopping:
            self._start(f"worker {pid} ended with {code} and is replaced")

    def _stop(self, *_: object) -> None:
        """Handle the signals; a new worker inherits this handler for a moment."""
        self._stopping = True
        if os.getpid() == self._parent:
            for pid in self._started:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
