"""PostgreSQL's words in statements, and its form of parameters: lists and the columns of rows are arrays."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import peewee


class PostgresDialect:
    name = "postgresql"
    options: Mapping[str, Any] = peewee.PostgresqlDatabase(None).get_context_options()

    def listed(self, name: str) -> str:
        return f"= ANY(:{name}[])"

    def list_value(self, values: Collection[Any]) -> object:
        return list(values)

    def rows(self, alias: str, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        arrays = ", ".join(
            f":{name}{{{index}}}::{'text' if column in texts else 'bigint'}[]"
            for index, column in enumerate(columns)
        )
        return f"unnest({arrays}) AS {alias} ({', '.join(columns)})"

    def rows_value(self, rows: Sequence[Sequence[object]], column: int | None) -> object:
        return [row[column or 0] for row in rows]

    def size(self, column: str) -> str:
        return f"octet_length({column})"

    def by_index(self, name: str) -> str:
        return ""

    def lookup(self, table: str, alias: str, condition: str) -> str:
        return f"CROSS JOIN LATERAL (SELECT * FROM {table} AS {alias} WHERE {condition} OFFSET 0) AS {alias}"

    def search_words(self, name: str) -> str:
        return f":{name}::tsvector"
