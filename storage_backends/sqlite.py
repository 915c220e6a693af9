"""What is particular to SQLite: one file in WAL mode, one writer, FTS5, no other process to notify."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import peewee
from playhouse.pool import PooledSqliteDatabase

MEMORY = ":memory:"

PATIENCE = 10.0
"""Seconds that a connection waits for another one's lock."""
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",  # an acknowledged message survives a power failure
    "busy_timeout": int(PATIENCE * 1000),
    "cache_size": -8_000,
    "temp_store": "memory",
}


class _Database(PooledSqliteDatabase):  # type: ignore[misc]
    def _connect(self) -> Any:
        """Wait for those that open a new file at the same time: when two of them enter WAL mode at once,
        SQLite refuses one of them without regard to its busy timeout.
        """
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return super()._connect()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
            time.sleep(0.01)


class SqliteBackend:
    placeholder = "?"
    in_list = "IN (SELECT value FROM json_each(?))"
    search_column = "?"
    size = "length(CAST({column} AS BLOB))"
    contains = "instr({column}, ?) > 0"

    def __init__(self, path: str) -> None:
        self.path = path
        self._memory_lock = threading.RLock() if path == MEMORY else None
        if self._memory_lock is not None:
            # One connection holds the whole store, so everybody takes turns on it.
            self.database: Any = peewee.SqliteDatabase(MEMORY, thread_safe=False, check_same_thread=False)
        else:
            self.database = _Database(
                path, pragmas=PRAGMAS, max_connections=64, timeout=30, check_same_thread=False
            )

    def connection(self) -> AbstractContextManager[object]:
        return self._in_turn() if self._memory_lock is not None else self.database.connection_context()

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        assert self._memory_lock is not None
        with self._memory_lock:
            self.database.connect(reuse_if_open=True)
            yield

    def begin_read(self) -> None:
        self.database.execute_sql("BEGIN")

    def begin_write(self) -> int:
        self.database.execute_sql("BEGIN IMMEDIATE")
        (head,) = self.database.execute_sql("SELECT position FROM log_head").fetchone()
        return int(head)

    def migrating(self) -> AbstractContextManager[object]:
        context: AbstractContextManager[object] = self.database.atomic("IMMEDIATE")
        return context

    def commit(self, head: int | None) -> None:
        if head is not None:
            self.database.execute_sql("UPDATE log_head SET position = ?", (head,))
        self.database.execute_sql("COMMIT")

    def rollback(self) -> None:
        self.database.execute_sql("ROLLBACK")

    def listed(self, values: Collection[Any]) -> object:
        return msgspec.json.encode(list(values)).decode()

    def rows(self, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        picks = ", ".join(f"value ->> {index} AS {column}" for index, column in enumerate(columns))
        return f"(SELECT {picks} FROM json_each(?)) AS {name}"

    def row_values(self, rows: Sequence[Sequence[int | str]]) -> tuple[object, ...]:
        return (msgspec.json.encode(rows).decode(),)

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        places = ", ".join("?" for _ in columns)
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
        self.database.cursor().executemany(statement, rows)

    def by_index(self, name: str) -> str:
        # Without statistics, which a young file has none of, an index of few rows looks like any other.
        return f" INDEXED BY {name}"

    def lookup(self, table: str, name: str, condition: str) -> str:
        return f"CROSS JOIN {table} AS {name} ON {condition}"  # CROSS JOIN keeps the order of the tables

    def nearest(self, rows: str, inner: str) -> str:
        # The subquery of an IN may refer to the outer row: SQLite's way to say LATERAL … LIMIT.
        return f"SELECT found.id FROM {rows} CROSS JOIN message AS found WHERE found.id IN ({inner})"

    def search_match(self, query: str) -> str:
        return "message_search MATCH ?"

    def search_query(self, groups: Sequence[Sequence[str]]) -> str:
        return " AND ".join("(" + " OR ".join(f'"{word}"' for word in group) + ")" for group in groups)

    def search_words(self, words: Sequence[str]) -> str:
        return " ".join(words)

    def listen(self, heard: Callable[[], None]) -> None:
        """Nobody else writes while a server runs but short commands, which its slow poll notices."""

    def notify(self) -> None:
        pass

    def problem(self) -> str | None:
        if self._memory_lock is not None:
            return None
        path = Path(self.path)
        if not path.resolve().parent.is_dir():
            return f"the folder of the database file does not exist: {path.resolve().parent}"
        if path.is_dir():
            return f"the database file is a folder: {path}"
        return None

    def has_gone(self, error: Exception) -> bool:
        return False

    def exists(self) -> bool:
        return self._memory_lock is not None or Path(self.path).exists()

    def create(self) -> str | None:
        """The file, which only its owner may read; SQLite gives those beside it the same rights."""
        if self.exists():
            return None
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return None if self.exists() else f"the database file is a link to nothing: {self.path}"
        except OSError as error:
            return f"the database file {self.path} cannot be made: {error.strerror}"
        return None

    def close(self) -> None:
        if self._memory_lock is not None:
            self.database.close()
        else:
            self.database.close_all()
