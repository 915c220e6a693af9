"""The PostgreSQL backend: an advisory lock for writes, LATERAL, tsvector, NOTIFY."""

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

import peewee
import psycopg
from psycopg.conninfo import conninfo_to_dict

from chatcore.storage import BadDatabaseUrl
from chatcore.storage.slices import WaitForSocket
from storage_backends import postgres_programs
from storage_backends.postgres_connections import (
    LIMITS,
    SET_LOCAL,
    Opened,
    Pool,
    forget_prepared,
    has_failed,
    raising_first,
    send_all,
    settle,
    sync_later,
)
from storage_backends.postgres_dialect import PostgresDialect
from storage_backends.postgres_lock import (
    COMPUTING_LOCK,
    LOOK_SECONDS,
    MIGRATION_LOCK,
    WRITE_LOCK,
    SilentHolder,
)
from storage_backends.postgres_names import HeldNames
from storage_backends.postgres_notices import Notices
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.events import FIND_ADOPTED
from storage_backends.sql.memory import HEAD, HeadRows

T = TypeVar("T")


IDENTITY = """
SELECT concat_ws(
    ' ', (SELECT system_identifier FROM pg_control_system()),
    CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END,
    (SELECT oid FROM pg_database WHERE datname = current_database()), 'log_head'::regclass::oid
)
"""
"""The identity of a database: the cluster, how often it was restored or failed over, the database, and the
creation of its tables. A server that only reads knows the timeline of its last checkpoint alone; one that has
become the primary has the new timeline at once, but in the control file only after a checkpoint.
"""

LEAST_PATIENCE = 0.5
"""Seconds that a writer waits for the lock even if its time is up."""

CONNECTION = "08"
READ_ONLY = "25006"
ROLLED_BACK = "40"
NOT_PREPARED = "26000"
CHANGED_RESULT = "0A000"
UNAVAILABLE = (
    CONNECTION,
    "53",
    "55P03",
    "57",
    "58",
    "25P03",
    READ_ONLY,
    ROLLED_BACK,
    NOT_PREPARED,
    CHANGED_RESULT,
)
"""Beginnings of SQLSTATE that mean "unavailable": no connection, no resources left, a lock that is not free,
ended by an operator, errors of the system, an idle transaction, a read-only database, as after a failover;
a transaction that the database rolls back: a deadlock with an operator's statement, a snapshot of a replica
that is in the way of changes; a prepared statement that is gone, or whose table an operator has changed.
"""

BROKEN = (CONNECTION, "57P")
"""Beginnings of SQLSTATE that come with the end of a connection."""


def _sentences_of(error: Exception) -> str:
    """Return the lines of an error as sentences in one line."""
    return " ".join(re.sub(r"(?<=[^.:;,?!\s])\s*\n", ". ", str(error).strip()).split())


def _sqlstate_of(error: Exception) -> str:
    """Return the SQLSTATE of an error of the driver, or `CONNECTION` if the server did not answer; "" for
    other errors.
    """
    cause = getattr(error, "orig", error)  # peewee's errors wrap the driver's
    if not isinstance(cause, psycopg.Error):
        return ""
    return cause.sqlstate or (CONNECTION if isinstance(cause, psycopg.OperationalError) else "")


def _is_understood(url: str) -> bool:
    """Whether no part of a password is parsed as something else, which the driver would repeat in errors."""
    if any(map(str.isspace, url)):  # not every version of the driver refuses it
        return False
    try:
        parts = conninfo_to_dict(url)
    except (psycopg.ProgrammingError, UnicodeError):
        return False
    if "@" in f"{parts.get('host')}{parts.get('dbname')}":
        return False
    ports = str(parts.get("port", "")).replace(",", "")
    return ports == "" or (ports.isascii() and ports.isdecimal())


class _Writing(threading.local):
    """The pipeline of a thread's writing transaction."""

    pipeline: psycopg.Pipeline | None = None

    def __init__(self) -> None:
        self.ends = ExitStack()
        """Ends the pipeline when it is closed."""


class PostgresBackend:
    location = "PostgreSQL"
    dialect: Dialect = PostgresDialect()
    has_round_trips = True

    def __init__(self, url: str, wait_for_socket: WaitForSocket | None = None) -> None:
        """Open a pool for a URL. Its connections wait by *wait_for_socket*, if the server has that.

        :raises BadDatabaseUrl: the driver does not understand the URL, or reads it differently
        """
        if not _is_understood(url):
            raise BadDatabaseUrl(
                "The database URL is not postgresql://user:password@host/name; in a name or a password write"
                " %40 for @, %2F for /, %20 for a space and %25 for %"
            )
        self.url = url
        self.database: Any = Pool(url, wait_for_socket)
        self.names = HeldNames(self.database)
        self._writing = _Writing()
        self.notices = Notices(self.database)
        self._followed: WeakSet[Opened] = WeakSet()
        """The connections that lead to the log which this process follows."""
        self._told_of_holder: set[tuple[object, ...]] = set()
        """Processes and reasons that the log has named for the lock of the writers, each pair once."""

    def connection(self) -> AbstractContextManager[object]:
        context: AbstractContextManager[object] = self.database.connection_context()
        return context

    def alone(self, read: Callable[[], T]) -> T:
        return read()

    def begin_read(self) -> HeadRows:
        return self._begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;")

    def begin_write(self, until: float) -> HeadRows:
        """Wait for the lock of the writers, with a look at its holder now and then, and begin a pipeline."""
        holder = SilentHolder(self.database, self._told_of_holder)
        # None: others had the lock for LOOK_SECONDS. When the patience is over, `_lock` raises an error.
        while (head_rows := self._lock(max(until - time.monotonic(), LEAST_PATIENCE))) is None:
            holder.look()
        self._writing.pipeline = self._writing.ends.enter_context(self.database.connection().pipeline())
        return head_rows

    def _lock(self, patience: float) -> HeadRows | None:
        """Begin a transaction with the lock of the writers. Return None if others had it for `LOOK_SECONDS`.

        :raises psycopg.errors.LockNotAvailable: they had it for as long as the patience lasts
        """
        timeout = min(patience, LOOK_SECONDS)
        try:
            # The lock comes first, so that the statement after it reads the newest state.
            return self._begin(
                "BEGIN ISOLATION LEVEL READ COMMITTED;",
                f"SET LOCAL lock_timeout = {int(timeout * 1000)}; SELECT pg_advisory_xact_lock({WRITE_LOCK});"
                f"SET LOCAL lock_timeout = {int(patience * 1000)};",
            )
        except psycopg.errors.LockNotAvailable:
            if timeout == patience:
                raise
            self.database.execute_sql("ROLLBACK")
            return None

    def _end_pipeline(self) -> None:
        """Wait for all results.

        :raises psycopg.Error: that of the first statement that failed
        """
        self._writing.pipeline = None
        with raising_first(self.database):
            self._writing.ends.close()  # can be used again

    @contextmanager
    def sending(self) -> Iterator[None]:
        connection = self.database.connection()
        if self._writing.pipeline is not None:
            yield
            self.settle()
            return
        with raising_first(self.database), connection.pipeline():
            yield
            send_all(connection)  # as `settle` does

    def settle(self) -> None:
        """Wait for the results in the pipeline. If one is an error, end the pipeline and raise it."""
        connection = self.database.connection()
        try:
            if self._writing.pipeline is not None:
                settle(connection, self._writing.pipeline)
        except psycopg.Error:
            with suppress(psycopg.Error):  # errors that follow from that one
                self._end_pipeline()
            raise
        finally:
            if has_failed(connection):
                forget_prepared(connection)

    def settle_later(self) -> None:
        if self._writing.pipeline is not None:
            sync_later(self._writing.pipeline)

    def _begin(self, begin: str, then: str = "") -> HeadRows:
        """Begin a transaction in one round trip; return the rows of `memory.HEAD`."""
        cursor = self.database.cursor()
        settings = SET_LOCAL if self.database.has_pooler else ""
        cursor.execute(f"{begin} {settings} {then} {HEAD}")
        while cursor.nextset():
            pass
        rows: HeadRows = cursor.fetchall()
        return rows

    @contextmanager
    def migrating(self) -> Iterator[None]:
        """Hold the lock of the migrations by a transaction of another connection: behind a pooler, nothing
        else can.
        """
        with self.database.open(autocommit=True) as alone, alone.transaction():
            for limit in LIMITS:
                alone.execute(f"SET LOCAL {limit} = 0")
            alone.execute(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            yield

    def lock_out_writers(self) -> None:
        for limit in LIMITS:
            self.database.execute_sql(f"SET LOCAL {limit} = 0")
        self.database.execute_sql(f"SELECT pg_advisory_xact_lock({COMPUTING_LOCK})")
        holder = SilentHolder(self.database, self._told_of_holder)
        while not self._lock_under_savepoint():
            # Else the transaction would see all processes as they were at its first look.
            self.database.execute_sql("SELECT pg_stat_clear_snapshot()")
            holder.look()

    def _lock_under_savepoint(self) -> bool:
        """Take the lock of the writers until the present transaction ends. Return False if others had it for
        `LOOK_SECONDS`; the transaction goes on then.
        """
        try:
            with self.database.atomic():  # the savepoint
                self.database.cursor().execute(
                    f"SET LOCAL lock_timeout = {int(LOOK_SECONDS * 1000)};"
                    f"SELECT pg_advisory_xact_lock({WRITE_LOCK}); SET LOCAL lock_timeout = 0"
                )
        except psycopg.errors.LockNotAvailable:
            return False
        return True

    def commit(self, head: int | None) -> None:
        """Send the last statements, and wait for the results of all."""
        cursor = self.database.cursor()
        with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
            if head is not None:
                self.database.cursor().execute("UPDATE log_head SET position = %s", (head,))
                self.settle_later()
            with self.database.connection().committing(cursor):
                cursor.execute("COMMIT")
                self._end_pipeline()

    def rollback(self) -> None:
        with suppress(psycopg.Error):  # the caller has the first error, or one of its own
            self._end_pipeline()
        if has_failed(connection := self.database.connection()):
            forget_prepared(connection)
        self.database.execute_sql("ROLLBACK")

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        self._end_pipeline()  # COPY is not possible in one
        with self.database.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def analyze(self) -> None:
        # The server does it by itself a minute later; until then, searches of common words read all hits.
        self.database.execute_sql("ANALYZE")

    def last_id(self, table: str) -> int:
        row = self._fetch_row(f"SELECT last_value, is_called FROM {self._sequence(table)}")
        return int(row[0]) if row[1] else 0

    def continue_ids(self, table: str, last: int) -> None:
        self._fetch_row("SELECT setval(%s, %s, %s)", self._sequence(table), max(last, 1), last > 0)

    def _sequence(self, table: str) -> str:
        return str(self._fetch_row("SELECT pg_get_serial_sequence(%s, 'id')", table)[0])

    def _fetch_row(self, statement: str, *values: object) -> Any:
        cursor = self.database.execute_sql(statement, values)
        self.settle()
        return cursor.fetchone()

    def search_words(self, words: Sequence[str]) -> str:
        return " ".join(f"'{word}'" for word in words)

    def database_identities(self) -> tuple[str | None, str]:
        found: tuple[str | None, str] = self._fetch_row(
            f"SELECT ({FIND_ADOPTED.on(self.dialect).text}), ({IDENTITY})"
        )
        return found

    def server_time(self) -> float | None:
        return float(self._fetch_row("SELECT extract(epoch FROM clock_timestamp())")[0])

    def follows_log(self) -> bool:
        # A failover ends all connections, but not those to a pooler.
        return not self.database.has_pooler and self.database.connection() in self._followed

    def note_log(self) -> None:
        self._followed.add(self.database.connection())

    def listen(self, receive: Callable[[str], None]) -> None:
        self.notices.listen(receive)

    def announce_commit(self) -> None:
        self.notices.announce_commit()

    def broadcast(self, text: str) -> None:
        self.notices.broadcast(text)

    def problem(self) -> str | None:
        try:
            with self.connection():
                self.database.execute_sql("SELECT 1")
        except peewee.PeeweeException as error:
            return f"cannot connect to PostgreSQL: {_sentences_of(error)}"
        return None

    def has_gone(self, error: Exception) -> bool:
        state = _sqlstate_of(error)
        if state == READ_ONLY:  # the primary has become a standby: other connections lead to its successor
            self.database.renew()
        return state.startswith(UNAVAILABLE)

    def has_refused(self, error: Exception) -> bool:
        return isinstance(error, peewee.PeeweeException | psycopg.Error)

    def has_broken(self, error: Exception) -> bool:
        return _sqlstate_of(error).startswith(BROKEN)

    def exists(self) -> bool:
        return True

    def create(self) -> str | None:
        """Create nothing: the operator of the server creates a database (`createdb chat`)."""
        return None

    def copy_to(self, file: Path) -> None:
        self.database.execute_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        (snapshot,) = self._fetch_row("SELECT pg_export_snapshot()")
        postgres_programs.dump(self.url, self._server_version(), str(snapshot), file)

    def is_empty(self) -> bool:
        with self.connection():
            return not self._fetch_row(
                "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace)"
            )[0]

    def fill_from(self, file: Path) -> None:
        postgres_programs.restore(self.url, file)
        with self.connection():
            self.analyze()

    def _server_version(self) -> int:
        """Return the major version of the server of this thread's connection."""
        return int(self.database.connection().info.server_version) // 10_000

    def close(self) -> None:
        self.notices.close()
        self.names.close()
        self.database.silence.close()
        self.database.close_all()
