"""Writing an archive: from one snapshot of the store, page by page, and file by file.

Compressing, checksums and the disk are work for another thread; see `chatcore.runtime.work`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from io import RawIOBase
from typing import IO, BinaryIO, Final, Protocol, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from chatcore.application import units
from chatcore.application.archives.format import (
    FILES,
    FORMAT,
    MANIFEST,
    VERSION,
    FileEntry,
    Manifest,
    Member,
    Table,
    encode,
    file_member,
    pretty,
    table_member,
)
from chatcore.application.archives.rows import Restorability, keys_to_copy
from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.domain.archives.exports import EVERYTHING
from chatcore.runtime.work import Work
from chatcore.storage.archives.tables import ExportedTable, OnePerson, Row, Scope
from chatcore.storage.files import FileMissing
from chatcore.version import version

PIECE_SIZE: Final = 2**20
"""Bytes of a file that are in memory at a time."""
LEVEL: Final = 3
"""The effort of compression: more takes several times as long, and saves a tenth."""


class Sink(Protocol):
    """The receiver of the bytes of an archive, in order."""

    def write(self, data: bytes) -> object: ...


ReportProgress = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Written:
    """An archive that has been written."""

    manifest: Manifest
    problem: str | None
    """The first reason for which it cannot be restored as it is."""


@dataclass(slots=True)
class _Dumped:
    """The tables written so far, for the manifest."""

    tables: dict[str, Table] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    problem: str | None = None


def write_archive(
    svc: Services,
    sink: Sink,
    scope: Scope | OnePerson | None = None,
    *,
    scope_name: str = EVERYTHING,
    progress: ReportProgress = lambda messages: None,
) -> Written:
    """Write the organization, or the part of it in the scope; *progress* is called with the number of
    messages written so far.
    """
    with _Writer(svc, sink) as writer:
        dumped = _Dumped()
        name, head, sequences = units.read(svc, _dump_tables, writer, scope, dumped, progress)
        entries = [_copy_file(svc, writer, key) for key in dict.fromkeys(dumped.keys)]
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            made_at=svc.now,
            made_by=f"chatcore {version()}",
            organization=name,
            scope=scope_name,
            head=head,
            sequences=sequences,
            tables=dumped.tables,
            files=writer.add(FILES, [b"".join(encode(entry) + b"\n" for entry in entries)]),
        )
        writer.add(MANIFEST, [pretty(manifest)])
    return Written(manifest, dumped.problem)


def _dump_tables(
    view: View,
    writer: "_Writer",
    scope: Scope | OnePerson | None,
    dumped: _Dumped,
    progress: ReportProgress,
) -> tuple[str, int, Mapping[str, int]]:
    """Write all tables; return the name of the organization, the end of the log and the last ids."""
    snapshot = view.snapshot
    # Nobody restores the archive of one person.
    restorability = None if isinstance(scope, OnePerson) else Restorability(snapshot)
    for table, pages in snapshot.tables.export(scope):
        rows = _Rows(table, pages, restorability, dumped, progress)
        member = writer.add(table_member(table.name), rows)
        columns = tuple(column.name for column in table.columns)
        dumped.tables[table.name] = Table(columns, rows.count, member)
    if restorability is not None:
        restorability.check_whole()
        dumped.problem = restorability.problem
    return snapshot.organization.get().name, snapshot.log.head(), snapshot.tables.sequences()


class _Rows:
    """The lines of a table, a piece for each page."""

    def __init__(
        self,
        table: ExportedTable,
        pages: Iterator[Sequence[Row]],
        restorability: Restorability | None,
        dumped: _Dumped,
        progress: ReportProgress,
    ) -> None:
        self._table = table
        self._pages = pages
        self._restorability = restorability
        self._dumped = dumped
        self._progress = progress
        self.count = 0

    def __iter__(self) -> Iterator[bytes]:
        name = self._table.name
        for page in self._pages:
            self.count += len(page)
            lines = [encode(row) for row in page]
            if self._restorability is not None:
                self._restorability.check(self._table, page, lines)
            yield b"".join(line + b"\n" for line in lines)
            self._dumped.keys.extend(key for row in page for key in keys_to_copy(name, row))
            if name == "message":
                self._progress(self.count)


def _copy_file(svc: Services, writer: "_Writer", key: str) -> FileEntry:
    """Copy a file to the archive, and return its entry; it is opened, read and closed in the thread of
    archives.
    """
    try:
        file = svc.run_blocking(lambda: svc.files.open(key), Work.ARCHIVES)
    except FileMissing:
        return FileEntry(key)
    try:
        member = writer.add(file_member(key), _read_pieces(svc, file), packed=False)
    finally:
        svc.run_blocking(file.close, Work.ARCHIVES)
    return FileEntry(key, member.size, member.sha256)


def _read_pieces(svc: Services, file: BinaryIO) -> Iterator[bytes]:
    while piece := svc.run_blocking(lambda: file.read(PIECE_SIZE), Work.ARCHIVES):
        yield piece


class _Writer:
    """A ZIP file that is written in one go, without returning to earlier bytes."""

    def __init__(self, svc: Services, sink: Sink) -> None:
        self._run = svc.run_blocking
        self._zip = ZipFile(cast("BinaryIO", _Forward(sink)), "w", ZIP_DEFLATED, compresslevel=LEVEL)

    def add(self, name: str, pieces: Iterable[bytes], *, packed: bool = True) -> Member:
        """Write a member, compressed if it is *packed*."""
        size = 0
        digest = sha256()
        with self._zip.open(name if packed else ZipInfo(name), "w", force_zip64=True) as member:
            for piece in pieces:
                size += len(piece)
                self._run(partial(_append, member, digest, piece), Work.ARCHIVES)
        return Member(size, digest.hexdigest())

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        if kind is None:
            self._run(self._zip.close, Work.ARCHIVES)
        else:
            self._zip.fp = None  # what is unfinished stays so


def _append(member: IO[bytes], digest: "_Hash", piece: bytes) -> None:
    digest.update(piece)
    member.write(piece)


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


class _Forward(RawIOBase):
    """A stream that can only be written: what `ZipFile` cannot seek in, it writes in order."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(cast("bytes", data))
        self._sink.write(piece)
        return len(piece)
