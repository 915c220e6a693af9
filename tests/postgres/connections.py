"""Connections to databases of the tests, used again by later tests.

A new connection is a new process of PostgreSQL, which reads its catalogs and plans every statement for the
first time: far more work than the few statements of a test. A closed connection therefore keeps its other
side, which the next connection with the same settings gets, together with its prepared statements.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, Final, TypeAlias
from unittest.mock import patch

import psycopg
from psycopg.pq import PGconn, PipelineStatus, TransactionStatus

from storage_backends.postgres_silence import Connection

OURSELVES = "chatcore tests"
"""The name of connections that do not count as left open."""

# Locks, channels and settings of the session, as if the process had ended.
RESET = f"UNLISTEN *; SELECT pg_advisory_unlock_all(); RESET ALL; SET application_name = '{OURSELVES}'"
TAKEN = "RESET application_name"
ENDED = PGconn.connect_start(b"host=/nowhere")
ENDED.finish()

CONNECT: Final[Callable[..., Any]] = Connection.connect
"""The function that is replaced here."""

Kept: TypeAlias = tuple[PGconn, Any]
"""The other side of a closed connection, and what the driver knows of the statements prepared there."""


class Connections:
    """Connects like the driver, and keeps what was connected to some databases."""

    def __init__(self, connect: Callable[..., Any]) -> None:
        self._connect = connect
        self._urls: set[str] = set()
        self._lock = threading.Lock()
        self._kept: defaultdict[Hashable, list[Kept]] = defaultdict(list)

    def keep(self, url: str) -> None:
        """Keep the connections to a database from now on."""
        self._urls.add(url)

    def connect(self, conninfo: str = "", *, autocommit: bool = False, **settings: Any) -> Any:
        if conninfo not in self._urls:
            return self._connect(conninfo, autocommit=autocommit, **settings)
        place = conninfo, frozenset(settings.items())
        connection = self._again(place) or _Connection.connect(conninfo, **settings)
        connection.autocommit = autocommit
        connection.cursor_factory = settings.get("cursor_factory", psycopg.Cursor)
        connection.give_back = partial(self._give_back, place)
        return connection

    def close(self) -> None:
        for pgconn, _ in (kept for place in self._kept.values() for kept in place):
            pgconn.finish()
        self._kept.clear()

    def _again(self, place: Hashable) -> "_Connection | None":
        while True:
            with self._lock:
                if not self._kept[place]:
                    return None
                pgconn, prepared = self._kept[place].pop()
            connection = _Connection(pgconn)
            try:
                connection.take(prepared)
            except psycopg.Error:  # a test has ended the process meanwhile
                connection.close()
            else:
                return connection

    def _give_back(self, place: Hashable, kept: Kept) -> None:
        with self._lock:
            self._kept[place].append(kept)


class _Connection(Connection):
    """A connection whose other side outlives it."""

    connect = classmethod(psycopg.Connection.connect.__func__)  # type: ignore[attr-defined]
    give_back: Callable[[Kept], None] | None = None

    def take(self, prepared: Any) -> None:
        self.autocommit = True
        self.execute(TAKEN, prepare=False)
        self._prepared = prepared

    def close(self) -> None:
        give_back, self.give_back = self.give_back, None
        is_in_use = self.pgconn.transaction_status == TransactionStatus.ACTIVE
        if give_back is None or is_in_use or self.pgconn.pipeline_status != PipelineStatus.OFF:
            super().close()
            return
        try:
            self.rollback()
            self.autocommit = True
            self.execute(RESET, prepare=False)
        except psycopg.Error:  # it is broken
            super().close()
        else:
            kept, self.pgconn = (self.pgconn, self._prepared), ENDED
            give_back(kept)


@contextmanager
def connections_kept() -> Iterator[Connections]:
    """Use connections again in this process, while the context lasts."""
    connections = Connections(CONNECT)
    try:
        with _connecting_by(connections.connect):
            yield connections
    finally:
        connections.close()


def connections_are_new() -> AbstractContextManager[None]:
    """Connect as outside tests, for a test of what only a new connection meets."""
    return _connecting_by(CONNECT)


@contextmanager
def _connecting_by(connect: Callable[..., Any]) -> Iterator[None]:
    with patch.object(psycopg, "connect", connect), patch.object(Connection, "connect", connect):
        yield
