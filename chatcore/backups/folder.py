"""The folder of backups: what is whole in it, who may change it, and what is no longer needed."""

import fcntl
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from chatcore.backups.manifest import MANIFEST, BadBackup, read_entries
from chatcore.bootstrap import files_in
from chatcore.disk import put_in_place

NAME: Final = "%Y-%m-%dT%H%M%SZ"
"""The form of the name of a backup: the time, in UTC, at which it was begun."""
UNFINISHED: Final = ".unfinished"
"""The end of the name of a backup that is being made, or that was never finished."""
LOCK: Final = ".lock"
_NAMED: Final = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z")


class BackupFolder:
    """A folder with the backups of one organization."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = files_in(path / "files")

    def backups(self) -> Sequence[Path]:
        """Return the folders of all whole backups, the oldest first."""
        return sorted(
            path
            for path in self.path.glob("*Z")
            if _NAMED.fullmatch(path.name) and (path / MANIFEST).exists()
        )

    @contextmanager
    def change(self) -> Iterator[None]:
        """Keep all others from using the folder while the context lasts, and remove what was never finished.

        :raises BadBackup: another command uses it
        :raises OSError: it cannot be made or written
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._lock(os.O_RDWR | os.O_CREAT, fcntl.LOCK_EX):
            for path in self.path.glob(f"*{UNFINISHED}"):
                shutil.rmtree(path)
            yield

    @contextmanager
    def keep(self) -> Iterator[None]:
        """Keep all others from changing the folder while the context lasts.

        :raises BadBackup: a command changes it
        """
        if not (self.path / LOCK).exists():  # a copy in another place
            yield
            return
        with self._lock(os.O_RDONLY, fcntl.LOCK_SH):
            yield

    @contextmanager
    def _lock(self, flags: int, kind: int) -> Iterator[None]:
        descriptor = os.open(self.path / LOCK, flags | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise BadBackup(
                    f"another backup command is at work in {self.path}; wait for its end"
                ) from error
            yield
        finally:
            os.close(descriptor)

    @contextmanager
    def begin(self, now: float) -> Iterator[Path]:
        """Give the folder of a new backup, which has its name when the context has ended without an error.

        Its name follows those of all others, also where the clock does not.
        """
        name = datetime.fromtimestamp(now, UTC).strftime(NAME)
        if (there := self.backups()) and name <= there[-1].name:
            newest = datetime.strptime(there[-1].name, NAME).replace(tzinfo=UTC)
            name = (newest + timedelta(seconds=1)).strftime(NAME)
        unfinished = self.path / f"{name}{UNFINISHED}"
        unfinished.mkdir(mode=0o700)
        try:
            yield unfinished
            put_in_place(unfinished, self.path / name)
        except BaseException:
            with suppress(OSError):
                shutil.rmtree(unfinished)
            raise

    def remove_old(self, keep: int) -> int:
        """Remove all but the newest backups, and the files that none of those names; return how many backups
        were removed.
        """
        backups = self.backups()
        old, kept = backups[:-keep], backups[-keep:]
        named = {entry.key for path in kept for entry in read_entries(path)}
        for path in old:
            removed = path.with_name(f"{path.name}{UNFINISHED}")
            path.rename(removed)  # none is there in part
            shutil.rmtree(removed)
        for key, _ in list(self.files.sizes()):
            if key not in named:
                self.files.remove(key)
        return len(old)


def find_backup(path: Path) -> tuple[BackupFolder, Path]:
    """Return a backup with the folder that it is in: the newest of a folder, or the one at a path.

    :raises BadBackup: there is none
    """
    if (path / MANIFEST).exists():
        path = path.absolute()
        return BackupFolder(path.parent), path
    folder = BackupFolder(path)
    if not (backups := folder.backups()):
        raise BadBackup(f"there is no backup in {path}")
    return folder, backups[-1]


def folders_in(path: Path) -> Sequence[BackupFolder]:
    """Return the folder of backups at a path, or those in it, one for each of several organizations.

    :raises BadBackup: there is no backup
    """
    folder = BackupFolder(path)
    if folder.backups():
        return [folder]
    found = [inner for one in sorted(path.glob("*/")) if (inner := BackupFolder(one)).backups()]
    if not found:
        raise BadBackup(f"there is no backup in {path}")
    return found
