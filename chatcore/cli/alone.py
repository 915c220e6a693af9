"""Locks by which one server at a time has a SQLite file."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path

from chatcore.cli.options import Failure, NotReady
from chatcore.settings import Settings, describe_database, sqlite_file


class Alone:
    """Keeps other servers away from the databases of this one, until *locks* is closed."""

    def __init__(self, locks: ExitStack) -> None:
        self._locks = locks
        self._taken: set[str] = set()

    def take(self, database: str, *, may_be_missing: bool = False) -> None:
        """Take a database for this server; a second call changes nothing.

        :raises NotReady: it does not exist
        :raises Failure: another server has it
        """
        if not may_be_missing and _is_missing(database):
            missing = describe_database(database)
            raise NotReady(f"{missing} does not exist; create it with 'chatcore init'")
        if database not in self._taken:
            self._locks.enter_context(alone_on(database))
            self._taken.add(database)

    def take_one_of_several(self, organization: Settings) -> None:
        """Take the database of an organization that may be tried again.

        :raises StorageNotReady: it does not exist, or another server has it
        """
        from chatcore.storage import StorageNotReady

        try:
            self.take(organization.database_url)
        except Failure as error:
            raise StorageNotReady(error.message) from error


def _is_missing(database: str) -> bool:
    """Whether the database does not exist yet, but could be created."""
    file = sqlite_file(database)
    return file is not None and file.parent.is_dir() and not os.path.lexists(file)


@contextmanager
def alone_on(database: str) -> Iterator[None]:
    """Keep other servers away from a SQLite file: two would notify each other of messages with a delay.

    The lock is on the file itself, which may have several names, and on one beside it, which names the
    process. It ends with the process, however that ends. Commands ignore it.
    """
    path = sqlite_file(database)
    with _lock_both_files(path) if path is not None and path.parent.is_dir() else nullcontext():
        yield


@contextmanager
def _lock_both_files(path: Path) -> Iterator[None]:
    """Lock a database file, and the one beside it, against a second server while the context lasts."""
    file = path.resolve()
    lock = file.with_name(f"{file.name}-serving")
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise NotReady(f"{lock} cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
            raise Failure(
                f"Another server (process {other}) already serves {path}: stop it, or use another database."
            ) from None
        os.truncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        with _lock_database_file(file):
            yield
    finally:
        os.close(descriptor)


@contextmanager
def _lock_database_file(path: Path) -> Iterator[None]:
    """Lock a database file that exists, whatever its name is.

    SQLite loses its own locks when its process closes any descriptor of the file, so this is closed last.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # there is none yet, or the store will say why it cannot be used
        yield
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"Another server already serves {path}, by another name of the file.") from None
        yield
    finally:
        os.close(descriptor)
