"""Reading from a streaming replica of PostgreSQL, which never shows less than what is committed."""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import repeat
from math import inf

import peewee
import psycopg

from chatcore.storage import StorageNotReady
from chatcore.storage.slices import WaitForSocket
from storage_backends.postgres import IDENTITY, PostgresBackend
from storage_backends.sql.backend import Backend
from storage_backends.sql.memory import HeadRows

log = logging.getLogger("chatcore.storage")

COMMITTED = f"""
SELECT ({IDENTITY}), current_setting('synchronous_standby_names') <> '',
    CASE WHEN current_setting('synchronous_commit') = 'off'
    THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END
"""
"""The primary's identity, whether its commits wait for standbys, and the position in its write-ahead log
before which every acknowledged commit is: the end of what is on the disk, or, where commits do not wait for
the disk, the end of the log.
"""
REPLAYED = f"""
SELECT ({IDENTITY}), pg_is_in_recovery(), pg_last_wal_replay_lsn() >= %s
"""
"""The identity of a server, whether it is a replica, and whether it has everything before a position. After a
failover, a replica of the old primary has another timeline; one of the new primary shows its timeline after a
checkpoint.
"""

PAUSES = (0.001, 0.002, 0.004, 0.008)
"""Seconds between questions whether the replica has caught up; then the primary is read."""
MEASURING_PAUSE = 0.05
"""Seconds between these questions when the delay is measured."""
AVOIDED_SECONDS = 1.0
"""Seconds for which nobody asks a replica that could not be reached, or that was behind."""
LOG_INTERVAL = 60.0


class _UnusableError(Exception):
    """The replica does not serve for this snapshot; the text says why."""


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
        self._is_known = False
        """Whether the last try to ask the replica was answered."""
        self._away_until = 0.0
        self._logged_at = -inf

    @contextmanager
    def snapshot(self) -> Iterator[HeadRows | None]:
        """Start a snapshot on this thread's connection to the replica; yield the rows of `memory.HEAD`, or
        None where the replica is behind or away, or follows another server.
        """
        with ExitStack() as stack:
            head_rows = self._begin(stack) if time.monotonic() >= self._away_until else None
            if head_rows is None:
                stack.close()
            yield head_rows

    def _begin(self, stack: ExitStack) -> HeadRows | None:
        """Begin to read from the replica if it has all that is committed; return None to read from the
        primary.
        """
        if not self._is_known:  # only one thread at a time tries to reach an unknown replica
            if not self._trying.acquire(blocking=False):
                return None
            stack.callback(self._trying.release)
        try:
            identity, committed = self._committed()
            stack.enter_context(self.backend.connection())
            stack.callback(self._end)
            self._wait_for(committed, identity, PAUSES)
            self._is_known = True
            return self.backend.begin_read()
        except _UnusableError as error:
            self._pause_reading(str(error))
        except (peewee.PeeweeException, psycopg.Error) as error:
            self._is_known = False
            self._pause_reading(str(error).strip().partition("\n")[0])
        return None

    def delay(self, patience: float) -> float:
        """Return the seconds that the replica takes now to show what the primary has committed."""
        try:
            identity, committed = self._committed()
            begun = time.monotonic()
            with self.backend.connection():
                self._wait_for(committed, identity, repeat(MEASURING_PAUSE, int(patience / MEASURING_PAUSE)))
            return time.monotonic() - begun
        except _UnusableError as error:
            raise StorageNotReady(f"it is not read: {error}") from error
        except (peewee.PeeweeException, psycopg.Error) as error:
            raise StorageNotReady(str(error).strip().partition("\n")[0]) from error

    def _committed(self) -> tuple[object, object]:
        """Return the identity of the primary, and the position before which every acknowledged commit is.

        :raises _UnusableError: changes are visible on standbys before they are acknowledged
        """
        with self._primary.connection():
            found = self._primary.database.execute_sql(COMMITTED).fetchone()
        identity, waits_for_standbys, committed = found
        if waits_for_standbys:
            raise _UnusableError("commits of the primary wait for standbys")
        return identity, committed

    def _pause_reading(self, reason: str) -> None:
        now = time.monotonic()
        self._away_until = now + AVOIDED_SECONDS
        if now - self._logged_at > LOG_INTERVAL:
            self._logged_at = now
            log.warning("the replica is not read: %s", reason)

    def _end(self) -> None:
        with suppress(peewee.PeeweeException, psycopg.Error):
            self.backend.rollback()

    def _wait_for(self, committed: object, identity: object, pauses: Iterable[float]) -> None:
        """Ask the replica until it has caught up, with these pauses in seconds.

        :raises _UnusableError: it has not, or it is not a replica of that primary
        """
        for pause in pauses:
            row = self.backend.database.execute_sql(REPLAYED, (committed,)).fetchone()
            own_identity, is_replica, is_caught_up = row
            if not is_replica:
                raise _UnusableError("it is no replica, but takes changes itself")
            if own_identity != identity:
                raise _UnusableError("it copies another database, or the primary before a failover")
            if is_caught_up:
                return
            time.sleep(pause)
        raise _UnusableError("it is behind")
