"""Reading an archive that somebody hands in: nothing in it is believed before it is checked.

Members are never unpacked to paths. Not more is read of one than the manifest says, and not more than a limit
of all of them together. Only what has been verified is restored.
"""

import os
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import msgspec

from chatcore.application.archives.format import (
    FILES,
    MANIFEST,
    MAX_LINE,
    BadArchive,
    FileEntry,
    Manifest,
    Member,
    file_member,
    manifest_from,
    table_member,
)
from chatcore.application.archives.rows import checked_keys, row_reader
from chatcore.domain.archives.exports import ONE_PERSON
from chatcore.storage.archives.tables import ExportedTable, Row

COMPRESSIONS: Final = (ZIP_STORED, ZIP_DEFLATED)
PAGE: Final = 1000
"""Rows that are in memory at a time."""
PIECE_SIZE: Final = 2**20
MAX_MANIFEST: Final = 2**20
MAX_DIRECTORY: Final = 256 * 2**20
"""Bytes of the list of members, which is in memory as a whole."""
MAX_RATIO: Final = 1032
"""Unpacked bytes for each byte of the file: Deflate reaches no more, so that members above it share bytes."""
SMALL: Final = 64 * 2**20
"""Unpacked bytes up to which the ratio does not matter."""

ReportProgress = Callable[[int], object]

END: Final = struct.Struct("<4s4H2LH")
"""The end of a ZIP file without a comment."""
END_64: Final = struct.Struct("<4sQ2H2L4Q")
LOCATOR_64: Final = struct.Struct("<4sLQL")


@contextmanager
def _refusing_damaged() -> Iterator[None]:
    """Translate the errors of damaged files.

    :raises BadArchive:
    """
    try:
        yield
    except BadArchive:
        raise
    except Exception as error:  # modules for ZIP files raise many types for damaged ones
        raise BadArchive(f"it is damaged: {error}") from error


class Archive:
    """An archive whose manifest fits its members. Close it in the end.

    :raises BadArchive: damaged, of another kind, or of a newer program
    """

    def __init__(self, path: Path, exported: Sequence[ExportedTable]) -> None:
        self._file = path.open("rb")
        try:
            with _refusing_damaged():
                self._zip = self._open_zip()
                self.manifest = self._read_manifest()
                self._require_known(exported)
                self._require_members()
        except BaseException:
            self._file.close()
            raise
        self._exported = {table.name: table for table in exported}

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def verify(self, progress: ReportProgress = lambda messages: None) -> None:
        """Read everything once: checksums, numbers, the types of all values, and the names of the files.

        :raises BadArchive:
        """
        wanted: set[str] = set()
        for name in self.manifest.tables:
            count = 0
            for page in self.rows(name):
                count += len(page)
                for row in page:
                    wanted.update(checked_keys(name, row))
                if name == "message":
                    progress(count)
            if count != self.manifest.tables[name].rows:
                raise BadArchive(f"it has {count:,} rows of '{name}' and should have others")
        for entry in self.files():
            if entry.key not in wanted:
                raise BadArchive(f"it has a file that belongs to nothing: {entry.key}")
            for _ in self.file(entry):  # reading up to the end verifies the checksum
                pass

    def rows(self, table: str) -> Iterator[Sequence[Row]]:
        """Yield the rows of a table in pages; its checksum is verified at the end.

        :raises BadArchive:
        """
        described = self.manifest.tables.get(table)
        if described is None:
            return
        read = row_reader(self._exported[table], described.columns)
        page: list[Row] = []
        for line in self._read_lines(table_member(table), described.member):
            page.append(read(line))
            if len(page) == PAGE:
                yield page
                page = []
        if page:
            yield page

    def files(self) -> Iterator[FileEntry]:
        """Yield the files that the archive has.

        :raises BadArchive:
        """
        decode = msgspec.json.Decoder(FileEntry).decode
        for line in self._read_lines(FILES, self.manifest.files):
            try:
                entry = decode(line)
            except (msgspec.MsgspecError, UnicodeError) as error:
                raise BadArchive(f"its list of files cannot be read: {error}") from error
            if entry.member is not None:
                yield entry

    def file(self, entry: FileEntry) -> Iterator[bytes]:
        """Yield the bytes of a file; their checksum is verified at the end.

        :raises BadArchive:
        """
        assert entry.member is not None
        yield from self._read_pieces(file_member(entry.key), entry.member)

    # -- members ------------------------------------------------------------------------------------

    def _open_zip(self) -> ZipFile:
        self.size = os.fstat(self._file.fileno()).st_size
        if _directory_size(self._file, self.size) > MAX_DIRECTORY:
            raise BadArchive("it has too many members")
        opened = ZipFile(self._file)
        for info in opened.infolist():
            if info.compress_type not in COMPRESSIONS:
                raise BadArchive(
                    "it was not packed by this program: a member is compressed by another method than Deflate"
                )
        return opened

    def _read_manifest(self) -> Manifest:
        """Return the manifest, and note the folder of the members and their names."""
        names = self._zip.namelist()
        self._folder = _outer_folder(names)
        self._names = [name.removeprefix(self._folder) for name in names if not name.endswith("/")]
        try:
            info = self._zip.getinfo(self._folder + MANIFEST)
        except KeyError as error:
            raise BadArchive("it is not an archive of this program: it has no manifest") from error
        with self._zip.open(info) as member:
            data = member.read(MAX_MANIFEST + 1)
        if len(data) > MAX_MANIFEST:
            raise BadArchive("its manifest is too large")
        return manifest_from(data)

    def _require_known(self, exported: Sequence[ExportedTable]) -> None:
        """Check that this program knows all tables and columns, and that none is missing.

        :raises BadArchive:
        """
        if self.manifest.scope == ONE_PERSON:
            raise BadArchive("it has the data of one person, which is no organization")
        known = {table.name: {column.name for column in table.columns} for table in exported}
        for name, table in self.manifest.tables.items():
            if name not in known or not known[name].issuperset(table.columns):
                raise BadArchive(f"it was made by a newer version of this program: '{name}' is not known")
        for wanted in exported:
            if (described := self.manifest.tables.get(wanted.name)) is not None:
                for column in wanted.columns:
                    if column.name not in described.columns and not column.absent:
                        raise BadArchive(f"it lacks the column '{column.name}' of '{wanted.name}'")
        for name in ("organization", "account", "recipient", "user_group"):
            if name not in self.manifest.tables:
                raise BadArchive(f"it lacks the table '{name}'")

    def _require_members(self) -> None:
        """Check that the archive has the members that it says it has, and not more than can be unpacked.

        :raises BadArchive:
        """
        names = self._names
        expected = {MANIFEST, FILES, *map(table_member, self.manifest.tables)}
        total = self.manifest.files.size + sum(table.member.size for table in self.manifest.tables.values())
        self._require_size(total)  # before the list of files is read
        for entry in self.files():
            if file_member(entry.key) in expected:
                raise BadArchive("it names a file twice")
            expected.add(file_member(entry.key))
            total += entry.size or 0
        self._require_size(total)
        if len(names) != len(set(names)) or set(names) != expected:
            raise BadArchive("it has other members than its manifest says")
        self.unpacked = total

    def _require_size(self, total: int) -> None:
        if total > max(SMALL, MAX_RATIO * self.size):
            raise BadArchive("it would unpack to far more than it can hold")

    def _read_pieces(self, name: str, expected: Member) -> Iterator[bytes]:
        """Yield the content of a member; at its end, refuse one of another size or checksum than expected."""
        size = 0
        digest = sha256()
        with _refusing_damaged(), self._zip.open(self._folder + name) as member:
            while piece := member.read(min(PIECE_SIZE, expected.size - size + 1)):
                size += len(piece)
                if size > expected.size:
                    break
                digest.update(piece)
                yield piece
        if size != expected.size or digest.hexdigest() != expected.sha256:
            raise BadArchive(f"it is damaged: the checksum of {name} is another")

    def _read_lines(self, name: str, expected: Member) -> Iterator[bytes]:
        """Yield the lines of a member without their ends."""
        rest = b""
        for piece in self._read_pieces(name, expected):
            *lines, rest = (rest + piece).split(b"\n")
            if len(rest) > MAX_LINE:
                raise BadArchive(f"a line of {name} is too long")
            yield from lines
        if rest:
            raise BadArchive(f"the last line of {name} is incomplete")


def _outer_folder(names: Sequence[str]) -> str:
    """Return the folder, with a slash, in which all members of an archive are that somebody has unpacked and
    packed again; empty for an archive as it was written.
    """
    folders = {name.partition("/")[0] for name in names}
    if MANIFEST in names or len(folders) != 1:
        return ""
    folder = f"{folders.pop()}/"
    return folder if f"{folder}{MANIFEST}" in names else ""


def _directory_size(file: IO[bytes], size: int) -> int:
    """Return the bytes of a ZIP file's list of members.

    :raises BadArchive: not a ZIP file as archives are
    """
    if size < END.size:
        raise BadArchive("it is not an archive of this program: it is no ZIP file")
    file.seek(size - END.size)
    signature, *_, directory_size, _, _ = END.unpack(file.read(END.size))
    if signature != b"PK\5\6":
        raise BadArchive("it is not an archive of this program, or its end is missing")
    if size >= END.size + LOCATOR_64.size:
        file.seek(size - END.size - LOCATOR_64.size)
        signature_64, _, end_64_at, _ = LOCATOR_64.unpack(file.read(LOCATOR_64.size))
        if signature_64 == b"PK\6\7":
            file.seek(min(end_64_at, size))
            *_, directory_size, _ = END_64.unpack(file.read(END_64.size))
    return int(directory_size)
