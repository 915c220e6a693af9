"""The files of a SQLite database: a name has to stay with those that connections were made to."""

import os
import pwd
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias
from weakref import WeakSet

from storage_backends.sqlite_slices import Connection

Inode: TypeAlias = tuple[int, int]
"""The device and the number of a file."""

BESIDE: Final = ("-wal", "-shm")
"""The files that SQLite keeps beside a database while it has connections: its log, and the log's index."""


class DatabaseFile:
    """The file of a name, from its first use on.

    SQLite looks for the log beside the file to which links lead. So connections are made by that path, and
    nothing else may have it later, not even a link to the same file.
    """

    def __init__(self, name: str) -> None:
        self.location = str(Path(name).absolute())
        self._stay_at(self.location)
        self._inode: Inode | None = None
        self._beside: tuple[Inode, ...] = ()
        self._connections: WeakSet[Connection] = WeakSet()
        """The open connections that keep the files beside it: SQLite deletes them with the last one."""
        self._lock = threading.Lock()

    def _stay_at(self, path: str) -> None:
        self._path = path
        self.uri = f"{Path(path).as_uri()}?mode=rw"
        """The address for connections; none of them makes a file where there is none."""

    def problem(self) -> str | None:
        """Return what has happened to the files since their first use, or None."""
        try:
            is_same = self._is_same()
        except (FileNotFoundError, NotADirectoryError):
            if self._inode is None:
                return None  # there is none yet, which the connection says
            return (
                f"the database file {self.location} was moved or deleted while it was in use:"
                " put it back, or stop the server"
            )
        except OSError:
            return None  # connections may still work; the store's `problem` says what is wrong
        if not is_same:
            return (
                f"the database file {self.location} was replaced while it was in use:"
                " put the old one back, or start the server anew"
            )
        with self._lock:
            return self._problem_beside() if self._connections else None

    def note(self, connection: Connection) -> None:
        """Note a new connection: from now on the files beside the database have to stay."""
        with self._lock:
            if not self._connections:
                try:
                    self._beside = self._inodes_beside()
                except OSError:
                    return  # nothing was written yet
            self._connections.add(connection)
            connection.forget = self._forget

    def _forget(self, connection: Connection) -> None:
        with self._lock:
            self._connections.discard(connection)

    def _is_same(self) -> bool:
        """Whether the file is still the one of the first call, both at its address and at the path to which
        that led then.
        """
        if self._inode is None:
            self._begin()
        elif self._path != self.location and _inode(os.stat(self.location)) != self._inode:
            return False
        return _inode(os.lstat(self._path)) == self._inode

    def _begin(self) -> None:
        """Take the file that is there now for the one that has to stay.

        :raises OSError: there is none; nothing has changed then
        """
        path = os.path.realpath(self.location)
        inode = _inode(os.lstat(path))
        self._stay_at(path)
        self._inode = inode

    def _problem_beside(self) -> str | None:
        """Return in words for people that a file beside the database has gone or is another one, or None."""
        try:
            if self._inodes_beside() == self._beside:
                return None
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError:
            return None
        return (
            f"a file beside the database, {self._path}-wal or -shm, was moved, replaced or deleted while it"
            " was in use: put it back, or stop the server with SIGTERM, which keeps all changes, and start it"
            " anew"
        )

    def _inodes_beside(self) -> tuple[Inode, ...]:
        return tuple(_inode(os.lstat(self._path + ending)) for ending in BESIDE)


def _inode(status: os.stat_result) -> Inode:
    return status.st_dev, status.st_ino


def find_damage(file: Path, table: str) -> str | None:
    """Return what is wrong with a database file that nobody has open, or None. The table has rows."""
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
        ) as database:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                return str(found)
            (is_filled,) = database.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return None if is_filled else f"the table '{table}' is empty"


def no_access(path: Path, needed: int = os.R_OK | os.W_OK) -> str | None:
    """Return why this process lacks access to a file, or None. SQLite names neither file nor reason."""
    if os.path.isdir(path):
        needed |= os.X_OK
    if not os.path.exists(path) or os.access(
        path, needed, effective_ids=os.access in os.supports_effective_ids
    ):
        return None
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return f"{path} is on a disk that is mounted read-only"
    status = path.stat()
    return (
        f"{path} is closed to the user '{_user_name(os.geteuid())}':"
        f" it belongs to '{_user_name(status.st_uid)}' and has mode {stat.S_IMODE(status.st_mode):o}"
    )


def _user_name(user_id: int) -> str:
    try:
        return pwd.getpwuid(user_id).pw_name
    except KeyError:
        return str(user_id)
