"""Making a backup: the database first, then the files that it names and that no earlier backup has."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from chatcore.application.archives.format import FileEntry
from chatcore.application.archives.rows import keys_in
from chatcore.backups.folder import UNFINISHED, BackupFolder, Removal
from chatcore.backups.manifest import (
    DATABASES,
    FILES,
    FORMAT,
    SEALED,
    VERSION,
    BadBackup,
    Counts,
    Manifest,
    copy_file,
    measure_file,
    read_entries,
    write_entries,
    write_manifest,
)
from chatcore.backups.sealing import Sealed, seal
from chatcore.bootstrap import open_files, require_organization, store_at
from chatcore.data_folder import secret_for
from chatcore.disk import open_private, sync
from chatcore.domain.ids import Position
from chatcore.domain.organization.organization import Organization
from chatcore.settings import Settings
from chatcore.storage import Snapshot, StorageNotReady, Store
from chatcore.storage.copies import CannotCopy, CopiedStore
from chatcore.storage.files import FileMissing, FileStore
from chatcore.version import version


@dataclass(frozen=True, slots=True)
class Passphrase:
    """The passphrase for a backup of the secret."""

    text: bytes
    settings: str
    """The text of the settings file, which is sealed with the secret."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new backup."""

    path: Path
    manifest: Manifest
    new_files: int
    """Files that no earlier backup had."""
    new_bytes: int
    """Bytes that were written: the database and the new files."""
    removed: int
    """Old backups that were removed."""
    damage: Sequence[str]
    """The reasons why other backups could not be read, so that the files that only old ones had were kept."""


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of the snapshot that a backup has."""

    organization: str
    people: int
    channels: int
    messages: int
    head: Position
    keys: Sequence[str]
    """The keys of its files."""


def make_backup(
    settings: Settings,
    path: Path,
    *,
    keep: int | None = None,
    passphrase: Passphrase | None = None,
    clock: Callable[[], float] = time.time,  # noqa: TID251 - there are no services that have one
) -> Made:
    """Back up an organization into the folder at *path*; a server may use the organization meanwhile.

    :param keep: the number of newest backups that are kept; all by default
    :param passphrase: encrypts the secret of the organization, which is in the backup only with it
    :raises StorageNotReady: the database or its files cannot be reached, or it has no organization or is of
        an older version
    :raises CannotCopy: the store cannot copy its database
    :raises BadBackup: another command uses the folder
    :raises BadSetting: there is a passphrase, but the secret is missing, unsafe or another one, or the
        library that encrypts it is not installed
    :raises OSError: the folder cannot be written
    """
    folder, now = BackupFolder(path), clock()
    with closing(store_at(settings.database_url)) as storage:
        if not isinstance(storage, CopiedStore):
            raise CannotCopy("this store cannot copy its database; use 'chatcore export'")
        _require_own_version(storage)
        organization = require_organization(settings, storage)
        sealed = None if passphrase is None else _seal(settings, organization, passphrase)
        with folder.lock_for_changes():
            known = _known_files(folder)
            with folder.begin_backup(now) as place:
                source = open_files(settings)
                content = storage.copy_to(place / DATABASES[storage.kind], _read_content)
                entries = [_copy_once(source, folder.files, key, known) for key in content.keys]
                write_entries(entries, place)
                if sealed is not None:
                    with open_private(place / SEALED) as file:
                        file.write(sealed)
                manifest = _describe_backup(place, storage, content, entries, now)
                write_manifest(manifest, place)
                for part in place.iterdir():
                    sync(part)
            new = [entry.size for entry in entries if entry.size is not None and entry.key not in known]
            removal = Removal() if keep is None else folder.remove_old(keep)
            return Made(
                path=path / place.name.removesuffix(UNFINISHED),
                manifest=manifest,
                new_files=len(new),
                new_bytes=sum(new) + manifest.parts[DATABASES[storage.kind]].size,
                removed=removal.backups,
                damage=removal.damage,
            )


def _require_own_version(storage: Store) -> None:
    """Check that the database is of the version of this program.

    :raises StorageNotReady: it is of an older one
    """
    if pending := storage.pending():
        raise StorageNotReady(
            f"the database is of an older version: it lacks {len(pending)} migration(s) of this one;"
            " back it up with the program of that version, which is the only way back, or run"
            " 'chatcore migrate' before"
        )


def _seal(settings: Settings, organization: Organization, passphrase: Passphrase) -> bytes:
    """Return the sealed secret of the organization.

    :raises BadSetting: the secret is another one
    """
    return seal(Sealed(secret_for(settings, organization), passphrase.settings), passphrase.text)


def _read_content(snapshot: Snapshot) -> _Content:
    return _Content(
        organization=snapshot.organization.get().name,
        people=sum(not user.is_bot for user in snapshot.users.all()),
        channels=len(snapshot.channels.all()),
        messages=snapshot.tables.count_messages(2**53),
        head=snapshot.log.head(),
        keys=list(dict.fromkeys(keys_in(snapshot))),
    )


def _describe_backup(
    place: Path, storage: CopiedStore, content: _Content, entries: Sequence[FileEntry], now: float
) -> Manifest:
    """Return the manifest of a backup whose parts are written."""
    sizes = [entry.size for entry in entries if entry.size is not None]
    parts = [place / name for name in (DATABASES[storage.kind], FILES, SEALED)]
    return Manifest(
        format=FORMAT,
        version=VERSION,
        made_at=int(now),
        made_by=f"chatcore {version()}",
        organization=content.organization,
        database=storage.kind,
        migrations=tuple(storage.migrations()),
        head=content.head,
        counts=Counts(
            people=content.people,
            channels=content.channels,
            messages=content.messages,
            files=len(sizes),
            bytes_of_files=sum(sizes),
            missing_files=len(entries) - len(sizes),
        ),
        parts={part.name: measure_file(part) for part in parts if part.exists()},
    )


def _known_files(folder: BackupFolder) -> dict[str, FileEntry]:
    """Return the files that earlier backups name and that are there in their size."""
    there = dict(folder.files.sizes())
    known: dict[str, FileEntry] = {}
    for path in folder.backups():
        with suppress(BadBackup):  # what is in a damaged list is copied again
            known |= {entry.key: entry for entry in read_entries(path)}
    return {
        key: entry for key, entry in known.items() if entry.size is not None and there.get(key) == entry.size
    }


def _copy_once(source: FileStore, target: FileStore, key: str, known: Mapping[str, FileEntry]) -> FileEntry:
    """Copy a file, unless an earlier backup has it: the bytes of a key never change."""
    if key in known:
        return known[key]
    try:
        with closing(source.open(key)) as file:
            written = copy_file(file, target, key)
    except FileMissing:
        return FileEntry(key)
    return FileEntry(key, written.size, written.sha256)
