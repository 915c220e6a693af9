"""The names that a process holds beside a SQLite database, which usually has one process."""

import fcntl
import os
import threading
from collections.abc import Callable


class HeldNames:
    """Names that others find held until this process lets them go, or ends.

    One lock is for all names. So while a process holds any, others can hold none, which is all that they may
    rely on: that a name was free, never that it was not.
    """

    def __init__(self, path: Callable[[], str] | None) -> None:
        """*path* returns the file of the lock; None: no other process has the database."""
        self._path = path
        self._lock = threading.Lock()
        self._held: set[str] = set()
        self._descriptor: int | None = None

    def hold(self, name: str) -> bool:
        with self._lock:
            if name in self._held:
                return False
            if not self._held and not self._lock_file():
                return False
            self._held.add(name)
            return True

    def let_go(self, name: str) -> None:
        with self._lock:
            self._held.discard(name)
            if not self._held and self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    def _lock_file(self) -> bool:
        """Open the file of the names and lock it; return whether that succeeded."""
        if self._path is None:
            return True
        try:
            descriptor = os.open(self._path(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:  # a folder that cannot be written; what has to be done waits for its time
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True
