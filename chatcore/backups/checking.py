"""Checking backups: all that is in a folder of them is read again."""

from collections.abc import Iterator

from chatcore.application.archives.format import FileEntry
from chatcore.backups.folder import BackupFolder
from chatcore.backups.manifest import (
    DATABASES,
    BadBackup,
    find_damage,
    is_intact,
    read_entries,
    read_manifest,
)
from chatcore.bootstrap import find_problem_of_copy
from chatcore.storage.files import FileMissing


def find_problems(folder: BackupFolder) -> Iterator[str]:
    """Yield what is wrong with the backups in a folder, with what to do about it.

    Each file is read once, however many backups have it.

    :raises BadBackup: a command changes the folder
    :raises FilesNotReady: its disk refuses
    """
    checked: set[FileEntry] = set()
    with folder.lock_for_reading():
        for path in folder.backups():
            try:
                manifest = read_manifest(path)
                if (damage := find_damage(path, manifest)) is not None:
                    raise BadBackup(damage)
                entries = list(read_entries(path))
            except BadBackup as error:
                yield f"{error}; remove {path}, and make another backup"
                continue
            copy = path / DATABASES[manifest.database]
            if (problem := find_problem_of_copy(manifest.database, copy)) is not None:
                yield f"{copy} cannot be used: {problem}"
            for entry in entries:
                if entry.size is not None and entry not in checked:
                    checked.add(entry)
                    if (damage := find_damage_of_file(folder, entry)) is not None:
                        yield (
                            f"{folder.path / 'files' / entry.key} {damage}; remove it if it is there,"
                            " and make another backup, which copies it again"
                        )


def find_damage_of_file(folder: BackupFolder, entry: FileEntry) -> str | None:
    """Return what is wrong with a file in the folder, or None."""
    try:
        return None if is_intact(folder.files, entry) else "is damaged: its checksum differs"
    except FileMissing:
        return "is missing, or is no file"
