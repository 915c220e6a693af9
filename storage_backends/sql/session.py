"""One open transaction, as the repositories use it: statements in, rows with names out."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from peewee import __exception_wrapper__  # type: ignore[attr-defined]

from storage_backends.sql.backend import Backend
from storage_backends.sql.statement import Compiled, Statement


class Session:
    """Runs statements on this thread's connection."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._database: Any = backend.database
        self._dialect = backend.dialect

    def rows(self, statement: Statement, /, **values: object) -> list[Any]:
        """The rows of a statement, with the names of its columns."""
        compiled = statement.on(self._dialect)
        cursor = self._database.execute_sql(compiled.text, compiled.bind(values))
        return list(map(compiled.row or _named(compiled, cursor), cursor.fetchall()))

    def row(self, statement: Statement, /, **values: object) -> Any:
        """The first row, or None where there is none."""
        compiled = statement.on(self._dialect)
        cursor = self._database.execute_sql(compiled.text, compiled.bind(values))
        found = cursor.fetchall()
        return (compiled.row or _named(compiled, cursor))(found[0]) if found else None

    def value(self, statement: Statement, /, **values: object) -> Any:
        """The only column of the first row, or None where there is none."""
        compiled = statement.on(self._dialect)
        found = self._database.execute_sql(compiled.text, compiled.bind(values)).fetchall()
        return found[0][0] if found else None

    def column(self, statement: Statement, /, **values: object) -> list[Any]:
        """The values of a statement of one column."""
        compiled = statement.on(self._dialect)
        return [row[0] for row in self._database.execute_sql(compiled.text, compiled.bind(values)).fetchall()]

    def mapping(self, statement: Statement, /, **values: object) -> dict[Any, Any]:
        """The rows of a statement of two columns: the second by the first."""
        compiled = statement.on(self._dialect)
        return dict(self._database.execute_sql(compiled.text, compiled.bind(values)).fetchall())

    def run(self, statement: Statement, /, **values: object) -> int:
        """Run a writing statement; how many rows it touched."""
        compiled = statement.on(self._dialect)
        changed: int = self._database.execute_sql(compiled.text, compiled.bind(values)).rowcount
        return changed

    def run_many(self, statement: Statement, rows: Sequence[Mapping[str, object]]) -> None:
        """Run one writing statement for each row of values, in as few round trips as there are."""
        if not rows:
            return
        compiled = statement.on(self._dialect)
        parameters = [compiled.bind(values) for values in rows]
        if len(rows) == 1:
            self._database.execute_sql(compiled.text, parameters[0])  # without the machinery for many
        else:
            with __exception_wrapper__:
                self._database.cursor().executemany(compiled.text, parameters)

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows in the way that is quickest for this database."""
        with __exception_wrapper__:
            self.backend.load(table, columns, rows)


def _named(compiled: Compiled, cursor: Any) -> Callable[[Iterable[Any]], Any]:
    """Learn from a statement's first cursor how to make its rows."""
    names = [column[0] for column in cursor.description]
    compiled.row = partial(tuple.__new__, namedtuple("Row", names))
    return compiled.row
