"""One open transaction, as the tables' modules use it: statements in, plain rows out.

Statements are written out, with `?` for parameters on both databases; peewee keeps the connections, the
pool and the migrations.
"""

from collections.abc import Sequence
from typing import Any

from peewee import __exception_wrapper__  # type: ignore[attr-defined]

from storage_backends.sql.backend import Backend

Row = tuple[Any, ...]


class Session:
    """Runs statements on this thread's connection."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._database: Any = backend.database
        self._placeholder = backend.placeholder

    def rows(self, statement: str, *parameters: object) -> list[Row]:
        found: list[Row] = self._cursor(statement, parameters).fetchall()
        return found

    def run(self, statement: str, *parameters: object) -> int:
        """Run a writing statement; how many rows it touched."""
        touched: int = self._cursor(statement, parameters).rowcount
        return touched

    def run_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one writing statement for each row of parameters, in as few round trips as there are."""
        if len(rows) == 1:
            self.run(statement, *rows[0])  # without the machinery for many
        elif rows:
            with __exception_wrapper__:
                self._database.cursor().executemany(self._text(statement), rows)

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows in the way that is quickest for this database."""
        with __exception_wrapper__:
            self.backend.load(table, columns, rows)

    def _cursor(self, statement: str, parameters: tuple[object, ...]) -> Any:
        return self._database.execute_sql(self._text(statement), parameters)

    def _text(self, statement: str) -> str:
        return statement if self._placeholder == "?" else statement.replace("?", self._placeholder)
