"""The differences of SQL between the two databases: statements written as text, and parameters."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol


class Dialect(Protocol):
    """Writes parts of a statement.

    A parameter stands in them as `:name`, a list of values as `:name[]`, rows as `:name{}`, and one column of
    rows as `:name{0}`; `Statement` binds the values.
    """

    name: str
    fence: str
    """The end of a subquery of which all rows are to be found first, by the best index for them."""
    options: Mapping[str, Any]
    """The options with which peewee writes an expression."""

    def in_list(self, name: str) -> str:
        """Return the condition, to follow a column, that it is one of the values of a list."""

    def list_value(self, values: Collection[Any]) -> object:
        """Return a list in the form that the driver expects."""

    def rows(self, alias: str, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        """Return an item of FROM: the rows of the parameter *name*, under an alias. *columns* are integers
        except for *texts*.
        """

    def rows_value(self, rows: Sequence[Sequence[object]], column: int | None) -> object:
        """Return rows in the form that the driver expects: one column, or all of them as one value."""

    def json_list(self, column: str, condition: str) -> str:
        """Return an aggregate: the values of the rows that meet a condition, as the text of a JSON list. All
        lists of one query have the same order.
        """

    def size(self, column: str) -> str:
        """Return an expression for the bytes of a text."""

    def by_index(self, name: str) -> str:
        """Return words to follow a table, which make the planner use an index that it would not choose."""

    def lookup(self, table: str, alias: str, condition: str) -> str:
        """Return a join with the rows of a table, looked up by an index for each row before it. It serves
        where the planner would rather scan the table: in recursions, and for the newest of many ranges.
        """

    def nearest(self, rows: str, inner: str) -> str:
        """Return a query for the ids that *inner* selects for each of the *rows*; it may name the columns."""

    def contains(self, column: str, name: str) -> str:
        """Return the condition that a text contains a parameter literally."""

    def search_query(self, groups: Sequence[Sequence[str]]) -> str:
        """Return the value that finds documents with at least one word of every group."""

    def search_match(self, query: str) -> str:
        """Return the condition on `message_search` that a query, a parameter or column, finds it."""

    def words_in(self, column: str) -> str:
        """Return an expression for the words of a column of `message_search`, separated by spaces."""

    def search_words(self, name: str) -> str:
        """Return a parameter that holds a document's words, in the form that the search index expects."""
