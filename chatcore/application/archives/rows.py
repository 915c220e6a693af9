"""The rows of an archive: reading them back from lines, and the rules that every row obeys.

An import refuses an archive with other rows; `chatcore check` and exports report them, long before anybody
needs the archive.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec

from chatcore.application.archives.file_keys import TABLES_WITH_FILES, keys_of
from chatcore.application.archives.format import KEY, MAX_LINE, BadArchive, encode
from chatcore.domain.characters import is_storable
from chatcore.domain.ids import MAX_INTEGER
from chatcore.storage import Snapshot
from chatcore.storage.archives.tables import BadRows, Column, ExportedTable, Row
from chatcore.storage.slices import in_slices

Integer = Annotated[int, msgspec.Meta(ge=-MAX_INTEGER - 1, le=MAX_INTEGER)]
TYPES: Final[Mapping[type, Any]] = {bool: bool, int: Integer, str: str}
DECODERS: Final = 200
"""Decoders that are kept, more than one for each table: making one takes longer than reading a few rows."""
_KEY: Final = re.compile(KEY)


def row_reader(table: ExportedTable, given: Sequence[str]) -> Callable[[bytes], Row]:
    """Return a reader of lines that have exactly the *given* columns, with values of their types. It raises
    `BadArchive`. Columns that an older archive lacks get the value that the table says for that.
    """
    decode = _row_decoder(tuple(column for column in table.columns if column.name in given))
    absent = {column.name: column.absent[0] for column in table.columns if column.name not in given}

    def read(line: bytes) -> Row:
        try:
            row = msgspec.structs.asdict(decode(line))
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BadArchive(f"a row of '{table.name}' cannot be read: {error}") from error
        # Only an escape can make a NUL or a lone surrogate; the decoder refuses both as plain bytes.
        if b"\\u" in line and not all(map(_is_storable, row.values())):
            raise BadArchive(f"a row of '{table.name}' has a character that no store can hold")
        return {**row, **absent} if absent else row

    return read


@lru_cache(maxsize=DECODERS)
def _row_decoder(columns: tuple[Column, ...]) -> Callable[[bytes], Any]:
    fields = [
        (column.name, TYPES[column.type] | None if column.nullable else TYPES[column.type])
        for column in columns
    ]
    return msgspec.json.Decoder(msgspec.defstruct("Row", fields, forbid_unknown_fields=True)).decode


def _is_storable(value: object) -> bool:
    return not isinstance(value, str) or is_storable(value)


def checked_keys(table: str, row: Row) -> Sequence[str]:
    """Return the keys of the files that belong to a row.

    :raises BadArchive: the row names a file in a way that no file has
    """
    try:
        keys = list(keys_of(table, row))
    except (ValueError, LookupError, msgspec.MsgspecError, RecursionError) as error:
        raise BadArchive(f"a row of '{table}' cannot be read: {error}") from error
    for key in keys:
        if not _KEY.fullmatch(key):
            raise BadArchive(f"a row of '{table}' names its file wrongly: {key}")
    return keys


def keys_to_copy(table: str, row: Row) -> Sequence[str]:
    """Return the keys of the files that belong to a row; none if it names them wrongly."""
    try:
        return checked_keys(table, row)
    except BadArchive:
        return ()


def keys_in(snapshot: Snapshot) -> Iterator[str]:
    """Yield the keys of all files that rows name. Thumbnails are not among them: they are made again."""
    for table, pages in snapshot.tables.export(None):
        if table.name in TABLES_WITH_FILES:
            for page in pages:
                for row in page:
                    yield from keys_to_copy(table.name, row)


def _ids_in(row: Row) -> str:
    """Return what shows which row of its table it is."""
    names = ["id"] if "id" in row else [name for name in row if name.endswith("_id")]
    return ", ".join(f"{name}={row[name]}" for name in names or row)


class Restorability:
    """Whether an archive of a store could be restored: *problem* is the first reason for which it could not,
    among the pages that were checked.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._readers: dict[str, Callable[[bytes], Row]] = {}
        self.problem: str | None = None

    def check(self, table: ExportedTable, rows: Sequence[Row], lines: Sequence[bytes]) -> None:
        """Check a page of rows, also in the form in which they are exported; set *problem* if one is bad."""
        if self.problem is not None:
            return
        if (read := self._readers.get(table.name)) is None:
            read = row_reader(table, [column.name for column in table.columns])
            self._readers[table.name] = read
        checked: Row = {}
        try:
            for row, line in in_slices(zip(rows, lines, strict=True)):
                checked = row
                if len(line) > MAX_LINE:
                    raise BadArchive(f"a row of '{table.name}' is too long")
                read(line)
                checked_keys(table.name, row)
                self._snapshot.tables.check(table.name, [row])
        except (BadArchive, BadRows) as error:
            self.problem = f"{error} ({_ids_in(checked)})"

    def check_whole(self) -> None:
        """Check that the rows of the store fit together; set *problem* if they do not."""
        if self.problem is None:
            try:
                self._snapshot.tables.check_whole(self._snapshot.log.head())
            except BadRows as error:
                self.problem = str(error)


def find_problem(snapshot: Snapshot) -> str | None:
    """Return the first reason for which an archive of the organization could not be restored; None if it
    could.
    """
    restorability = Restorability(snapshot)
    for table, pages in snapshot.tables.export(None):
        for page in pages:
            restorability.check(table, page, [encode(row) for row in in_slices(page)])
    restorability.check_whole()
    return restorability.problem
