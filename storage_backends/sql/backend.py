"""The differences between the databases, as one interface for the store; those of SQL are in `dialect`."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from storage_backends.sql.dialect import Dialect


class Backend(Protocol):
    database: Any
    place: str
    """Where it is, for people: a file, or the name of the kind; never a password."""
    dialect: Dialect

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

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows on this thread's connection."""

    def search_words(self, words: Sequence[str]) -> str:
        """A document's words in the form that the search index takes."""

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
