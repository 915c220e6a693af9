"""The SQLite backend: one file in WAL mode, one writer, FTS5, no notifications between processes."""

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import peewee
from peewee import __exception_wrapper__  # type: ignore[attr-defined]
from playhouse.pool import PooledSqliteDatabase

from chatcore.disk import open_private, put_in_place
from chatcore.storage import StorageNotReady
from chatcore.storage.copies import CannotCopy
from storage_backends.sql.backend import LOCK_SECONDS
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.events import ADD_IDENTITY, FIND_ADOPTED, REMOVE_IDENTITY
from storage_backends.sql.memory import HEAD, HeadRows
from storage_backends.sqlite_dialect import SqliteDialect
from storage_backends.sqlite_file import DatabaseFile, no_access
from storage_backends.sqlite_names import HeldNames
from storage_backends.sqlite_slices import STEPS, Connection, error_code, patiently

T = TypeVar("T")

IN_MEMORY = ":memory:"

PRAGMAS = {
    "busy_timeout": 0,  # SQLite would wait in the thread that all share
    "journal_mode": "wal",
    "synchronous": "full",  # an acknowledged message survives a power failure
    "cache_size": -8_000,
    "temp_store": "memory",
    "journal_size_limit": 16 * 2**20,  # a long reader lets the log grow; it must shrink again
}
UNAVAILABLE = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_READONLY,
    }
)
"""Result codes of a file that is unavailable at present. A damaged file is not among them."""

RunCommit = Callable[[Callable[[], object]], object]
"""A function that runs a commit in another thread, and lets others use this thread until it is done."""


class _Database(PooledSqliteDatabase):  # type: ignore[misc]
    def __init__(self, file: DatabaseFile, *, gives_way: bool, **more: Any) -> None:
        super().__init__(file.uri, **more)
        self._file = file
        self._gives_way = gives_way

    def _connect(self) -> Any:
        self.database = self._file.uri
        return super()._connect()

    def execute_sql(self, sql: str, params: Any = None) -> Any:
        """Execute like peewee, but without its logging, which costs time in every statement."""
        if self.query_hooks:
            return super().execute_sql(sql, params)
        with __exception_wrapper__:
            return self.connection().execute(sql, params or ())

    def _add_conn_hooks(self, connection: Connection) -> None:
        super()._add_conn_hooks(connection)
        if self._gives_way:
            connection.set_progress_handler(connection.give_way, STEPS)


class SqliteBackend:
    dialect: Dialect = SqliteDialect()
    has_round_trips = False

    def __init__(self, path: str, run_commit: RunCommit | None = None) -> None:
        """Open a pool. With *run_commit*, the users of the store are greenlets of one real thread."""
        self.path = path
        self._file = DatabaseFile(path)
        self._in_memory = path == IN_MEMORY
        self.location = IN_MEMORY if self._in_memory else self._file.location
        self.names = HeldNames(None if self._in_memory else lambda: f"{os.path.realpath(path)}-calls")
        self._run_commit = None if self._in_memory else run_commit
        self._single_connection_lock = threading.RLock()
        """For a database in memory: the one connection holds the whole store, so threads use it in turn."""
        if self._in_memory:
            self.database: Any = peewee.SqliteDatabase(IN_MEMORY, thread_safe=False, check_same_thread=False)
        else:
            self.database = _Database(
                self._file,
                uri=True,
                pragmas=PRAGMAS,
                max_connections=64,
                timeout=LOCK_SECONDS,
                check_same_thread=False,
                factory=Connection,
                gives_way=run_commit is not None,
            )

    def connection(self) -> AbstractContextManager[object]:
        return self._single_connection() if self._in_memory else self._own_connection()

    @contextmanager
    def _single_connection(self) -> Iterator[None]:
        """Provide the connection of a database in memory, to one thread at a time."""
        with self._single_connection_lock:
            self.database.connect(reuse_if_open=True)
            yield

    @contextmanager
    def _own_connection(self) -> Iterator[None]:
        """Provide a connection of this thread's own, to the file that all others are connected to."""
        self._require_same_file()
        try:
            patiently(self.database.connect, time.monotonic() + LOCK_SECONDS)
        except peewee.OperationalError:
            self._require_same_file()  # it may have gone since
            raise
        connection: Connection = self.database.connection()
        if connection.forget is None:
            self._note_new_connection(connection)
        self._begin_slice()
        try:
            yield
        except peewee.OperationalError:
            # An interrupted statement: raise the exception that has interrupted it, if there is one.
            ended, connection.ended = connection.ended, None
            if ended is None:
                raise
            raise ended from None
        finally:
            self.database.close()

    def _note_new_connection(self, connection: Connection) -> None:
        """Note a connection that was just made. If the name has another file by now, close the connection: it
        may lead to that one.

        :raises StorageNotReady: as `_require_same_file` does
        """
        try:
            self._require_same_file()
        except StorageNotReady:
            self.database.manual_close()
            raise
        self._file.note(connection)

    def _require_same_file(self) -> None:
        """Check that the name still belongs to the file that connections were made to.

        :raises StorageNotReady: it, or a file beside it, was moved, replaced or deleted
        """
        problem = None if self._in_memory else self._file.problem()
        if problem is not None:
            raise StorageNotReady(problem)

    def alone(self, read: Callable[[], T]) -> T:
        return patiently(read, time.monotonic() + LOCK_SECONDS)

    def begin_read(self) -> HeadRows:
        head_rows = patiently(self._begin_snapshot, time.monotonic() + LOCK_SECONDS)
        self._begin_slice()
        return head_rows

    def _begin_snapshot(self) -> HeadRows:
        if not self.database.connection().in_transaction:
            self.database.execute_sql("BEGIN")
        return self._head()  # the first read takes the snapshot, and meets a lock

    def begin_write(self, until: float) -> HeadRows:
        patiently(lambda: self.database.execute_sql("BEGIN IMMEDIATE"), until)
        self._begin_slice()
        return self._head()

    def _head(self) -> HeadRows:
        rows: HeadRows = self.database.execute_sql(HEAD).fetchall()
        return rows

    def _begin_slice(self) -> None:
        """Measure from now how long this connection keeps others from running."""
        if self._run_commit is not None:
            self.database.connection().since = time.perf_counter()

    @contextmanager
    def migrating(self) -> Iterator[None]:
        with ExitStack() as stack:
            begin = partial(stack.enter_context, self.database.atomic("IMMEDIATE"))
            patiently(begin, time.monotonic() + LOCK_SECONDS)
            yield

    def lock_out_writers(self) -> None:
        """Do nothing: `migrating` has begun the transaction as a writer."""

    def sending(self) -> AbstractContextManager[object]:
        return nullcontext()

    def settle(self) -> None:
        """Do nothing: each statement has its result at once."""

    def settle_later(self) -> None:
        """Do nothing, as `settle`."""

    def commit(self, head: int | None) -> None:
        """Commit by the server's function, if there is one, so that other greenlets run meanwhile."""
        if head is not None:
            self.database.execute_sql("UPDATE log_head SET position = ?", (head,))
        self._require_same_file()
        if self._run_commit is None:
            self.database.execute_sql("COMMIT")
            return
        connection: Connection = self.database.connection()
        connection.is_elsewhere = True
        try:
            with __exception_wrapper__:
                self._run_commit(partial(connection.execute, "COMMIT"))
        finally:
            connection.is_elsewhere = False

    def rollback(self) -> None:
        self.database.execute_sql("ROLLBACK")

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        placeholders = ", ".join("?" for _ in columns)
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({placeholders})"
        self.database.cursor().executemany(statement, rows)

    def analyze(self) -> None:
        """Do nothing: no plan depends on statistics."""

    def last_id(self, table: str) -> int:
        row = self.database.execute_sql("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        return 0 if row is None else int(row[0])

    def continue_ids(self, table: str, last: int) -> None:
        self.database.execute_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        self.database.execute_sql("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, last))

    def search_words(self, words: Sequence[str]) -> str:
        return " ".join(words)

    def database_identities(self) -> tuple[str | None, str]:
        """Return the adopted identity, if any, and the own one: the number of the file and the version of the
        schema. A copy by VACUUM INTO has the next version.
        """
        adopted = self.database.execute_sql(FIND_ADOPTED.on(self.dialect).text).fetchone()
        (version,) = self.database.execute_sql("PRAGMA schema_version").fetchone()
        own = IN_MEMORY if self._in_memory else f"{Path(self.path).stat().st_ino} {version}"
        return adopted and adopted[0], own

    def follows_log(self) -> bool:
        """Return True: a connection stays with its file."""
        return True

    def note_log(self) -> None:
        """Do nothing, as `follows_log` needs nothing."""

    def listen(self, receive: Callable[[str], None]) -> None:
        """Do nothing: only short commands write besides a running server, and its slow poll notices them."""

    def announce_commit(self) -> None:
        pass

    def broadcast(self, text: str) -> None:
        pass

    def problem(self) -> str | None:
        """Look at the file, at what is beside it, and at the folders above it."""
        if self._in_memory:
            return None
        if (loss := self._file.problem()) is not None:
            return loss
        path = Path(self.path).resolve()
        if not os.path.isdir(path.parent):
            existing = next((folder for folder in path.parents if os.path.isdir(folder)), path.parent)
            return no_access(existing, os.X_OK) or (
                f"the folder of the database file does not exist: {path.parent};"
                " make it, or name another file"
            )
        if os.path.isdir(path):
            return f"the database file is a folder: {path}"
        if not os.path.exists(path) and os.path.exists(log := f"{path}-wal"):
            return (
                f"the database file {path} is missing, but its log {log} is there:"
                " put the file back; a new one would destroy what only the log has"
            )
        problems = (no_access(needed) for needed in (path.parent, path, Path(f"{path}-wal")))
        return next((problem for problem in problems if problem), None)

    def has_gone(self, error: Exception) -> bool:
        return error_code(error) in UNAVAILABLE

    def has_refused(self, error: Exception) -> bool:
        return isinstance(error, peewee.PeeweeException | sqlite3.Error)

    def has_broken(self, error: Exception) -> bool:
        """Return False: a commit that fails is rolled back."""
        return False

    def server_time(self) -> float | None:
        return None

    def exists(self) -> bool:
        return self._in_memory or Path(self.path).exists()

    def create(self) -> str | None:
        """Create the file, readable by its owner only; SQLite gives the files beside it the same rights."""
        if self.exists():
            return None
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return None if self.exists() else f"the database file is a link to nothing: {self.path}"
        except OSError as error:
            return f"the database file {self.path} cannot be made: {error.strerror}"
        return None

    def copy_to(self, file: Path) -> None:
        """Copy by SQLite's backup, and give the copy another identity."""
        try:
            with closing(sqlite3.connect(file)) as copy:
                self.database.connection().backup(copy)  # of the snapshot of its transaction
                # A new identity: file systems use the number of a file again.
                for statement in (REMOVE_IDENTITY, ADD_IDENTITY):
                    compiled = statement.on(self.dialect)
                    copy.execute(compiled.text, compiled.bind({"identity": ""}))
                copy.commit()
        except sqlite3.Error as error:
            raise CannotCopy(f"the database cannot be copied to {file}: {error}") from error

    def is_empty(self) -> bool:
        """Whether there is no file: even one without a byte could not be replaced after its first use."""
        return not os.path.lexists(self.path)

    def fill_from(self, file: Path) -> None:
        """Copy to a file beside the place, which is renamed when it is complete."""
        path = Path(self.path)
        unfinished = path.with_name(f"{path.name}.unfinished")
        try:
            unfinished.unlink(missing_ok=True)  # left by an interrupted restore
            with open_private(unfinished) as copy, file.open("rb") as source:
                shutil.copyfileobj(source, copy)
            put_in_place(unfinished, path)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise

    def close(self) -> None:
        if self._in_memory:
            self.database.close()
        else:
            self.database.close_all()
