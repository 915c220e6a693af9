"""Connections to PostgreSQL, to the server itself or to a pooler in front of it.

A pooler of transactions (PgBouncer) gives each transaction another connection of its own to the server. So
nothing that belongs to a connection may be relied on there: no settings, prepared statements or LISTEN.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heappop
from typing import Any, TypeAlias

import peewee
import psycopg
from playhouse.pool import MaxConnectionsExceeded, PoolConnection, PooledPostgresqlDatabase
from psycopg.generators import send
from psycopg.pq import PipelineStatus, TransactionStatus

from chatcore.storage.slices import WaitForSocket
from storage_backends.postgres_dialect import PLANNED_FOR_VALUES
from storage_backends.postgres_silence import (
    ASKING_SECONDS,
    SILENT_SECONDS,
    WORKING,
    Connection,
    IsAtWork,
    Silence,
)
from storage_backends.sql.backend import LOCK_SECONDS

Opened: TypeAlias = psycopg.Connection[Any]

IDLE_SECONDS = LOCK_SECONDS - 2
"""Seconds that a transaction may be idle between two statements. PostgreSQL ends the transaction of a frozen
process or of a vanished machine, so that it releases the lock before the waiting writers time out. It counts
them from a Sync on: in a pipeline, each statement needs one.
"""
LIMITS = {"lock_timeout": f"{LOCK_SECONDS:g}s", "idle_in_transaction_session_timeout": f"{IDLE_SECONDS:g}s"}
DIRECT_MARK = "chatcore.direct"
"""A setting of our own, by which a connection shows that its options have reached the server."""

# Our statements read a page by an index: compiling one, or scanning a table for it, takes longer.
SETTINGS = {"random_page_cost": "1.1", "jit": "off", "max_parallel_workers_per_gather": "0", **LIMITS}
KEEPALIVES_OF_SERVER = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "25s",
}
OPTIONS = " ".join(
    f"-c {name}={value}" for name, value in {**SETTINGS, **KEEPALIVES_OF_SERVER, DIRECT_MARK: "yes"}.items()
)
SET_LOCAL = "".join(f"SET LOCAL {name} = '{value}';" for name, value in SETTINGS.items())
"""The same settings for one transaction."""

KEEPALIVES: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "connect_timeout": int(LOCK_SECONDS) - 2,
}
"""Keepalive settings by which the driver notices that the server's machine has vanished."""
AFTER_SEVERITY = ":  "
"""The text between the severity of a server's message, which is in any language, and the message itself, as
the driver's library writes it. Of an error before a connection is open it tells no code, and its own messages
have no such part.
"""
RENEWAL_SECONDS = 1.0
"""Seconds within which several read-only connections count as one discovery."""


class Cursor(psycopg.Cursor[Any]):
    """A cursor that prepares no statement whose plan depends on its values.

    The server plans a prepared statement only a few times for its values, and then once for any values.
    """

    def execute(self, query: Any, params: Any = None, *, prepare: bool | None = None, **more: Any) -> Any:
        if PLANNED_FOR_VALUES in query:
            prepare = False
        return super().execute(query, params, prepare=prepare, **more)


def sync_later(pipeline: psycopg.Pipeline) -> None:
    """Send a Sync behind the statements of a pipeline, whose answer is received with later results.

    The public `Pipeline.sync` waits for the answer, which is a round trip more. Nothing else here knows how
    the driver counts results: None is one that belongs to no cursor.
    """
    pipeline.pgconn.pipeline_sync()
    pipeline.result_queue.append(None)


def send_all(connection: Opened) -> None:
    """Wait until the socket has taken all statements, and receive what the server answers meanwhile."""
    with connection.lock:
        connection.wait(send(connection.pgconn))


@contextmanager
def raising_first(database: Any) -> Iterator[None]:
    """Raise the first error of a pipeline that ends in this context. The driver raises a later one, whose
    context is the first. An exception that ends the thread is raised in the same way.
    """
    handled = sys.exc_info()[1]  # the caller handles it: it is no error of the pipeline
    try:
        yield
    except psycopg.Error as error:
        forget_prepared(database.connection())
        first = error.__context__
        if first is None or first is handled:
            raise
        if isinstance(first, psycopg.Error) or not isinstance(first, Exception):
            raise first from None
        raise


def settle(connection: Opened, pipeline: psycopg.Pipeline) -> None:
    """Wait for the answers to all statements of a pipeline.

    The public `Pipeline.sync` waits for them even if the socket has not taken all of the statements: with a
    large list of values, this process and the server would wait for each other for ever.

    :raises psycopg.Error: that of the first statement that failed
    """
    sync_later(pipeline)
    send_all(connection)
    with connection.lock:
        connection.wait(pipeline._fetch_gen(flush=False))  # noqa: SLF001 - the second half of `sync`


def has_failed(connection: Opened) -> bool:
    """Whether an error has ended the connection's transaction, as far as its answers were received."""
    return bool(connection.pgconn.transaction_status == TransactionStatus.INERROR)


def forget_prepared(connection: Opened) -> None:
    """Let the driver prepare its statements anew.

    In a pipeline it notes a statement as prepared when it sends it. If an error before it keeps the server
    from preparing it, each later use would fail. The driver forgets by itself in `Connection.rollback` only.
    """
    connection._prepared.clear()  # noqa: SLF001


class Pool(PooledPostgresqlDatabase):  # type: ignore[misc]
    """A pool that can give up its present connections.

    Connections made while the database was read-only, or before another took its place, never recover.
    """

    def __init__(self, url: str, wait_for_socket: WaitForSocket | None) -> None:
        self._wait_for_socket = wait_for_socket
        self.has_pooler: bool | None = None
        """None: there was no connection yet."""
        self._renewed_at = 0.0
        self._opening = 0
        """Slots of the pool that are taken by connections that are not open yet."""
        self.silence = Silence(self._find_processes_at_work, self.renew)
        # `stale_timeout` must be set for `_is_stale` to be called
        super().__init__(url, max_connections=20, timeout=LOCK_SECONDS, stale_timeout=1, prefer_psycopg3=True)

    def connect(self, reuse_if_open: bool = False) -> bool:
        """Give this thread a connection. The library would keep all others waiting while it opens one."""
        if not self.is_closed():
            return bool(super().connect(reuse_if_open))
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            self.silence.require_none()
            connection = self._take_idle()
            if connection is None:
                connection = self._open_in_slot()
        if self.server_version is None:
            self._set_server_version(connection)
        self._state.set_connection(connection)
        return True

    def _take_idle(self) -> Connection | None:
        """Return a connection that nobody uses, or None after taking a slot of the pool for another one.

        :raises MaxConnectionsExceeded: all are in use for long
        """
        until = time.monotonic() + self._wait_timeout
        with self._pool_available:
            while True:
                while self._connections:
                    made_at, _, idle = heappop(self._connections)
                    connection: Connection = idle
                    if self._is_closed(connection) or self._is_stale(made_at):
                        self._close_raw(connection)
                        continue
                    self._note_use(connection, made_at)
                    return connection
                if len(self._in_use) + self._opening < self._max_connections:
                    self._opening += 1
                    return None
                if not self._pool_available.wait(until - time.monotonic()):
                    raise MaxConnectionsExceeded("all connections are in use")

    def _open_in_slot(self) -> Connection:
        """Open a connection in the slot that was taken for it; free the slot if that fails.

        :raises NoAnswer: the server is known not to answer
        """
        connection = None
        try:
            self.silence.require_none()  # while this thread waited for the slot, another may have noted one
            connection = self.open(cursor_factory=Cursor, autocommit=True)
        except psycopg.errors.ConnectionTimeout as error:
            self.silence.note(error)
            raise
        finally:
            with self._pool_available:
                self._opening -= 1
                if connection is None:
                    self._pool_available.notify()
                else:
                    self._note_use(connection, _now())
        return connection

    def _note_use(self, connection: Connection, made_at: float) -> None:
        self._in_use[self.conn_key(connection)] = PoolConnection(made_at, connection, _now())

    def open(self, **more: Any) -> Connection:
        """Open a connection outside of the pool. The first one finds out whether there is a pooler: a
        connection to it has no settings and prepares no statements.
        """
        if not self.has_pooler:
            connection = self._open_to_server(**more)
            if connection is not None:
                self.has_pooler = False
                return connection
            self.has_pooler = True
        return self._open_connection(prepare_threshold=None, **more)

    def _open_to_server(self, **more: Any) -> Connection | None:
        """Return a connection with our settings, or None where a pooler refuses or ignores them."""
        try:
            connection = self._open_connection(options=OPTIONS, **more)
        except psycopg.OperationalError as error:
            if "unsupported startup parameter" in str(error):
                return None
            raise
        if self.has_pooler is not False:  # another thread may have found one meanwhile
            shown = connection.execute("SELECT current_setting(%s, true)", (DIRECT_MARK,)).fetchone()
            connection.rollback()
            if shown != ("yes",):
                connection.close()
                return None
        return connection

    def _open_connection(self, **settings: Any) -> Connection:
        connection = Connection.connect(self.database, **(KEEPALIVES | settings))
        connection.wait_for_socket = self._wait_for_socket
        connection.silence, connection.patience = self.silence, SILENT_SECONDS
        return connection

    def _find_processes_at_work(self) -> IsAtWork:
        """Ask the server, on a new connection, which of its processes are at work; return a function that
        says whether a pid is that of one of them. See `Silence`.
        """
        try:
            with self._open_connection(autocommit=True, connect_timeout=ASKING_SECONDS) as connection:
                connection.silence, connection.patience = None, ASKING_SECONDS
                rows = connection.execute(WORKING).fetchall()
        except psycopg.OperationalError as error:
            if AFTER_SEVERITY not in str(error):
                raise
            return lambda pid: True  # it answers, if only that it has too many connections
        processes = {pid for (pid,) in rows}
        return lambda pid: bool(self.has_pooler) or pid in processes

    def renew(self) -> None:
        """Give up the idle connections that were made before now; those in use, when they come back."""
        now = _now()
        if now - self._renewed_at > RENEWAL_SECONDS:
            self._renewed_at = now

    def _is_stale(self, made_at: float) -> bool:
        return made_at <= self._renewed_at

    def _can_reuse(self, conn: Any) -> bool:
        """Whether a thread leaves a connection as it was, and was not interrupted in a pipeline."""
        return conn.pgconn.pipeline_status == PipelineStatus.OFF and bool(super()._can_reuse(conn))

    def _is_closed(self, conn: Any) -> bool:
        """Whether the server has ended an idle connection. The server says so before it closes the
        connection, so reading the socket is enough; asking the server would cost a round trip for each
        transaction.
        """
        try:
            for _ in range(2):  # its last message, and the end of the stream
                conn.pgconn.consume_input()
        except psycopg.OperationalError:
            return True
        return bool(conn.closed) or conn.info.transaction_status != TransactionStatus.IDLE


def _now() -> float:
    return time.time()  # noqa: TID251 - the pool uses it too
