"""A store on a SQL database: snapshots, group-committed units of work, migrations."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from peewee import PeeweeException
from playhouse.pool import MaxConnectionsExceeded

from chatcore.disk import open_private
from chatcore.domain.ids import Position
from chatcore.events.queue import Queue
from chatcore.storage.faults import Fault, Subject
from chatcore.storage.transaction import Snapshot, StorageClosed, StorageNotReady, Transaction
from storage_backends.sql import faults
from storage_backends.sql.backend import Backend, Replica
from storage_backends.sql.events import EventLog, queue_and_head
from storage_backends.sql.group_commit import GroupCommit
from storage_backends.sql.memory import HeadRows, Memory, Recall, Remembered, RememberedKind, head_of
from storage_backends.sql.schema import AdoptedLog
from storage_backends.sql.session import Session, WithoutStatements
from storage_backends.sql.snapshot import SqlSnapshot, SqlTransaction
from storage_backends.sql.upgrading import NoteMigration, Schema, known_migrations

T = TypeVar("T")
log = logging.getLogger("chatcore.storage")

CREATE = "create one with 'chatcore init'"
CLOSING_PATIENCE = 10.0
"""Seconds that readers and writers have to finish when the store is closed."""


class _Assumed(threading.local):
    """The versions of the values that a thread has recalled, and that no transaction has confirmed yet."""

    versions: dict[RememberedKind, int] | None = None
    """None: nothing may be recalled."""


class SqlStorage:
    """One organization's store.

    Closing a connection while another thread executes on it crashes the process. So the store counts the
    users of its connections and waits for them before it closes.
    """

    def __init__(self, backend: Backend, replica: Replica | None = None) -> None:
        """Open nothing yet.

        :param replica: where snapshots are read as long as it has caught up
        """
        self.backend = backend
        self.replica = replica
        self._listeners: list[Callable[[], None]] = []
        self._receivers: list[Callable[[str], None]] = []
        self._batch_listeners: list[Callable[[int, float], None]] = []
        self._listens = False
        self.memory = Memory()
        self.writers = GroupCommit(
            backend, self.memory, SqlTransaction, self._notify_listeners, self._note_batch
        )
        self._assumed = _Assumed()
        self._inside: set[object] = set()
        """One token for each user of a connection. Adding and discarding need no lock."""
        self._closed = False

    # -- reading and writing ------------------------------------------------------------------------

    def read(self, work: Callable[[Snapshot], T]) -> T:
        """Run *work* on a snapshot of the replica if there is one that has caught up, else of the primary."""
        with self._count_user():
            if self.replica is not None:
                with self.replica.snapshot() as head_rows:
                    if head_rows is not None:  # otherwise the replica is behind or away
                        return self._read_at(work, self.replica.backend, head_rows)
            with self.backend.connection():
                try:
                    return self._read_at(work, self.backend, self.backend.begin_read())
                finally:
                    with suppress(PeeweeException):  # the pool closes a connection that cannot even do this
                        self.backend.rollback()

    def _read_at(self, work: Callable[[Snapshot], T], backend: Backend, head_rows: HeadRows) -> T:
        """Run *work* on the snapshot whose head was read, after a check of what the thread has assumed."""
        recall = Recall(self.memory, head_rows)
        recall.require(self._take_assumed())
        return work(SqlSnapshot(Session(backend, recall), head_of(head_rows)))

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run *work* in a group of writers, after a check of what the thread has recalled."""
        versions = self._take_assumed()

        def checked_work(tx: Transaction) -> T:
            tx.session.recall.require(versions)  # type: ignore[attr-defined]
            return work(tx)

        with self._count_user():
            return self.writers.write(checked_work if versions else work)

    def queue_and_head(self, queue_id: str) -> tuple[Queue | None, Position]:
        """Read a queue and the head by a single statement, without a transaction."""
        with self._count_user(), self.backend.connection():
            session = Session(self.backend)
            queue, head_rows = self.backend.alone(lambda: queue_and_head(session, queue_id))
            Recall(self.memory, head_rows).require(self._take_assumed())
            return queue, Position(head_of(head_rows))

    @contextmanager
    def assuming(self) -> Iterator[None]:
        self._assumed.versions = {}
        try:
            yield
        finally:
            self._assumed.versions = None

    def recall(self, work: Callable[[Snapshot], T]) -> T | None:
        """Run *work* without statements, and note the versions it relies on; None if it needs any."""
        versions = self._assumed.versions
        if versions is None:
            return None
        remembered = Remembered(self.memory)
        remembered.versions.update(versions)
        try:
            result = work(SqlSnapshot(WithoutStatements(self.backend, remembered), 0))
        except Exception:  # also one of *work*: what it found may be outdated
            return None
        self._assumed.versions = remembered.versions
        return result

    def confirm(self) -> None:
        """Begin a transaction, which compares the versions, if the thread has recalled anything."""
        if self._assumed.versions:
            self.read(lambda _: None)
        self._assumed.versions = None

    def _take_assumed(self) -> Mapping[RememberedKind, int]:
        """Return the versions that the thread's first transaction has to see, and allow no further recall."""
        versions, self._assumed.versions = self._assumed.versions, None
        return versions or {}

    @contextmanager
    def _count_user(self) -> Iterator[None]:
        """Count a user of a connection while the context lasts.

        :raises StorageClosed: it is closed
        :raises StorageNotReady: the database is unavailable or too new, or no connection becomes free
        """
        token = object()
        self._inside.add(token)  # before the look at `_closed`, so that either this or `close` sees the other
        try:
            if self._closed:
                raise StorageClosed
            yield
        except Exception as error:
            if isinstance(error, MaxConnectionsExceeded) or self.backend.has_gone(error):
                reason = str(error).strip().partition("\n")[0]
                raise StorageNotReady(f"the database is temporarily unavailable: {reason}") from error
            if self.backend.has_refused(error):
                self._require_known_schema(error)
            raise
        finally:
            self._inside.discard(token)

    def _require_known_schema(self, error: Exception) -> None:
        """Refuse, after an error of a statement, tables that a newer program has changed meanwhile.

        :raises StorageNotReady: one has; nothing is raised if the database cannot be asked
        """
        try:
            with suppress(PeeweeException, MaxConnectionsExceeded), self.backend.connection():
                Schema(self.backend.database).pending()  # raises for a database of a newer program
        except StorageNotReady as problem:
            raise problem from error

    @contextmanager
    def holding(self, name: str) -> Iterator[bool]:
        """Hold a name by the backend, and let it go at the end if that succeeded."""
        with self._count_user():
            is_held = self.backend.names.hold(name)
        try:
            yield is_held
        finally:
            if is_held:
                self.backend.names.let_go(name)

    # -- copies -------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        return self.backend.dialect.name

    def migrations(self) -> Sequence[str]:
        return known_migrations()

    def copy_to(self, file: Path, read: Callable[[Snapshot], T]) -> T:
        """Copy a snapshot to a file that only the owner can read; return what *read* finds in the same
        snapshot.
        """
        open_private(file).close()
        with self._count_user(), self.backend.connection():
            try:
                head_rows = self.backend.begin_read()
                self.backend.copy_to(file)
                return self._read_at(read, self.backend, head_rows)
            finally:
                with suppress(PeeweeException):
                    self.backend.rollback()

    def is_empty(self) -> bool:
        with self._count_user():
            if (problem := self.backend.problem()) is not None:
                raise StorageNotReady(problem)
            return self.backend.is_empty()

    def fill_from(self, file: Path) -> None:
        with self._count_user():
            self.backend.fill_from(file)

    # -- faults -------------------------------------------------------------------------------------

    def find_faults(self, subject: Subject, *, repair: bool = False) -> Sequence[Fault]:
        run: Callable[[Callable[[Any], Any]], Any] = self.write if repair else self.read

        def run_on_session(work: Callable[[Session], Any]) -> Any:
            return run(lambda snapshot: work(_session_of(snapshot)))

        return faults.find_faults(subject, run_on_session, repair=repair)

    # -- wake-ups -----------------------------------------------------------------------------------

    def on_commit(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)
        self._start_listening()

    def on_another_log(self, begin_anew: Callable[[Transaction], object]) -> None:
        self.writers.begin_anew = begin_anew

    def check_log(self) -> None:
        """Begin the log anew if it is a copy; for an original one, a snapshot is enough to know it."""
        begin_anew = self.writers.begin_anew
        if begin_anew is None or not self.read(lambda snapshot: snapshot.log.is_copied()):
            return

        def begin_anew_once(tx: Transaction) -> None:
            if tx.log.is_copied():  # no other process has done so meanwhile
                begin_anew(tx)

        self.write(begin_anew_once)

    def on_batch(self, listener: Callable[[int, float], None]) -> None:
        self._batch_listeners.append(listener)

    def _note_batch(self, size: int, seconds: float) -> None:
        _call_all([partial(listener, size, seconds) for listener in self._batch_listeners])

    def broadcast(self, text: str) -> None:
        self.backend.broadcast(text)

    def on_broadcast(self, listener: Callable[[str], None]) -> None:
        self._receivers.append(listener)
        self._start_listening()

    def _start_listening(self) -> None:
        if not self._listens:
            self._listens = True
            self.backend.listen(self.receive)

    def _notify_listeners(self) -> None:
        self.receive("")
        self.backend.announce_commit()

    def receive(self, text: str) -> None:
        """Pass a broadcast on to the listeners for broadcasts; an empty one announces a commit, and goes to
        the listeners for commits.
        """
        _call_all([partial(receive, text) for receive in self._receivers] if text else self._listeners)

    # -- the schema ---------------------------------------------------------------------------------

    def exists(self) -> bool:
        return self.backend.exists()

    def migrate(self, note: NoteMigration = lambda name, seconds: None) -> list[str]:
        """Create or upgrade the database. A migration may change the identity by which a copied database is
        recognized; a log that was the original before stays the original.
        """
        if (problem := self.backend.problem() or self.backend.create()) is not None:
            raise StorageNotReady(problem)
        try:
            with self.backend.connection(), self.backend.migrating():
                events = EventLog(Session(self.backend))
                is_original = self.backend.database.table_exists(AdoptedLog) and events.is_copied() is False
                applied = Schema(self.backend.database).upgrade(note, self.backend.lock_out_writers)
                if is_original and applied:
                    events.adopt()
        except PeeweeException as error:
            raise self._unusable(error) from error
        return applied

    def _unusable(self, error: PeeweeException) -> StorageNotReady:
        return StorageNotReady(f"{self.backend.location} cannot be used: {error}")

    def pending(self) -> list[str]:
        """Return the migrations of this version that the database lacks, if nothing else keeps it from being
        used.
        """
        with self._count_user():
            if (problem := self.backend.problem()) is not None:
                raise StorageNotReady(problem)
        if not self.backend.exists():
            raise StorageNotReady(f"there is no database yet: {self.backend.location}; {CREATE}")
        try:
            with self._count_user(), self.backend.connection():
                schema = Schema(self.backend.database)
                pending, is_begun = schema.pending(), schema.is_begun()
        except PeeweeException as error:
            raise self._unusable(error) from error
        if not is_begun:
            raise StorageNotReady(f"there is no organization yet: {self.backend.location}; {CREATE}")
        return pending

    def check(self) -> None:
        if pending := self.pending():
            raise StorageNotReady(
                f"the database lacks {len(pending)} migration(s) of this version;"
                " run 'chatcore migrate' or 'chatcore serve'"
            )

    def check_writing(self) -> None:
        with self._count_user():
            self.writers.probe()

    def server_time(self) -> float | None:
        try:
            with self._count_user(), self.backend.connection():
                return self.backend.server_time()
        except PeeweeException as error:
            raise self._unusable(error) from error

    def replica_delay(self, patience: float) -> float | None:
        with self._count_user():
            return None if self.replica is None else self.replica.delay(patience)

    def close(self) -> None:
        """Refuse new users of connections, wait up to `CLOSING_PATIENCE` for the present ones, and close."""
        self._closed = True
        until = time.monotonic() + CLOSING_PATIENCE
        while self._inside:
            if time.monotonic() > until:
                log.warning(
                    "%d units of work did not end in time; their connections to the store stay open",
                    len(self._inside),
                )
                return
            time.sleep(0.01)
        self.backend.close()
        if self.replica is not None:
            self.replica.backend.close()


def _session_of(snapshot: Snapshot) -> Session:
    assert isinstance(snapshot, SqlSnapshot)
    return snapshot.session


def _call_all(listeners: Iterable[Callable[[], None]]) -> None:
    """Call the listeners; a failure of one does not affect the others: what they hear of has happened."""
    for listener in listeners:
        try:
            listener()
        except Exception:
            log.exception("a listener of the store failed")
