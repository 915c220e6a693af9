"""The words in which the two databases differ, for statements that are written as text and for parameters."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol


class Dialect(Protocol):
    """Writes parts of a statement.

    A parameter stands in them as `:name`, a list of values as `:name[]`, rows as `:name{}`, and one column of
    rows as `:name{0}`; `Statement` binds the values.
    """

    name: str
    options: Mapping[str, Any]
    """The options with which peewee writes an expression."""

    def listed(self, name: str) -> str:
        """The condition, behind a column, that it is one of the values of a list."""

    def list_value(self, values: Collection[Any]) -> object:
        """A list as the driver takes it."""

    def rows(self, alias: str, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        """An item of FROM: the rows of a parameter, whose *columns* are integers but for the *texts*."""

    def rows_value(self, rows: Sequence[Sequence[object]], column: int | None) -> object:
        """Rows as the driver takes them: one column, or all of them as one value."""

    def size(self, column: str) -> str:
        """The bytes of a text."""

    def by_index(self, name: str) -> str:
        """Words behind a table that make the planner use an index where it would not know to."""

    def lookup(self, table: str, alias: str, condition: str) -> str:
        """A join with the rows of a table, looked up by an index for each row before it, where the
        planner would rather go over the whole table: in recursions, and for the newest of many stretches.
        """

    def nearest(self, rows: str, inner: str) -> str:
        """A query for the ids that *inner* selects for each of the *rows*, to which it may refer."""

    def contains(self, column: str, name: str) -> str:
        """The condition that a text has a parameter in it, to the letter."""

    def search_query(self, groups: Sequence[Sequence[str]]) -> str:
        """The value that finds documents with at least one word of every group."""

    def search_match(self, name: str, query: str) -> str:
        """The condition on `message_search` that the query in a parameter finds it."""

    def search_words(self, name: str) -> str:
        """A parameter that holds a document's words, in the form that the search index takes."""
