"""Reading from a streaming replica of PostgreSQL, which never shows less than what is committed."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import inf

import peewee
import psycopg

from chatcore.storage.slices import WaitForSocket
from chatcore.storage.transaction import StorageNotReady
from storage_backends.postgres import PostgresBackend
from storage_backends.sql.backend import Backend
from storage_backends.sql.memory import Head

log = logging.getLogger("chatcore.storage")

# The end of the write-ahead log on the primary's disk: every commit that was acknowledged is before it.
COMMITTED = "SELECT pg_current_wal_flush_lsn()"
IS_CAUGHT_UP = "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s"
CLUSTER = "SELECT system_identifier FROM pg_control_system()"

PAUSES = (0.001, 0.002, 0.004, 0.008)
"""Seconds between questions whether the replica has caught up; then the primary is read."""
AWAY = 1.0
"""Seconds for which nobody asks a replica that could not be reached, or that was behind."""
LOG_INTERVAL = 60.0


class PostgresReplica:
    """A replica of a database.

    Each snapshot has all commits that were acknowledged before it began, by any process on any machine: the
    position in the primary's write-ahead log tells.
    """

    def __init__(
        self, primary: PostgresBackend, url: str, wait_for_socket: WaitForSocket | None = None
    ) -> None:
        """:raises BadDatabaseUrl: as `PostgresBackend` does"""
        self.backend: Backend = PostgresBackend(url, wait_for_socket)
        self._primary = primary
        self._trying = threading.Lock()
        self._is_copy = False
        self._away_until = 0.0
        self._logged_at = -inf

    @contextmanager
    def snapshot(self) -> Iterator[Head | None]:
        """Start a snapshot on this thread's connection to the replica; yield the rows of `memory.HEAD`, or
        None where the replica is behind or away.

        :raises StorageNotReady: it is a replica of another database
        """
        with ExitStack() as stack:
            head = self._begin(stack) if time.monotonic() >= self._away_until else None
            if head is None:
                stack.close()
            yield head

    def _begin(self, stack: ExitStack) -> Head | None:
        if not self._is_copy:  # not known yet, or lost: one thread tries, which may take long
            if not self._trying.acquire(blocking=False):
                return None
            stack.callback(self._trying.release)
        try:
            committed = _answer(self._primary, COMMITTED)
            stack.enter_context(self.backend.connection())
            stack.callback(self._end)
            self._require_copy()
            if self._has_caught_up(committed):
                return self.backend.begin_read()
            reason = "it is behind"
        except (peewee.PeeweeException, psycopg.Error) as error:
            reason, self._is_copy = str(error).strip().partition("\n")[0], False
        self._leave_alone(reason)
        return None

    def _leave_alone(self, reason: str) -> None:
        now = time.monotonic()
        self._away_until = now + AWAY
        if now - self._logged_at > LOG_INTERVAL:
            self._logged_at = now
            log.warning("the replica is not read: %s", reason)

    def _end(self) -> None:
        with suppress(peewee.PeeweeException, psycopg.Error):
            self.backend.rollback()

    def _has_caught_up(self, committed: object) -> bool:
        for pause in PAUSES:
            (is_caught_up,) = self.backend.database.execute_sql(IS_CAUGHT_UP, (committed,)).fetchone()
            if is_caught_up:
                return True
            time.sleep(pause)
        return False

    def _require_copy(self) -> None:
        if not self._is_copy:
            if _answer(self.backend, CLUSTER) != _answer(self._primary, CLUSTER):
                raise StorageNotReady("the database to read from is no replica of the one to write to")
            self._is_copy = True


def _answer(backend: Backend, question: str) -> object:
    with backend.connection():
        (answer,) = backend.database.execute_sql(question).fetchone()
    return answer
