"""The PostgreSQL backend: an advisory lock for writes, LATERAL, tsvector, NOTIFY."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, TypeVar

import peewee
import psycopg
from playhouse.pool import PooledPostgresqlDatabase
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from chatcore.storage import BadDatabaseUrl
from chatcore.storage.slices import WaitForSocket
from storage_backends.postgres_dialect import PostgresDialect
from storage_backends.postgres_waiting import adapter_for
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.memory import HEAD, Head

T = TypeVar("T")

WRITE_LOCK = 7_262_817_263
"""Key of the advisory lock that serializes the writers of one database."""
MIGRATION_LOCK = WRITE_LOCK + 1

CHANNEL = "chatcore_events"
NOTIFY_INTERVAL = 0.01
"""Seconds between two notifications of a process: each one costs a lock on the whole cluster."""


IDENTITY = """
SELECT concat_ws(
    ' ', (SELECT system_identifier FROM pg_control_system()),
    (SELECT timeline_id FROM pg_control_checkpoint()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), 'log_head'::regclass::oid
)
"""
"""The identity of a database: the cluster, how often it was restored or failed over, the database, and the
creation of its tables.
"""

PATIENCE = 10
"""Seconds that a statement waits for a lock, such as that of a table."""
LEAST_PATIENCE = 0.5
REST = 8
"""Seconds that a transaction may be idle between two statements. PostgreSQL ends the transaction of a frozen
process or of a vanished machine, so that it releases the lock before the waiting writers time out.
"""

CONNECTION = "08"
READ_ONLY = "25006"
AWAY = (CONNECTION, "53", "55P03", "57", "58", "25P03", READ_ONLY)
"""Beginnings of SQLSTATE that mean "unavailable": no connection, no resources left, a lock that is not free,
ended by an operator, errors of the system, an idle transaction, a read-only database, as after a failover.
"""

OPTIONS = (
    "-c random_page_cost=1.1 -c jit=off -c max_parallel_workers_per_gather=0"
    f" -c lock_timeout={PATIENCE}s -c idle_in_transaction_session_timeout={REST}s"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    " -c tcp_user_timeout=25s"
)
"""Settings that suit our statements: they read a page by an index, and compiling one, or scanning a table for
it, takes longer.
"""
WITHOUT_LIMITS = ("lock_timeout", "idle_in_transaction_session_timeout")
"""Settings that are lifted for migrations, which run longer and wait for each other."""
KEEPALIVES = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "connect_timeout": PATIENCE,
}
"""Keepalive settings by which the driver notices that the server's machine has vanished."""
RECENTLY = 1.0
"""Seconds within which several read-only connections count as one discovery."""


class _Database(PooledPostgresqlDatabase):  # type: ignore[misc]
    """A pool that can give up its present connections.

    Connections made while the database was read-only, or before another took its place, never recover.
    """

    def __init__(self, url: str, wait_for_socket: WaitForSocket | None, **more: Any) -> None:
        self._made_anew_since = 0.0
        if wait_for_socket is not None:
            self.psycopg3_adapter = adapter_for(wait_for_socket)
        super().__init__(url, stale_timeout=1, **more)  # must be set for `_is_stale` to be called

    def make_anew(self) -> None:
        now = time.time()  # noqa: TID251 - the pool uses it too
        if now - self._made_anew_since > RECENTLY:
            self._made_anew_since = now

    def _is_stale(self, made_at: float) -> bool:
        return made_at <= self._made_anew_since

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


def _is_understood(url: str) -> bool:
    """Whether no part of a password is parsed as something else, which the driver would repeat in errors."""
    try:
        parts = conninfo_to_dict(url)
    except (psycopg.ProgrammingError, UnicodeError):
        return False
    ports = str(parts.get("port", "")).split(",")
    return "@" not in f"{parts.get('host')}{parts.get('dbname')}" and all(
        port == "" or (port.isascii() and port.isdecimal()) for port in ports
    )


class PostgresBackend:
    place = "PostgreSQL"
    dialect: Dialect = PostgresDialect()

    def __init__(self, url: str, wait_for_socket: WaitForSocket | None = None) -> None:
        """Open a pool for a URL, whose connections wait by a function of the server if it has one.

        :raises BadDatabaseUrl: the driver does not understand the URL, or reads it differently
        """
        if not _is_understood(url):
            raise BadDatabaseUrl(
                "The database URL is not postgresql://user:password@host/name; in a name or a password write"
                " %40 for @, %2F for /, %20 for a space and %25 for %"
            )
        self.url = url
        self.database: Any = _Database(
            url,
            wait_for_socket,
            max_connections=20,
            timeout=30,
            prefer_psycopg3=True,
            options=OPTIONS,
            **KEEPALIVES,
        )
        self._closed = threading.Event()
        self._has_texts = threading.Event()
        self._has_committed = False
        self._texts: deque[str] = deque()
        self._notifier: threading.Thread | None = None
        self._notifier_lock = threading.Lock()
        self._listener: threading.Thread | None = None

    def connection(self) -> AbstractContextManager[object]:
        context: AbstractContextManager[object] = self.database.connection_context()
        return context

    def alone(self, read: Callable[[], T]) -> T:
        return read()

    def begin_read(self) -> Head:
        return self._last_rows(f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {HEAD}")

    def begin_write(self, until: float) -> Head:
        # The lock comes first, so that the statement after it reads the newest state.
        patience = max(until - time.monotonic(), LEAST_PATIENCE)
        return self._last_rows(
            f"BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {int(patience * 1000)};"
            f"SELECT pg_advisory_xact_lock({WRITE_LOCK}); {HEAD}"
        )

    def _last_rows(self, statements: str) -> Head:
        """Run statements in one round trip; return the rows of the last one."""
        cursor = self.database.cursor()
        cursor.execute(statements)
        while cursor.nextset():
            pass
        rows: Head = cursor.fetchall()
        return rows

    @contextmanager
    def migrating(self) -> Iterator[None]:
        for setting in WITHOUT_LIMITS:
            self.database.execute_sql(f"SET {setting} = 0")
        self.database.execute_sql(f"SELECT pg_advisory_lock({MIGRATION_LOCK})")
        try:
            yield
        finally:
            self.database.execute_sql(f"SELECT pg_advisory_unlock({MIGRATION_LOCK})")
            for setting in WITHOUT_LIMITS:
                self.database.execute_sql(f"RESET {setting}")

    def commit(self, head: int | None) -> None:
        cursor = self.database.cursor()
        cursor.execute("COMMIT" if head is None else f"UPDATE log_head SET position = {int(head)}; COMMIT")

    def rollback(self) -> None:
        self.database.execute_sql("ROLLBACK")

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        with self.database.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def analyze(self) -> None:
        # The server does it by itself a minute later; until then, searches of common words read all hits.
        self.database.execute_sql("ANALYZE")

    def last_id(self, table: str) -> int:
        sequence = self._sequence(table)
        row = self.database.execute_sql(f"SELECT last_value, is_called FROM {sequence}").fetchone()
        return int(row[0]) if row[1] else 0

    def continue_ids(self, table: str, last: int) -> None:
        self.database.execute_sql(
            "SELECT setval(%s, %s, %s)", (self._sequence(table), max(last, 1), last > 0)
        )

    def _sequence(self, table: str) -> str:
        row = self.database.execute_sql("SELECT pg_get_serial_sequence(%s, 'id')", (table,)).fetchone()
        return str(row[0])

    def search_words(self, words: Sequence[str]) -> str:
        return " ".join(f"'{word}'" for word in words)

    def identity(self) -> str:
        (identity,) = self.database.execute_sql(IDENTITY).fetchone()
        return str(identity)

    def listen(self, receive: Callable[[str], None]) -> None:
        self._listener = threading.Thread(
            target=self._listen, args=(receive,), name="chatcore-listen", daemon=True
        )
        self._listener.start()

    def _listen(self, receive: Callable[[str], None]) -> None:
        while not self._closed.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    receive("")  # covers commits made before we listened
                    while not self._closed.is_set():
                        for notice in connection.notifies(timeout=1, stop_after=1):
                            receive(notice.payload)
            except psycopg.Error:
                self._closed.wait(1)

    def notify(self, text: str = "") -> None:
        with self._notifier_lock:
            if self._notifier is None:
                self._notifier = threading.Thread(
                    target=self._notify_after_commits, name="chatcore-notify", daemon=True
                )
                self._notifier.start()
        if text:
            self._texts.append(text)
        else:
            self._has_committed = True
        self._has_texts.set()

    def _notify_after_commits(self) -> None:
        while not self._closed.is_set():
            if not self._has_texts.wait(1):
                continue
            try:
                with psycopg.connect(self.url, autocommit=True) as connection:
                    while not self._closed.is_set():
                        self._send_texts(connection)
                        time.sleep(NOTIFY_INTERVAL)
                        while not self._has_texts.wait(1) and not self._closed.is_set():
                            pass
            except psycopg.Error:
                self.notify()
                self._closed.wait(1)

    def _send_texts(self, connection: "psycopg.Connection[Any]") -> None:
        """Send all pending texts in one transaction, so that every listener receives them in this order."""
        self._has_texts.clear()
        texts = [self._texts.popleft() for _ in range(len(self._texts))]
        if self._has_committed:
            self._has_committed = False
            texts.append("")
        connection.execute("SELECT pg_notify(%s, text) FROM unnest(%s::text[]) AS text", (CHANNEL, texts))

    def problem(self) -> str | None:
        try:
            with self.connection():
                self.database.execute_sql("SELECT 1")
        except peewee.PeeweeException as error:
            return f"cannot connect to PostgreSQL: {str(error).strip().splitlines()[0]}"
        return None

    def has_gone(self, error: Exception) -> bool:
        cause = getattr(error, "orig", error)  # peewee's errors wrap the driver's
        if not isinstance(cause, psycopg.Error):
            return False
        without_answer = CONNECTION if isinstance(cause, psycopg.OperationalError) else ""
        state = cause.sqlstate or without_answer
        if state == READ_ONLY:
            self.database.make_anew()
        return state.startswith(AWAY)

    def exists(self) -> bool:
        return True

    def create(self) -> str | None:
        """Create nothing: the operator of the server creates a database (`createdb chat`)."""
        return None

    def close(self) -> None:
        self._closed.set()
        self._has_texts.set()
        if self._listener is not None:
            with suppress(psycopg.Error), psycopg.connect(self.url, autocommit=True) as connection:
                connection.execute(f"NOTIFY {CHANNEL}")  # wakes the listener, so that it ends
        for thread in (self._listener, self._notifier):
            if thread is not None and thread is not threading.current_thread():
                thread.join(5)
        self.database.close_all()
