"""What differs between the databases, as one small interface that the store and its queries use.

Hand-written statements have `?` for parameters on both; the session translates it.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from storage_backends.sql.dialect import Dialect


class Backend(Protocol):
    database: Any
    place: str
    """Where it is, for people: a file, or the name of the kind; never a password."""
    placeholder: str
    """How the driver writes a parameter."""
    dialect: Dialect
    in_list: str
    """What stands behind a column that must be one of the values of one parameter (see `listed`)."""

    def connection(self) -> AbstractContextManager[object]:
        """A connection for this thread, as long as the context lasts."""

    def begin_read(self) -> None:
        """Start a read-only snapshot on the connection."""

    def begin_write(self, until: float) -> int:
        """Start a transaction that is alone in the store; the head of the log at that moment.

        *until* is the time of `time.monotonic` up to which it waits for the lock, at least once and a moment.
        """

    def migrating(self) -> AbstractContextManager[object]:
        """Nobody else migrates the database meanwhile."""

    def commit(self, head: int | None) -> None:
        """Write the new head of the log, where given, and commit durably."""

    def rollback(self) -> None: ...

    def listed(self, values: Collection[Any]) -> object:
        """Any number of values as one parameter of one and the same statement."""

    def rows(self, name: str, columns: Sequence[str], *, texts: Collection[str] = ()) -> str:
        """A FROM item of rows, at least one, whose parameters are `row_values`.

        They are of integers, but for the columns of *texts*.
        """

    def row_values(self, rows: Sequence[Sequence[int | str]]) -> tuple[object, ...]: ...

    def by_index(self, name: str) -> str:
        """What stands behind a table where this index must be used and the planner would not know."""

    def lookup(self, table: str, name: str, condition: str) -> str:
        """A join with the rows of a table, looked up by an index for each row before it, where the
        planner would rather go over the whole table: in recursions, and for the newest of many stretches.
        """

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows on this thread's connection."""

    def search_words(self, words: Sequence[str]) -> str:
        """A document's words in the form that `search_column` takes."""

    search_column: str
    size: str
    """How many bytes the text of a column has."""

    def identity(self) -> str:
        """What tells this database from its copies, asked on this thread's connection."""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call *heard* with each text that a process sends by `notify`, where others than this one can."""

    def notify(self, text: str = "") -> None:
        """Send a text to all processes, this one included, in one order; the empty one says that events were
        committed. It is sent later, and costs so little that it can be called each time.
        """

    def problem(self) -> str | None:
        """Why the database cannot be reached or used, in words for people, or None."""

    def has_gone(self, error: Exception) -> bool:
        """Whether an error says that the database cannot do its work just now, whatever it was asked.

        Of a transaction in which it occurred nothing may be left.
        """

    def exists(self) -> bool:
        """Whether there is a place for the tables; to connect would make one."""

    def create(self) -> str | None:
        """Make the place for the tables where that is ours to make; why that failed, or None."""

    def close(self) -> None: ...
