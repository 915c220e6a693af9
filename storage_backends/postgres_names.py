"""The names that a process holds in a PostgreSQL database."""

import threading
from contextlib import suppress
from typing import Final
from zlib import crc32

import psycopg

from storage_backends.postgres_connections import Pool
from storage_backends.postgres_silence import Connection

NAMES: Final = 7_262_817
"""The first part of the advisory lock of each name."""
TRY = "SELECT pg_try_advisory_lock(%s, %s)"
UNLOCK = "SELECT pg_advisory_unlock(%s, %s)"


class HeldNames:
    """Names that others find held until this process lets them go, or its connection ends.

    They are locks of a connection that does nothing else. A pooler has no such connections: there, nobody can
    hold a name.
    """

    def __init__(self, database: Pool) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._held: set[str] = set()
        self._connection: Connection | None = None

    def hold(self, name: str) -> bool:
        """:raises psycopg.Error: the database is unavailable"""
        with self._lock:
            if name in self._held:
                return False
            if self._connection is None or self._connection.closed:
                self._connect()
            if not self._database.has_pooler and self._run_statement(TRY, name):
                self._held.add(name)
            return name in self._held

    def let_go(self, name: str) -> None:
        with self._lock:
            self._held.discard(name)
            with suppress(psycopg.Error):  # then it has ended, or does with the connection
                self._run_statement(UNLOCK, name)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _connect(self) -> None:
        """Open a connection, and lock again the names that the one before had locked."""
        self._connection = self._database.open(autocommit=True)
        if not self._database.has_pooler:
            for name in self._held:
                self._run_statement(TRY, name)

    def _run_statement(self, statement: str, name: str) -> bool:
        """Run a statement about the lock of a name; return whether it says yes."""
        assert self._connection is not None
        try:
            row = self._connection.execute(statement, (NAMES, crc32(name.encode()) - 2**31)).fetchone()
        except psycopg.Error:
            self._connection.close()
            raise
        return row == (True,)
