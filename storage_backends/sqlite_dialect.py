"""The SQLite dialect: its syntax and its form of parameters. Lists and rows are JSON."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
import peewee

_encode = msgspec.json.Encoder().encode


class SqliteDialect:
    name = "sqlite"
    fence = ""
    options: Mapping[str, Any] = peewee.SqliteDatabase(None).get_context_options()

    def in_list(self, name: str) -> str:
        return f"IN (SELECT value FROM json_each(:{name}[]))"

    def list_value(self, values: Collection[Any]) -> object:
        return _encode(list(values)).decode()

    def rows(self, alias: str, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        picks = ", ".join(f"value ->> {index} AS {column}" for index, column in enumerate(columns))
        return f"(SELECT {picks} FROM json_each(:{name}{{}})) AS {alias}"

    def rows_value(self, rows: Sequence[Sequence[object]], column: int | None) -> object:
        return _encode(rows).decode()

    def json_list(self, column: str, condition: str) -> str:
        return f"json_group_array({column}) FILTER (WHERE {condition})"

    def size(self, column: str) -> str:
        return f"length(CAST({column} AS BLOB))"

    def by_index(self, name: str) -> str:
        # A young file has no statistics; without them the planner cannot tell an index of few rows from
        # others.
        return f" INDEXED BY {name}"

    def lookup(self, table: str, alias: str, condition: str) -> str:
        return f"CROSS JOIN {table} AS {alias} ON {condition}"  # CROSS JOIN keeps the order of the tables

    def nearest(self, rows: str, inner: str) -> str:
        # The subquery of an IN may refer to the outer row: the equivalent of LATERAL … LIMIT in SQLite.
        return f"SELECT found.id FROM {rows} CROSS JOIN message AS found WHERE found.id IN ({inner})"

    def contains(self, column: str, name: str) -> str:
        return f"instr({column}, :{name}) > 0"

    def search_query(self, groups: Sequence[Sequence[str]]) -> str:
        return " AND ".join("(" + " OR ".join(f'"{word}"' for word in group) + ")" for group in groups)

    def search_match(self, query: str) -> str:
        return f"message_search MATCH {query}"

    def words_in(self, column: str) -> str:
        return column

    def search_words(self, name: str) -> str:
        return f":{name}"
