"""The PostgreSQL dialect: its syntax and its form of parameters. Lists and columns of rows are arrays."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import peewee

PLANNED_FOR_VALUES: Final = "/* planned for its values */"
"""A mark of statements whose best plan depends on their values; see `postgres_connections.Cursor`."""


class PostgresDialect:
    name = "postgresql"
    fence = " OFFSET 0"
    options: Mapping[str, Any] = peewee.PostgresqlDatabase(None).get_context_options()

    def in_list(self, name: str) -> str:
        return f"= ANY(:{name}[])"

    def list_value(self, values: Collection[Any]) -> object:
        return list(values)

    def rows(self, alias: str, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        types = ["text" if column in texts else "bigint" for column in columns]
        # The form `:name{0}` of a parameter is one column of its rows.
        arrays = ", ".join(f":{name}{{{index}}}::{type}[]" for index, type in enumerate(types))
        return f"unnest({arrays}) AS {alias} ({', '.join(columns)})"

    def rows_value(self, rows: Sequence[Sequence[object]], column: int | None) -> object:
        return [row[column or 0] for row in rows]

    def json_list(self, column: str, condition: str) -> str:
        return f"coalesce(CAST(array_to_json(array_agg({column}) FILTER (WHERE {condition})) AS text), '[]')"

    def size(self, column: str) -> str:
        return f"octet_length({column})"

    def by_index(self, name: str) -> str:
        return ""

    def lookup(self, table: str, alias: str, condition: str) -> str:
        return f"CROSS JOIN LATERAL (SELECT * FROM {table} AS {alias} WHERE {condition} OFFSET 0) AS {alias}"

    def nearest(self, rows: str, inner: str) -> str:
        return f"SELECT found.id FROM {rows} CROSS JOIN LATERAL ({inner}) AS found"

    def contains(self, column: str, name: str) -> str:
        return f"position(:{name} in {column}) > 0"

    def search_query(self, groups: Sequence[Sequence[str]]) -> str:
        return " & ".join("(" + " | ".join(f"'{word}'" for word in group) + ")" for group in groups)

    def search_match(self, query: str) -> str:
        # The best index depends on how common the words are.
        return f"(message_search.words || message_search.place) @@ {query}::tsquery {PLANNED_FOR_VALUES}"

    def words_in(self, column: str) -> str:
        return f"array_to_string(tsvector_to_array({column}), ' ')"

    def search_words(self, name: str) -> str:
        return f":{name}::tsvector"
