"""One open transaction for the repositories: it runs statements and returns rows with names."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

from peewee import __exception_wrapper__  # type: ignore[attr-defined]

from storage_backends.sql.ahead import ROUNDS, Ahead, Needed, Result
from storage_backends.sql.backend import Backend
from storage_backends.sql.memory import TABLES, NotRememberedError, ReadAlways, Recall
from storage_backends.sql.statement import Compiled, Statement, StatementOf

T = TypeVar("T")
V = TypeVar("V")


class Session:
    """Runs statements on this thread's connection."""

    def __init__(self, backend: Backend, recall: Recall | None = None) -> None:
        self.backend = backend
        self.recall = recall or ReadAlways()
        self.head = 0
        """The head of the log: the one that the transaction began with, or the position drawn last."""
        self._database: Any = backend.database
        self._dialect = backend.dialect
        self._ahead: Ahead | None = None
        """The results that were read together, while `together` lasts; else None."""

    @overload
    def rows(self, statement: StatementOf[V], /, **values: object) -> list[V]: ...
    @overload
    def rows(self, statement: Statement, /, **values: object) -> list[Any]: ...
    def rows(self, statement: Statement, /, **values: object) -> list[Any]:
        """Return the rows of a statement: its values, or tuples with the names of its columns."""
        return list(self.each(statement, **values))

    @overload
    def each(self, statement: StatementOf[V], /, **values: object) -> Iterator[V]: ...
    @overload
    def each(self, statement: Statement, /, **values: object) -> Iterator[Any]: ...
    def each(self, statement: Statement, /, **values: object) -> Iterator[Any]:
        """Return an iterator over what `rows` returns. Rows that do not stay cost no garbage collection."""
        compiled = statement.on(self._dialect)
        cursor, rows = self._read(compiled, values)
        return map(compiled.row or _row_maker(statement, compiled, cursor), rows)

    @overload
    def row(self, statement: StatementOf[V], /, **values: object) -> V | None: ...
    @overload
    def row(self, statement: Statement, /, **values: object) -> Any: ...
    def row(self, statement: Statement, /, **values: object) -> Any:
        """Return the first row, or None."""
        compiled = statement.on(self._dialect)
        cursor, rows = self._read(compiled, values)
        if not rows:
            return None
        make = compiled.row or _row_maker(statement, compiled, cursor)
        return make(rows[0])

    def value(self, statement: Statement, /, **values: object) -> Any:
        """Return the only column of the first row, or None without a row."""
        compiled = statement.on(self._dialect)
        _, rows = self._read(compiled, values)
        return rows[0][0] if rows else None

    def column(self, statement: Statement, /, **values: object) -> list[Any]:
        """Return the values of a statement of one column."""
        return [row[0] for row in self._read(statement.on(self._dialect), values).rows]

    def mapping(self, statement: Statement, /, **values: object) -> dict[Any, Any]:
        """Return a mapping from the first to the second column of a statement of two columns."""
        return dict(self._read(statement.on(self._dialect), values).rows)

    def sets(self, statement: Statement, /, **values: object) -> dict[Any, frozenset[Any]]:
        """Return the values of the second column in sets by the first, of a statement of two columns."""
        groups: defaultdict[Any, set[Any]] = defaultdict(set)
        for key, value in self._read(statement.on(self._dialect), values).rows:
            groups[key].add(value)
        return {key: frozenset(group) for key, group in groups.items()}

    def grouped(self, statement: StatementOf[tuple[Any, V]], /, **values: object) -> dict[Any, list[V]]:
        """Return the values of a statement in lists by their key (`StatementOf.by`)."""
        groups: defaultdict[Any, list[V]] = defaultdict(list)
        for key, value in self.each(statement, **values):
            groups[key].append(value)
        return dict(groups)

    def together(self, reads: Sequence[Callable[[], T]]) -> list[T]:
        """Return the results of reads. Their statements are sent together, if that saves any waiting."""
        if self._ahead is not None or not self.backend.has_round_trips:
            return [read() for read in reads]
        done: dict[int, T] = {}
        self._ahead = Ahead()
        try:
            for _ in range(ROUNDS):
                self._send(self._ahead.run(reads, done))
            return [done[number] if number in done else read() for number, read in enumerate(reads)]
        finally:
            self._ahead = None

    def _send(self, statements: Sequence[Needed]) -> None:
        """Send statements, and wait for their results."""
        if statements:
            with __exception_wrapper__:
                with self.backend.sending():
                    cursors = [self._execute(needed.compiled, needed.values) for needed in statements]
                for needed, cursor in zip(statements, cursors, strict=True):
                    needed.result = Result(cursor, cursor.fetchall())

    def run(self, statement: Statement, /, **values: object) -> None:
        """Run a writing statement. A later statement may raise its error; see `settle`."""
        self._execute(statement.on(self._dialect), values)
        self.backend.settle_later()

    def run_counting(self, statement: Statement, /, **values: object) -> int:
        """Run a writing statement; return the number of rows that it changed."""
        cursor = self._execute(statement.on(self._dialect), values)
        self.settle()
        changed: int = cursor.rowcount
        return changed

    def settle(self) -> None:
        """Wait for all statements that were sent, and raise the error of the first that failed."""
        with __exception_wrapper__:
            self.backend.settle()

    def run_many(self, statement: Statement, rows: Sequence[Mapping[str, object]]) -> None:
        """Run one writing statement for each row of values, in as few round trips as possible."""
        if not rows:
            return
        compiled = statement.on(self._dialect)
        if len(rows) == 1:
            self.run(statement, **rows[0])  # avoids the cost of executemany
            return
        self.recall.note_changes(compiled.changes)
        if max(map(len, rows)) > compiled.takes:
            raise _unnamed_value(compiled)
        with __exception_wrapper__:
            self._database.cursor().executemany(compiled.text, [compiled.bind(values) for values in rows])
        self.backend.settle_later()

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows in the fastest way of this database."""
        if table in TABLES:
            self.recall.note_changes([TABLES[table]])
        with __exception_wrapper__:
            self.backend.load(table, columns, rows)

    def _execute(self, compiled: Compiled, values: Mapping[str, object]) -> Any:
        """Execute a statement, and note which kinds of facts it changes."""
        if compiled.changes:
            self.recall.note_changes(compiled.changes)
        if len(values) > compiled.takes:
            raise _unnamed_value(compiled)
        return self._database.execute_sql(compiled.text, compiled.bind(values))

    def _read(self, compiled: Compiled, values: Mapping[str, object]) -> Result:
        """Return all rows, or raise the error of the first statement that failed."""
        if self._ahead is not None and (known := self._ahead.result(compiled, values)) is not None:
            return known
        cursor = self._execute(compiled, values)
        self.settle()
        with __exception_wrapper__:
            return Result(cursor, cursor.fetchall())


class WithoutStatements(Session):
    """A session that has remembered values only."""

    def _execute(self, compiled: Compiled, values: Mapping[str, object]) -> Any:
        raise NotRememberedError

    def together(self, reads: Sequence[Callable[[], T]]) -> list[T]:
        return [read() for read in reads]  # the first that needs a statement fails at once


def _unnamed_value(compiled: Compiled) -> TypeError:
    """Return the error of a value with a name that is none of the statement's."""
    return TypeError(f"more values than the {compiled.takes} that are named in: {compiled.text}")


def _row_maker(statement: Statement, compiled: Compiled, cursor: Any) -> Callable[[Any], Any]:
    """Set and return the maker of a statement's rows, from its first cursor."""
    compiled.row = statement.row_maker([column[0] for column in cursor.description])
    return compiled.row
