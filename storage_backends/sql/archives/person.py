"""Exporting the rows about one person, page by page, in one snapshot.

Rows with one number as their key are looked for among `WINDOW` ids at a time, so that no statement takes long
where no index leads to the person; all others are found by their keys.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from peewee import SQL, Case, Field, Tuple, fn

from chatcore.storage.archives.tables import ExportedTable, Row
from chatcore.storage.slices import in_slices
from storage_backends.sql.archives.exported import exported_columns
from storage_backends.sql.archives.exporting import PAGE, column_of, with_booleans
from storage_backends.sql.people.one_person import KNOWN_PEOPLE, PERSONAL, Personal
from storage_backends.sql.schema import Account, Table
from storage_backends.sql.schema.columns import Text
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, param

WINDOW: Final = 10_000
"""The number of ids among which one statement looks."""


class _Part:
    """The rows of one table about a person."""

    def __init__(self, name: str, table: type[Table], personal: Personal) -> None:
        self._without_others = personal.without_others
        self._hidden = dict.fromkeys(field.column_name for field in personal.hidden)
        self._keys: Sequence[Field] = table._meta.get_primary_keys()
        shown = [*(personal.columns or exported_columns(table))]
        self.table = ExportedTable(name, [column_of(field) for field in shown])
        self._by_id = len(self._keys) == 1 and not isinstance(self._keys[0], Text)
        keys = [key.alias(f"key_{key.column_name}") for key in self._keys]
        readable = SQL("TRUE") if personal.readable is None else personal.readable
        query = (
            table.select(*shown, Case(None, ((readable, 1),), 0).alias("is_readable"), *keys)
            .where(personal.exported)
            .order_by(*self._keys)
        )
        last = [param(f"last_{key.column_name}") for key in self._keys]
        if self._by_id:
            key = self._keys[0]
            within = query.where(key > last[0], key <= param("until"))
            self._highest = Statement(table.select(fn.max(key)))
            self._within = Statement(within)
        else:
            self._first = Statement(query.limit(PAGE))
            after = self._keys[0] > last[0] if len(last) == 1 else Tuple(*self._keys) > Tuple(*last)
            self._following = Statement(query.where(after).limit(PAGE))

    def pages(self, session: Session, user_id: int) -> Iterator[Sequence[Row]]:
        for rows in self._read_slices(session, user_id):
            page = [self._make_row(row, user_id) for row in in_slices(rows)]
            for start in range(0, len(page), PAGE):
                yield page[start : start + PAGE]

    def _read_slices(self, session: Session, user_id: int) -> Iterator[Sequence[Any]]:
        """Yield the rows by windows of ids, or by pages that begin after the last key of the one before."""
        if self._by_id:
            last = f"last_{self._keys[0].column_name}"
            for start in range(0, session.value(self._highest) or 0, WINDOW):
                window = {last: start, "until": start + WINDOW}
                yield session.rows(self._within, user_id=user_id, **window)
            return
        rows = session.rows(self._first, user_id=user_id)
        while rows:
            yield rows
            keys = rows[-1][-len(self._keys) :]
            after = {f"last_{key.column_name}": value for key, value in zip(self._keys, keys, strict=True)}
            rows = session.rows(self._following, user_id=user_id, **after) if len(rows) == PAGE else []

    def _make_row(self, values: Sequence[Any], user_id: int) -> Row:
        """Return a row by column; what the person may not see of it is None. *values* are those of the
        columns, whether the row `is_readable`, and its keys.
        """
        width = len(self.table.columns)
        row = with_booleans(self.table, values[:width])
        is_readable = values[width]
        if not is_readable:
            row |= self._hidden
        return row if self._without_others is None else self._without_others(row, user_id)


PARTS: Final = [
    *(
        _Part(table._meta.table_name, table, personal)
        for table, personal in PERSONAL.items()
        if personal.exported is not None
    ),
    _Part("known_person", Account, KNOWN_PEOPLE),
]


def export_person(session: Session, user_id: int) -> Iterator[tuple[ExportedTable, Iterator[Sequence[Row]]]]:
    """Yield each table that has something of people, with the pages of the person."""
    for part in PARTS:
        yield part.table, part.pages(session, user_id)
