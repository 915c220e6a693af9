"""Restoring a backup into an empty database and an empty place of files.

The secret comes first, then the files. Each is complete or absent, so that a restore which was interrupted
passes over those that are there when it is repeated. The database comes as a whole, or not at all; then it is
a copy until its clients have to register anew, which is the last step.
"""

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from chatcore.application.archives.format import FileEntry
from chatcore.application.events.restores import begin_anew
from chatcore.backups.folder import find_backup
from chatcore.backups.manifest import (
    DATABASES,
    SEALED,
    BadBackup,
    Manifest,
    copy_file,
    find_damage,
    is_intact,
    read_entries,
    read_manifest,
)
from chatcore.backups.sealing import Sealed, unseal
from chatcore.bootstrap import find_problem_of_copy, open_files, store_at
from chatcore.data_folder import SECRET_FILE, data_dir, secret_for
from chatcore.disk import open_private, put_in_place
from chatcore.settings import BadSetting, Settings, describe_database
from chatcore.storage import StorageNotReady, Store
from chatcore.storage.copies import CannotCopy, CopiedStore
from chatcore.storage.files import FileMissing, FileStore

SETTINGS_COPY = "chatcore.toml.restored"
"""The restored settings file: it may name the places of a server that still runs, so nothing reads it."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore."""

    path: Path
    manifest: Manifest
    lost: tuple[str, ...]
    """The keys of files that are missing or damaged in the backup."""
    secret_problem: str | None
    """The reason why no server can be started yet; None if the secret is there."""
    settings_file: Path | None
    """The restored settings file, if the backup has one."""


def restore_backup(
    settings: Settings, path: Path, *, passphrase: bytes | None = None, without_secret: bool = False
) -> Restored:
    """Restore a backup: the newest in a folder, or the one at a path.

    A secret in it is restored with the *passphrase*. Without one, the secret has to be there already, unless
    somebody wants the rest *without secret*: a second restore, with the passphrase, would be refused.

    :raises BadBackup: there is none, it is damaged, of another kind of database or of a newer program; the
        passphrase does not open its secret, or is missing; or there are other files or settings already
    :raises StorageNotReady: the database cannot be reached, or is not empty
    :raises CannotCopy: the store cannot be filled from a copy
    :raises OSError: a disk refuses
    """
    folder, backup = find_backup(path)
    with folder.lock_for_reading():
        manifest = read_manifest(backup)
        if (damage := find_damage(backup, manifest)) is not None:
            raise BadBackup(damage)
        sealed = _unseal_secret(settings, backup, manifest, passphrase, without_secret=without_secret)
        with closing(store_at(settings.database_url)) as found:
            storage = _require_fillable(found, manifest)
            is_filled = not storage.is_empty()
            if is_filled and not _is_filled_from(storage, manifest):
                database = describe_database(settings.database_url)
                raise StorageNotReady(
                    f"{database} is not empty; move it away first, or restore into a new one"
                )
            copy = backup / DATABASES[manifest.database]
            if (problem := find_problem_of_copy(manifest.database, copy)) is not None:
                raise BadBackup(f"{copy} cannot be used: {problem}")
            files, entries = open_files(settings), list(read_entries(backup))
            _require_no_other_files(files, entries)
            settings_file = None if sealed is None else _put_secret(settings, sealed)
            lost = _put_files(folder.files, files, entries)
            if not is_filled:
                storage.fill_from(copy)
            storage.migrate()
            storage.write(begin_anew)
            organization = storage.read(lambda snapshot: snapshot.organization.get())
        try:
            secret_for(settings, organization)
            problem = None
        except BadSetting as error:
            problem = str(error)
        return Restored(backup, manifest, tuple(lost), problem, settings_file)


def _unseal_secret(
    settings: Settings, backup: Path, manifest: Manifest, passphrase: bytes | None, *, without_secret: bool
) -> Sealed | None:
    """Return the secret and the settings of a backup, if it is to be restored.

    :raises BadBackup: as `restore_backup`
    """
    if passphrase is not None:
        if SEALED not in manifest.parts:
            raise BadBackup(f"{backup} was made without a passphrase, and has no secret")
        sealed = unseal((backup / SEALED).read_bytes(), passphrase)
        _require_no_other_settings(settings, sealed)
        return sealed
    if SEALED in manifest.parts and not without_secret and not _has_secret(settings):
        raise BadBackup(
            f"{backup} has the secret, and none is here: restore it with --passphrase-file, or use"
            " --without-secret if you have a copy of it"
        )
    return None


def _require_fillable(storage: Store, manifest: Manifest) -> CopiedStore:
    """Return a store that can be filled from a backup, if it is empty.

    :raises BadBackup: it is of another kind, or the backup of a newer program
    :raises CannotCopy: no store of its kind can be filled
    """
    if not isinstance(storage, CopiedStore):
        raise CannotCopy("this store cannot be filled from a backup")
    if storage.kind != manifest.database:
        raise BadBackup(
            f"the backup is of {manifest.database}, and the database is {storage.kind}: name one of the same"
            " kind with --database; 'chatcore export' and 'import archive' change the kind"
        )
    if newer := sorted(set(manifest.migrations) - set(storage.migrations())):
        raise BadBackup(
            f"the backup was made by a newer version of this program (it has '{newer[-1]}');"
            " install that version"
        )
    return storage


def _is_filled_from(storage: CopiedStore, manifest: Manifest) -> bool:
    """Whether a restore of this backup was interrupted after it had filled the database."""
    try:
        applied = set(storage.migrations()) - set(storage.pending())
    except StorageNotReady:  # it is of another program
        return False
    if not applied or not applied.issuperset(manifest.migrations):
        return False
    is_copied, head = storage.read(lambda snapshot: (snapshot.log.is_copied(), snapshot.log.head()))
    return is_copied is not False and head == manifest.head


def _require_no_other_files(files: FileStore, entries: Sequence[FileEntry]) -> None:
    """:raises BadBackup: the place of files has some that are not in the backup"""
    if foreign := dict(files.sizes()).keys() - {entry.key for entry in entries}:
        raise BadBackup(
            f"the place of uploaded files has {len(foreign)} that are not in the backup, such as"
            f" {min(foreign)}; restore into an empty one"
        )


def _put_files(source: FileStore, target: FileStore, entries: Sequence[FileEntry]) -> list[str]:
    """Copy the files that are not in their place yet; return the keys of those that the backup lacks."""
    there = dict(target.sizes())
    lost = []
    for entry in entries:
        if entry.size is not None:
            if there.get(entry.key) == entry.size and is_intact(target, entry):
                continue
            if _put_file(source, target, entry):
                continue
        lost.append(entry.key)
    return lost


def _put_file(source: FileStore, target: FileStore, entry: FileEntry) -> bool:
    """Copy a file to its place; return False, with nothing there, if it is missing or damaged."""
    try:
        with closing(source.open(entry.key)) as file:
            written = copy_file(file, target, entry.key)
    except FileMissing:
        return False
    if written != entry.member:
        target.remove(entry.key)
        return False
    return True


def _require_no_other_settings(settings: Settings, sealed: Sealed) -> None:
    """:raises BadBackup: an earlier restore has left another settings file"""
    path = data_dir(settings) / SETTINGS_COPY
    if sealed.settings and os.path.lexists(path) and path.read_bytes() != sealed.settings.encode():
        raise BadBackup(f"{path} is that of another backup; move it away")


def _has_secret(settings: Settings) -> bool:
    return bool(settings.secret_key) or (data_dir(settings) / SECRET_FILE).exists()


def _put_secret(settings: Settings, sealed: Sealed) -> Path | None:
    """Put the secret into the data folder, unless there is one, and the settings beside it; return the file
    of the settings.
    """
    folder = data_dir(settings)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not settings.secret_key:
        _write_private(folder / SECRET_FILE, sealed.secret)
    if not sealed.settings:
        return None
    _write_private(folder / SETTINGS_COPY, sealed.settings.encode())
    return folder / SETTINGS_COPY


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, all or nothing, unless there is one."""
    if os.path.lexists(path):
        return
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)  # left by an interrupted restore
    with open_private(unfinished) as file:
        file.write(data)
    put_in_place(unfinished, path)
