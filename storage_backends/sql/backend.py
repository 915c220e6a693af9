"""The interface through which the store uses a database. Differences in SQL are in `dialect`."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from storage_backends.sql.dialect import Dialect
from storage_backends.sql.memory import HeadRows

T = TypeVar("T")

LOCK_SECONDS = 10.0
"""Seconds that a unit of work waits for the lock of writers, a statement for a lock of the database, and a
connection to PostgreSQL for an answer.
"""


class HeldNames(Protocol):
    """Names that a process holds for all to see. They are free when it has ended, however that was."""

    def hold(self, name: str) -> bool:
        """Hold a name; return whether that succeeded."""

    def let_go(self, name: str) -> None: ...


class Backend(Protocol):
    database: Any
    location: str
    """For people to read: the path of a file, or the name of the kind; never a password."""
    dialect: Dialect
    has_round_trips: bool
    """Whether each wait for a result takes so long that statements had better be sent together."""

    @property
    def names(self) -> HeldNames: ...

    def connection(self) -> AbstractContextManager[object]:
        """Provide a connection for this thread while the context lasts."""

    def alone(self, read: Callable[[], T]) -> T:
        """Run a single reading statement on the connection, without a transaction around it."""

    def begin_read(self) -> HeadRows:
        """Start a read-only snapshot on the connection; return the rows of `memory.HEAD`."""

    def begin_write(self, until: float) -> HeadRows:
        """Start a transaction that is alone in the store; return the rows of `memory.HEAD`. Until it ends, a
        backend may send statements without waiting for results of earlier ones.

        It tries at least once, briefly, and waits for the lock up to *until*, a time of `time.monotonic`.
        """

    def migrating(self) -> AbstractContextManager[object]:
        """Keep all others from migrating the database meanwhile."""

    def lock_out_writers(self) -> None:
        """Wait for the writers, and let others wait for the transaction on the connection, without limits of
        time.
        """

    def sending(self) -> AbstractContextManager[object]:
        """Send the reading statements that are run in the context without waiting for each; its end waits for
        all, and raises the error of the first failure.
        """

    def settle(self) -> None:
        """Wait for the results of all statements that were sent; raise the error of the first failure."""

    def settle_later(self) -> None:
        """Let the database finish the statements that were sent, without waiting for their results. Only
        then does it notice a writer that sends nothing more.
        """

    def commit(self, head: int | None) -> None:
        """Write the new head of the log, unless it is None, and commit durably."""

    def rollback(self) -> None: ...

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Insert many rows on this thread's connection."""

    def analyze(self) -> None:
        """Gather statistics for plans, after very many rows were loaded, on this thread's connection."""

    def last_id(self, table: str) -> int:
        """Return the last id that a table has drawn, 0 for none, on this thread's connection."""

    def continue_ids(self, table: str, last: int) -> None:
        """Let a table draw ids above *last*."""

    def search_words(self, words: Sequence[str]) -> str:
        """Return a document's words in the form that the search index expects."""

    def database_identities(self) -> tuple[str | None, str]:
        """Return the identity that this database has adopted, if any; and its own, which none of its copies
        has. They are read on this thread's connection.
        """

    def follows_log(self) -> bool:
        """Whether this thread's connection leads to the database for which `note_log` was called."""

    def note_log(self) -> None:
        """Note that the log of this thread's connection is the one that is followed."""

    def listen(self, receive: Callable[[str], None]) -> None:
        """Call *receive* with each text that a process sends, if other processes can send any."""

    def announce_commit(self) -> None:
        """Send the empty text, which says that events were committed, as `broadcast` sends any other."""

    def broadcast(self, text: str) -> None:
        """Send a text to all processes, including this one, in one order. It is sent later, so that each call
        is cheap.
        """

    def server_time(self) -> float | None:
        """Return the seconds since 1970 by the clock of the database's server, on this thread's connection;
        None without a server.
        """

    def problem(self) -> str | None:
        """Return in words for people why the database cannot be reached or used, or None."""

    def has_gone(self, error: Exception) -> bool:
        """Whether an error says that the database is unavailable, whatever the statement was.

        Nothing of a transaction in which it occurred may remain.
        """

    def has_refused(self, error: Exception) -> bool:
        """Whether the database itself has raised an error, such as for a table that it does not have."""

    def has_broken(self, error: Exception) -> bool:
        """Whether an error says that the connection broke: a commit may have taken effect before."""

    def exists(self) -> bool:
        """Whether there is a database that can have tables; a connection would create a file."""

    def create(self) -> str | None:
        """Create the database without tables if the program may; return why that failed, or None."""

    def copy_to(self, file: Path) -> None:
        """Copy the snapshot of this thread's connection to a file that is empty, without keeping writers
        waiting.

        :raises CannotCopy: the disk is full; a program of the database is missing, too old, or has failed
        """

    def is_empty(self) -> bool:
        """Whether `fill_from` can be used: the database has nothing, or the backend has yet to make it."""

    def fill_from(self, file: Path) -> None:
        """Make what a copy has the contents of the empty database, all or nothing.

        :raises CannotCopy: a program of the database is missing, too old, or has failed
        """

    def close(self) -> None: ...


class Replica(Protocol):
    """A copy of the database that only reads, and that may be behind."""

    backend: Backend

    def delay(self, patience: float) -> float:
        """Return the seconds until the copy has what is committed now.

        :raises StorageNotReady: it does not have it after *patience* seconds, or cannot be read
        """

    def snapshot(self) -> AbstractContextManager[HeadRows | None]:
        """Start a read-only snapshot on this thread's connection to the copy; give the rows of `memory.HEAD`,
        or None if the copy lacks a commit that has been acknowledged, or cannot be reached.
        """
