"""The manifest of a backup, and the list of its files."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from chatcore.application.archives.format import FileEntry, Heading, Id, Member, Size, encode, pretty
from chatcore.disk import open_private, open_regular
from chatcore.domain.errors import ChatcoreError
from chatcore.storage.files import FileStore

FORMAT: Final = "chatcore backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
FILES: Final = "files.jsonl"
SEALED: Final = "secret.sealed"
DATABASES: Final[Mapping[str, str]] = {"sqlite": "database.db", "postgresql": "database.dump"}
"""The file with the copy of a database, by its kind."""
PIECE: Final = 2**20
"""Bytes of a file that are in memory at a time."""


class BadBackup(ChatcoreError):
    """A backup cannot be used, with the reason for people."""


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The amounts of what is in a backup."""

    people: Size
    channels: Size
    messages: Size
    files: Size
    bytes_of_files: Size
    missing_files: Size
    """Files that the database names and that were not there: removed while it was made, or lost before."""


class Manifest(Heading, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parts of a backup, and the state that it has. It is written last."""

    database: str
    """The kind of the database."""
    migrations: tuple[str, ...]
    head: Id
    """The last position in the log."""
    counts: Counts
    parts: Mapping[str, Member]
    """The files of this backup alone: the database, the list of its files, the secret."""


def write_manifest(manifest: Manifest, folder: Path) -> None:
    with open_private(folder / MANIFEST) as file:
        file.write(pretty(manifest))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest in the folder of a backup.

    :raises BadBackup: it is missing, of another program or a newer one, or not well-formed
    """
    try:
        with open_regular(folder / MANIFEST) as file:
            data = file.read()
        decoded: Any = msgspec.json.decode(data)
        if not isinstance(decoded, dict) or decoded.get("format") != FORMAT:
            raise BadBackup(f"{folder} is no backup of this program")
        if decoded.get("version") != VERSION:
            raise BadBackup(
                f"{folder} has version {decoded.get('version')} of the format, and this program reads"
                f" {VERSION}; use the version of the program that has made it, or a newer one"
            )
        manifest = msgspec.json.decode(data, type=Manifest)
    except OSError as error:
        raise BadBackup(f"{folder / MANIFEST} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadBackup(f"{folder / MANIFEST} cannot be read: {error}") from error
    needed = {DATABASES.get(manifest.database, ""), FILES}
    if not needed <= manifest.parts.keys() <= needed | {SEALED}:
        raise BadBackup(f"{folder / MANIFEST} names other parts than a backup has")
    return manifest


def write_entries(entries: list[FileEntry], folder: Path) -> None:
    with open_private(folder / FILES) as file:
        file.writelines(encode(entry) + b"\n" for entry in entries)


def read_entries(folder: Path) -> Iterator[FileEntry]:
    """Yield the files of a backup.

    :raises BadBackup: the manifest or the list is damaged, or cannot be read
    """
    manifest = read_manifest(folder)
    decode = msgspec.json.Decoder(FileEntry).decode
    try:
        if measure_file(folder / FILES) != manifest.parts[FILES]:
            raise BadBackup(f"{folder / FILES} is damaged: its checksum differs")
        with open_regular(folder / FILES) as file:
            yield from map(decode, file)
    except OSError as error:
        raise BadBackup(f"{folder / FILES} cannot be read: {error.strerror}") from error
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise BadBackup(f"{folder / FILES} cannot be read: {error}") from error


def measure_file(path: Path) -> Member:
    """Return the size and the checksum of a file.

    :raises OSError: it cannot be read
    """
    with open_regular(path) as file:
        return measure(pieces_of(file))


def measure(pieces: Iterable[bytes]) -> Member:
    """Return the size and the checksum of bytes in pieces."""
    size, digest = 0, sha256()
    for piece in pieces:
        size += len(piece)
        digest.update(piece)
    return Member(size, digest.hexdigest())


def pieces_of(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


def is_intact(files: FileStore, entry: FileEntry) -> bool:
    """Whether a file in a store is as the entry says.

    :raises FileMissing: it is not there
    """
    with closing(files.open(entry.key)) as file:
        return measure(pieces_of(file)) == entry.member


def copy_file(file: BinaryIO, target: FileStore, key: str) -> Member:
    """Copy an open file, durably; return the size and the checksum of what was read.

    :raises FilesNotReady: the store refuses, for example because it is full
    """

    def write_each() -> Iterator[bytes]:
        for piece in pieces_of(file):
            writer.write(piece)
            yield piece

    with closing(target.writer(key)) as writer:
        written = measure(write_each())
        writer.sync()
    target.finish(key)
    return written


def find_damage(folder: Path, manifest: Manifest) -> str | None:
    """Return the first part of a backup that is not as it was written, with what is wrong; or None."""
    for name, written in sorted(manifest.parts.items()):
        try:
            if measure_file(folder / name) != written:
                return f"{folder / name} is damaged: its checksum differs"
        except OSError as error:
            return f"{folder / name} cannot be read: {error.strerror}"
    return None
