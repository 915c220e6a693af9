"""One open transaction for the repositories: it runs statements and returns rows with names."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

from peewee import __exception_wrapper__  # type: ignore[attr-defined]

from storage_backends.sql.backend import Backend
from storage_backends.sql.memory import TABLES, NotRememberedError, ReadAlways, Recall
from storage_backends.sql.statement import Compiled, Statement, StatementOf

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
        cursor = self._execute(compiled, values)
        rows = self._fetch_rows(cursor)
        return map(compiled.row or _row_maker(statement, compiled, cursor), rows)

    @overload
    def row(self, statement: StatementOf[V], /, **values: object) -> V | None: ...
    @overload
    def row(self, statement: Statement, /, **values: object) -> Any: ...
    def row(self, statement: Statement, /, **values: object) -> Any:
        """Return the first row, or None."""
        compiled = statement.on(self._dialect)
        cursor = self._execute(compiled, values)
        rows = self._fetch_rows(cursor)
        return (compiled.row or _row_maker(statement, compiled, cursor))(rows[0]) if rows else None

    def value(self, statement: Statement, /, **values: object) -> Any:
        """Return the only column of the first row, or None without a row."""
        compiled = statement.on(self._dialect)
        rows = self._fetch_rows(self._execute(compiled, values))
        return rows[0][0] if rows else None

    def column(self, statement: Statement, /, **values: object) -> list[Any]:
        """Return the values of a statement of one column."""
        compiled = statement.on(self._dialect)
        return [row[0] for row in self._fetch_rows(self._execute(compiled, values))]

    def mapping(self, statement: Statement, /, **values: object) -> dict[Any, Any]:
        """Return a mapping from the first to the second column of a statement of two columns."""
        compiled = statement.on(self._dialect)
        return dict(self._fetch_rows(self._execute(compiled, values)))

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
        self.recall.change(compiled.changes)
        if max(map(len, rows)) > compiled.takes:
            raise _unnamed_value(compiled)
        with __exception_wrapper__:
            self._database.cursor().executemany(compiled.text, [compiled.bind(values) for values in rows])
        self.backend.settle_later()

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows in the fastest way of this database."""
        if table in TABLES:
            self.recall.change([TABLES[table]])
        with __exception_wrapper__:
            self.backend.load(table, columns, rows)

    def _execute(self, compiled: Compiled, values: Mapping[str, object]) -> Any:
        """Execute a statement, and note which kinds of facts it changes."""
        if compiled.changes:
            self.recall.change(compiled.changes)
        if len(values) > compiled.takes:
            raise _unnamed_value(compiled)
        return self._database.execute_sql(compiled.text, compiled.bind(values))

    def _fetch_rows(self, cursor: Any) -> Any:
        """Return all rows, or raise the error of the first statement that failed."""
        self.settle()
        with __exception_wrapper__:
            return cursor.fetchall()


class WithoutStatements(Session):
    """A session that has remembered values only."""

    def _execute(self, compiled: Compiled, values: Mapping[str, object]) -> Any:
        raise NotRememberedError


def _unnamed_value(compiled: Compiled) -> TypeError:
    """Return the error of a value with a name that is none of the statement's."""
    return TypeError(f"more values than the {compiled.takes} that are named in: {compiled.text}")


def _row_maker(statement: Statement, compiled: Compiled, cursor: Any) -> Callable[[Any], Any]:
    """Set and return the maker of a statement's rows, from its first cursor."""
    compiled.row = statement.row_maker([column[0] for column in cursor.description])
    return compiled.row
