"""SQLite's words in statements, and its form of parameters: lists and rows are JSON."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
import peewee

_encode = msgspec.json.Encoder().encode


class SqliteDialect:
    name = "sqlite"
    options: Mapping[str, Any] = peewee.SqliteDatabase(None).get_context_options()

    def listed(self, name: str) -> str:
        return f"IN (SELECT value FROM json_each(:{name}[]))"

    def list_value(self, values: Collection[Any]) -> object:
        return _encode(list(values)).decode()

    def rows(self, alias: str, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        picks = ", ".join(f"value ->> {index} AS {column}" for index, column in enumerate(columns))
        return f"(SELECT {picks} FROM json_each(:{name}{{}})) AS {alias}"

    def rows_value(self, rows: Sequence[Sequence[object]], column: int | None) -> object:
        return _encode(rows).decode()

    def size(self, column: str) -> str:
        return f"length(CAST({column} AS BLOB))"

    def by_index(self, name: str) -> str:
        # Without statistics, which a young file has none of, an index of few rows looks like any other.
        return f" INDEXED BY {name}"

    def lookup(self, table: str, alias: str, condition: str) -> str:
        return f"CROSS JOIN {table} AS {alias} ON {condition}"  # CROSS JOIN keeps the order of the tables

    def search_words(self, name: str) -> str:
        return f":{name}"
