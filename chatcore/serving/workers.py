"""A worker process, and the parent that keeps several of them running."""

import gc
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final, NoReturn

import gevent
import gevent.os
from gevent import monkey
from gevent.event import Event

from chatcore.serving.listeners import Listener
from chatcore.serving.program import CannotServe, Program
from chatcore.serving.server import Server
from chatcore.serving.streams import written_by_threads

log = logging.getLogger("chatcore.serving")

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
STARTED: Final = signal.SIGUSR1
"""With it, a worker tells its parent that it answers requests."""
HURRY: Final = signal.SIGUSR2
"""With it, the parent tells a stopping worker not to wait for its requests any longer."""
EXIT_CANNOT_START: Final = 3


def run(
    program: Program,
    listener: Listener,
    *,
    on_started: Callable[[], object] = lambda: None,
    on_stopping: Callable[[], object] = lambda: None,
) -> None:
    """Serve in this process, the only one, until a signal comes; a second one ends what still runs."""
    server = Server(program, listener, workers=1)
    stop_asked = Event()

    def stop() -> None:
        if stop_asked.is_set():
            server.cut_off()
        stop_asked.set()

    with _handling_signals(dict.fromkeys(SIGNALS, stop)):
        _run_server(server, program, stop_asked, on_started, on_stopping)


def run_worker(
    program: Program, listener: Listener, *, workers: int, until: int, on_started: Callable[[], object]
) -> None:
    """Serve in this process, one of several, until a signal comes, or until the other end of the pipe *until*
    is closed.

    A terminal and a service manager send the signal to all processes, and the parent passes it on: so the
    same one again means nothing. `HURRY` ends what still runs.
    """
    server = Server(program, listener, workers=workers)
    stop_asked = Event()
    gevent.spawn(_stop_at_end_of_file, until, stop_asked)
    with _handling_signals({**dict.fromkeys(SIGNALS, stop_asked.set), HURRY: server.cut_off}):
        _run_server(server, program, stop_asked, on_started)


@contextmanager
def _holding_back_signals() -> Iterator[None]:
    """Let signals wait meanwhile. Without this, Python drops those that reach a new process at its fork."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*SIGNALS, STARTED, HURRY})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _handling_signals(handlers: Mapping[signal.Signals, Callable[[], object]]) -> Iterator[None]:
    watchers = [gevent.signal_handler(number, handle) for number, handle in handlers.items()]
    yield
    for watcher in watchers:
        watcher.cancel()


def _run_server(
    server: Server,
    program: Program,
    stop_asked: Event,
    on_started: Callable[[], object],
    on_stopping: Callable[[], object] = lambda: None,
) -> None:
    server.start()
    # Objects loaded by now stay for good; collecting garbage among them would stop everybody for 50 ms.
    gc.freeze()
    on_started()
    stop_asked.wait()
    on_stopping()
    server.finish(program)


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
        listener: Listener,
        workers: int,
        on_started: Callable[[], object],
        on_stopping: Callable[[], object],
        on_ended: Callable[[int], object],
    ) -> None:
        self._make_program = make_program
        self._on_started = on_started
        self._on_stopping = on_stopping
        self._on_ended = on_ended
        self._listener = listener
        self._workers = workers
        self._started_at: dict[int, float] = {}
        """The time, by the monotonic clock, at which each worker that runs was started, by process id."""
        self._is_answering = False
        self._stopping = False
        self._failed = False
        self._parent = os.getpid()
        self._life = os.pipe()
        """A pipe whose writing end only the parent holds; a worker reads its end of file when the parent is
        gone.
        """

    def run(self) -> None:
        previous = {number: signal.signal(number, self._on_stop_signal) for number in SIGNALS}
        previous[STARTED] = signal.signal(STARTED, self._on_started_signal)
        wait = monkey.get_original("os", "waitpid")
        try:
            for _ in range(self._workers):
                self._start()
            while self._started_at:
                pid, status = wait(-1, 0)
                started = self._started_at.pop(pid, None)
                if started is not None:
                    self._on_ended(pid)
                    self._replace_worker(pid, os.waitstatus_to_exitcode(status), time.monotonic() - started)
        finally:
            for end in self._life:
                os.close(end)
            for number, handler in previous.items():
                signal.signal(number, handler)
        if self._failed:
            raise CannotServe("The workers cannot start; the reason is above.")

    def _start(self, news: str = "") -> None:
        """Start a worker, which logs the news first."""
        with _holding_back_signals():
            pid = gevent.os.fork_gevent()
            if pid:
                self._started_at[pid] = time.monotonic()
            else:
                # A terminal sends it to all processes; the parent decides.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                for number in (signal.SIGTERM, STARTED):
                    signal.signal(number, signal.SIG_DFL)
        if not pid:
            self._work(news)
        if self._stopping:  # the signal came before this worker was there to hear of it
            self._signal_workers(signal.SIGTERM)

    def _work(self, news: str) -> NoReturn:
        """Run a worker; this never returns into the parent's code."""
        code = EXIT_CANNOT_START
        try:
            os.close(self._life[1])
            with written_by_threads():
                try:
                    if news:
                        log.warning(news)
                    program = self._make_program()
                    code = 1
                    run_worker(
                        program,
                        self._listener,
                        workers=self._workers,
                        until=self._life[0],
                        on_started=self._signal_parent,
                    )
                    code = 0
                except BaseException as error:
                    log.critical("a worker failed: %s", error, exc_info=True)
        finally:
            logging.shutdown()
            os._exit(code)

    def _replace_worker(self, pid: int, code: int, lived: float) -> None:
        """Start a worker in place of one that *lived* some seconds; end all if none can start."""
        if self._stopping:
            return
        if code == EXIT_CANNOT_START:
            self._failed = True
            self._stop_workers()
            return
        if lived < 1:  # the next one may end as soon
            monkey.get_original("time", "sleep")(1)
        if not self._stopping:
            self._start(f"worker {pid} ended with {code} and is replaced")

    def _signal_parent(self) -> None:
        if os.getppid() == self._parent:
            os.kill(self._parent, STARTED)

    def _on_started_signal(self, *_: object) -> None:
        if not self._is_answering and not self._stopping:
            self._is_answering = True
            self._on_started()

    def _on_stop_signal(self, *_: object) -> None:
        if self._stopping:
            self._signal_workers(HURRY)
        else:
            self._stop_workers()

    def _stop_workers(self) -> None:
        self._stopping = True
        self._on_stopping()
        self._signal_workers(signal.SIGTERM)

    def _signal_workers(self, number: signal.Signals) -> None:
        for pid in self._started_at:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
