"""The lock of the writers of a database, and the end of a holder that has fallen silent."""

import logging
from typing import Any, Final

import peewee

from storage_backends.postgres_connections import IDLE_SECONDS

log = logging.getLogger("chatcore.storage")

WRITE_LOCK: Final = 7_262_817_263
"""Key of the advisory lock that serializes the writers of one database."""
MIGRATION_LOCK: Final = WRITE_LOCK + 1
"""Key of the advisory lock of the process that migrates a database."""
COMPUTING_LOCK: Final = WRITE_LOCK + 2
"""Key of the advisory lock of a writer that may compute for long, as one that migrates does."""
LOOK_SECONDS = 1.0
"""Seconds that a writer waits for the lock before it looks at the holder again."""
HOLDER_SILENT_SECONDS = IDLE_SECONDS
"""Seconds since the last statement of a holder began, after which it counts as silent."""
ENDING_MS: Final = 1000
"""Milliseconds that a process of the server has to end. One that has frozen itself ends later, or never."""


def _is_lock(key: int) -> str:
    """Return the condition that a row of pg_locks is a holder of an advisory lock of this database."""
    return f"""
        locktype = 'advisory' AND granted AND objsubid = 1
        AND classid = {key >> 32} AND objid = {key & 0xFFFFFFFF}
        AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """


_HOLDER = f"""
FROM pg_locks JOIN pg_stat_activity USING (pid) LEFT JOIN pg_stat_progress_copy USING (pid)
WHERE {_is_lock(WRITE_LOCK)}
    AND pid NOT IN (SELECT pid FROM pg_locks WHERE {_is_lock(COMPUTING_LOCK)})
    AND wait_event_type = 'Client'
    AND (state_change < clock_timestamp() - make_interval(secs => %s) OR state = 'disabled')
"""
FIND_SILENT = f"SELECT pid, state_change, bytes_processed {_HOLDER}"
END_SILENT = f"SELECT pg_terminate_backend(pid, {ENDING_MS}) {_HOLDER} AND pid = %s AND state_change = %s"


UNSEEN: Final = "whether its client has fallen silent cannot be seen, as the setting track_activities is off"
FROZEN: Final = "it was told to end, and has not: it stands still itself, or waits for the disk"


class SilentHolder:
    """A holder of the lock from whose process the server waits to hear, as one waiting writer sees it.

    The server ends a transaction that is idle. It does not count one as idle that has stopped in the middle
    of something: of COPY, of a result, of statements without a Sync. A holder is silent if nothing of it has
    moved between two looks, and its last statement began `HOLDER_SILENT_SECONDS` ago. Where
    `track_activities` is off, the server does not know when that was, and the log says so.
    """

    def __init__(self, database: Any, told: set[tuple[object, ...]]) -> None:
        """*told* has what the log says of the present holder, for all writers of a process: its process, the
        time from which it is silent, and the reason.
        """
        self._database = database
        self._told = told
        self._seen: tuple[object, ...] | None = None
        """The row of `FIND_SILENT` at the last look."""

    def look(self) -> None:
        """End the connection of the holder if the last look found it just as this one does. So the first look
        ends nothing.
        """
        row = self._database.execute_sql(FIND_SILENT, (HOLDER_SILENT_SECONDS,)).fetchone()
        if row is not None and row == self._seen:
            pid, since, _ = row
            if since is None:
                self._tell(pid, since, UNSEEN)
            else:
                self._end(pid, since)
        self._seen = row

    def _tell(self, pid: int, since: object, why: str) -> None:
        """Log once why a process keeps the lock."""
        if (pid, since, why) not in self._told:
            if all((told_pid, told_since) != (pid, since) for told_pid, told_since, _ in self._told):
                self._told.clear()  # of others
            self._told.add((pid, since, why))
            log.warning("process %d of PostgreSQL keeps all others from writing: %s", pid, why)

    def _end(self, pid: int, since: object) -> None:
        """End the connection of a process if it is still in the state that began at *since*."""
        try:
            ended = self._database.execute_sql(END_SILENT, (HOLDER_SILENT_SECONDS, pid, since)).fetchone()
        except peewee.PeeweeException as error:  # it belongs to a role that we may not end
            self._tell(pid, since, str(error))
            return
        if ended is None:
            return
        if ended[0]:
            log.warning(
                "the connection of process %d of PostgreSQL was ended: it kept all others from writing,"
                " and its client sent nothing",
                pid,
            )
        else:
            self._tell(pid, since, FROZEN)
