"""The folder of backups: what is whole in it, who may change it, and what is no longer needed."""

import fcntl
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Removal:
    """The result of removing old backups."""

    backups: int = 0
    """The number of old backups."""
    damage: Sequence[str] = ()
    """The reasons why newer backups could not be read: no file was removed, as they may name it."""


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
            if _time_in(path.name) is not None and (path / MANIFEST).exists()
        )

    @contextmanager
    def lock_for_changes(self) -> Iterator[None]:
        """Keep all others from using the folder while the context lasts, and remove what was never finished.

        :raises BadBackup: another command uses it
        :raises OSError: it cannot be made or written
        """
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._lock_folder(os.O_RDWR | os.O_CREAT, fcntl.LOCK_EX):
            for path in self.path.glob(f"*{UNFINISHED}"):
                _remove_folder(path)
            yield

    @contextmanager
    def lock_for_reading(self) -> Iterator[None]:
        """Keep all others from changing the folder while the context lasts.

        :raises BadBackup: a command changes it
        """
        if not (self.path / LOCK).exists():  # a copy in another place
            yield
            return
        with self._lock_folder(os.O_RDONLY, fcntl.LOCK_SH):
            yield

    @contextmanager
    def _lock_folder(self, flags: int, kind: int) -> Iterator[None]:
        """Hold the lock of the folder; BadBackup at once if another command has it."""
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
    def begin_backup(self, now: float) -> Iterator[Path]:
        """Give the folder of a new backup, which has its name when the context has ended without an error.

        Its name follows those of all others, also where the clock does not.

        :raises BadBackup: none can follow
        """
        time, earlier = datetime.fromtimestamp(now, UTC), self.backups()
        try:
            if earlier and (newest := _time_in(earlier[-1].name)):
                time = max(time, newest + timedelta(seconds=1))
        except OverflowError as error:
            raise BadBackup(f"no time is later than that of {earlier[-1]}; remove it") from error
        name = time.strftime(NAME)
        unfinished = self.path / f"{name}{UNFINISHED}"
        unfinished.mkdir(mode=0o700)
        try:
            yield unfinished
            put_in_place(unfinished, self.path / name)
        except BaseException:
            with suppress(OSError):
                shutil.rmtree(unfinished)
            raise

    def remove_old(self, keep: int) -> Removal:
        """Keep the newest backups that can be read, *keep* of them, and all that are newer than the last of
        these. Remove the older ones, and the files that no kept backup names.
        """
        named: set[str] = set()
        damage: list[str] = []
        backups = list(self.backups())
        while keep and backups:
            try:
                named |= {entry.key for entry in read_entries(backups.pop())}
                keep -= 1
            except BadBackup as error:
                damage.append(str(error))
        for path in backups:
            removed = path.with_name(f"{path.name}{UNFINISHED}")
            path.rename(removed)  # none is there in part
            _remove_folder(removed)
        if not damage:
            for key, _ in list(self.files.sizes()):
                if key not in named:
                    self.files.remove(key)
        return Removal(len(backups), damage)


def _time_in(name: str) -> datetime | None:
    """Return the time that the name of a backup has, or None if it is no such name."""
    try:
        time = datetime.strptime(name, NAME).replace(tzinfo=UTC)
    except ValueError:
        return None
    return time if time.strftime(NAME) == name else None


def _remove_folder(path: Path) -> None:
    """Remove a folder with its content; if somebody has put a link or a file in its place, only that."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
    else:
        shutil.rmtree(path)


def find_backup(path: Path) -> tuple[BackupFolder, Path]:
    """Return a backup with the folder that it is in: the newest of a folder, or the one at a path.

    :raises BadBackup: there is none
    """
    if (path / MANIFEST).exists():
        path = path.absolute()
        return BackupFolder(path.parent), path
    folder = BackupFolder(path)
    if not (backups := folder.backups()):
        raise _no_backup(path)
    return folder, backups[-1]


def _no_backup(path: Path) -> BadBackup:
    return BadBackup(f"there is no backup in {path}")


def folders_in(path: Path) -> Sequence[BackupFolder]:
    """Return the folder of backups at a path, or those in it, one for each of several organizations.

    :raises BadBackup: there is no backup
    """
    folder = BackupFolder(path)
    if folder.backups():
        return [folder]
    found = [inner for inner in map(BackupFolder, sorted(path.glob("*/"))) if inner.backups()]
    if not found:
        raise _no_backup(path)
    return found
