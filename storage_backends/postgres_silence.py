"""A PostgreSQL that does not answer: it stands still, or its machine or the way to it has vanished.

No error comes then, and a driver waits for ever. A long statement looks the same from here. So whoever has
waited for a while asks on another connection whether the server works on it.
"""

import logging
import select
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import Any, Final, TypeAlias, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.waiting import Ready, Wait

from chatcore.storage.slices import WaitForSocket
from storage_backends.sql.backend import LOCK_SECONDS

T = TypeVar("T")

log = logging.getLogger("chatcore.storage")

SILENT_SECONDS = 5.0
"""Seconds without a byte from the server after which it is asked."""
ASKING_SECONDS = 3
"""Seconds that the server has to answer."""
LATE_SECONDS = 0.5
"""Seconds for the last bytes of a statement that has just ended. All three together are less than
`LOCK_SECONDS`.
"""
COMMIT_SECONDS = LOCK_SECONDS
"""Seconds after which nobody waits for a COMMIT any more, even if the server seems to work on it: its process
may stand still alone. All who share the commit wait for it, and it takes no time that depends on what they
have written.
"""
PAUSE_SECONDS = 0.5
"""Seconds between two questions to a server that does not answer."""

WORKING: Final = """
SELECT pid FROM pg_stat_activity
WHERE state IN ('active', 'disabled') AND wait_event_type IS DISTINCT FROM 'Client'
"""
"""The processes of the server that work on a statement, wait for a lock, or write to the disk. Those that
wait for their client are none: what they have sent did not arrive, or we have read it. With the setting
`track_activities` off, only what they wait for is known.
"""


IsAtWork: TypeAlias = Callable[[int], bool]
"""Whether the server works for the connection that belongs to a process of it."""


class NoAnswer(psycopg.OperationalError):
    """The server does not answer at present."""

    def __init__(self) -> None:
        super().__init__("PostgreSQL does not answer")


class Silence:
    """The knowledge of a process about whether its server answers.

    Of all threads that wait for the server, one asks at a time, and the others use its answer. If there is
    none, another thread goes on asking; until the server answers, everybody else is refused at once.
    """

    def __init__(self, ask: Callable[[], IsAtWork], renew: Callable[[], object]) -> None:
        """*ask* raises an error of the driver if nobody answers. *renew* gives up the idle connections, which
        are probably lost too.
        """
        self._ask = ask
        self.renew = renew
        self._asking = threading.Lock()
        self._asked_at = -inf
        self._is_at_work: IsAtWork = _nobody
        self._is_noted = False
        self._has_failed = False
        """Whether a fault of ours was logged since the server answered."""
        self._closed = threading.Event()

    def is_at_work(self, pid: int) -> bool:
        """Whether the server works for the connection that belongs to its process *pid*."""
        began = time.monotonic()
        with self._asking:
            if self._asked_at < began:  # nobody else has found out meanwhile
                self._find_out()
            return self._is_at_work(pid)

    def require_none(self) -> None:
        """Check that the server answered the last time.

        :raises NoAnswer:
        """
        if self._is_noted:
            raise NoAnswer

    def note(self, error: Exception) -> None:
        """Note that the server does not answer."""
        self._is_at_work = _nobody
        if self._is_noted:
            return
        self._is_noted = True
        log.warning("PostgreSQL does not answer: %s", " ".join(str(error).split()))
        try:
            threading.Thread(target=self._ask_again, name="chatcore-ask", daemon=True).start()
        except Exception:
            self._is_noted = False  # else everybody would be refused for ever, as nobody asks
            log.exception("there is no thread to ask PostgreSQL")

    def close(self) -> None:
        self._closed.set()

    def _find_out(self) -> None:
        """Ask the server, and note whether it answers; the first answer after a silence renews the
        connections.
        """
        try:
            self._is_at_work = self._ask()
            if self._is_noted:
                log.warning("PostgreSQL answers again")
                self.renew()
            self._is_noted = self._has_failed = False
        except Exception as error:  # no fault may end the asking
            if not isinstance(error, psycopg.Error) and not self._has_failed:
                self._has_failed = True
                log.exception("PostgreSQL could not be asked")
            self.note(error)
        self._asked_at = time.monotonic()

    def _ask_again(self) -> None:
        while self._is_noted and not self._closed.wait(PAUSE_SECONDS):
            with self._asking:
                self._find_out()


def _nobody(_: int) -> bool:
    return False


def hang_up(number: int) -> None:
    """End the connection of a socket. Its driver finds it lost, as if the other end had closed it.

    It takes no other descriptor, of which a busy process may have none left.
    """
    with suppress(OSError):  # the connection has ended meanwhile
        same = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=number)  # the family does not matter
        try:
            same.shutdown(socket.SHUT_RDWR)
        finally:
            same.detach()  # the driver closes it


def wait_by_poll(number: int, *, reading: bool, writing: bool, seconds: float) -> bool:
    """Wait in this thread until a socket is ready; return whether it became so in time."""
    poll = select.poll()
    poll.register(number, select.POLLIN * reading | select.POLLOUT * writing)
    return bool(poll.poll(seconds * 1000))


class Connection(psycopg.Connection[Any]):
    """A connection that waits by a function of the server, if the server has one. With *patience*, it waits
    not for ever.

    The driver waits by `select.poll`. Where that has been replaced for greenlets, each wait makes and
    discards several objects; the server's own function takes half the time of the processor.
    """

    wait_for_socket: WaitForSocket | None = None
    patience = inf
    """Seconds without a byte from the server after which it is looked after."""
    silence: Silence | None = None
    """Knows whether the server is at work when nothing comes; None: it is not."""
    _commit: tuple[psycopg.Cursor[Any], float] | None = None
    """The cursor that sends a COMMIT, and the monotonic time at which it began to."""

    @contextmanager
    def committing(self, cursor: psycopg.Cursor[Any]) -> Iterator[None]:
        """Limit the wait for the COMMIT that a cursor sends meanwhile to `COMMIT_SECONDS`."""
        self._commit = cursor, time.monotonic()
        try:
            yield
        finally:
            self._commit = None

    def wait(self, gen: PQGen[T], *limits: Any, **named_limits: Any) -> T:
        """Run a generator of the driver to its end, and wait for the socket as it wants."""
        if limits or named_limits:  # versions of the driver have different ones
            return super().wait(gen, *limits, **named_limits)
        wait_for_socket = self.wait_for_socket
        if wait_for_socket is None:
            return super().wait(self._watch(gen))
        number = self.pgconn.socket  # fails for a lost connection, while there is nothing begun to clean up
        try:
            wanted = next(gen)
            while True:
                reading, writing = bool(wanted & Wait.R), bool(wanted & Wait.W)
                while not wait_for_socket(number, reading=reading, writing=writing, seconds=self.patience):
                    self._end_if_lost(number, wait_for_socket, reading, writing)
                wanted = gen.send(wanted)  # `Ready` has the numbers of `Wait`
        except StopIteration as done:
            value: T = done.value
            return value

    def _watch(self, gen: PQGen[T]) -> Generator[Wait, Ready | int, T]:
        """Do what a generator of the driver does, and look after the connection where nothing is ready."""
        since = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    since = time.monotonic()
                elif time.monotonic() - since >= self.patience:
                    reading, writing = bool(wanted & Wait.R), bool(wanted & Wait.W)
                    self._end_if_lost(self.pgconn.socket, wait_by_poll, reading, writing)
                    since = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as done:
            value: T = done.value
            return value

    def _end_if_lost(self, number: int, wait: WaitForSocket, reading: bool, writing: bool) -> None:
        """End the connection if the server does not work for it; then the driver raises an error."""
        silence = self.silence
        if silence is not None and silence.is_at_work(self.pgconn.backend_pid):
            if not self._stands_still_in_commit():
                return
            log.warning(
                "PostgreSQL has not answered COMMIT for %g seconds; it may yet make the changes",
                COMMIT_SECONDS,
            )
        if not wait(number, reading=reading, writing=writing, seconds=LATE_SECONDS):
            hang_up(number)
            if silence is not None:
                silence.renew()

    def _stands_still_in_commit(self) -> bool:
        """Whether the COMMIT is overdue, and everything before it has been answered."""
        if self._commit is None or time.monotonic() - self._commit[1] < COMMIT_SECONDS:
            return False
        cursor = self._commit[0]
        sent = () if self._pipeline is None else self._pipeline.result_queue  # None in it is a Sync
        return all(item is None or item[0] is cursor for item in sent)
