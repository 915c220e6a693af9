"""The format of an archive, a ZIP file of tables and files; docs/archive.md describes it."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from chatcore.domain.errors import ChatcoreError
from chatcore.domain.ids import MAX_ID

FORMAT: Final = "chatcore archive"
VERSION: Final = 1
"""Programs read archives up to their own version. A new column that may be absent needs no new version."""

KEY: Final = r"\A[0-9a-f]{2}/[A-Za-z0-9_-]{1,100}\Z"
"""The form of the key of a file."""
MAX_LINE: Final = 32 * 2**20
"""Bytes of one row."""
MANIFEST: Final = "manifest.json"
FILES: Final = "files.jsonl"


class BadArchive(ChatcoreError):
    """The file cannot be restored, with the reason for people."""


def table_member(table: str) -> str:
    return f"tables/{table}.jsonl"


def file_member(key: str) -> str:
    return f"files/{key}"


Size = Annotated[int, msgspec.Meta(ge=0, le=2**50)]
Digest = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Id = Annotated[int, msgspec.Meta(ge=0, le=MAX_ID)]


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bytes of a member, unpacked."""

    size: Size
    sha256: Digest


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table: its member, which has a row in each line."""

    columns: tuple[str, ...]
    rows: Size
    member: Member


class Heading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The beginning of a manifest, of an archive or a backup."""

    format: str
    version: int
    made_at: Size
    """Seconds since 1970."""
    made_by: str
    """The program, with its version."""
    organization: str


class Manifest(Heading, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first part to be read, and the last to be written."""

    scope: str
    """The part of the organization: `everything`, `consented`, `public` or `person`."""
    head: Id
    """The last position in the log."""
    sequences: Mapping[str, Id]
    """The last id drawn by each table that draws ids."""
    tables: Mapping[str, Table]
    files: Member
    """The member with the list of files."""


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the list of files."""

    key: Annotated[str, msgspec.Meta(pattern=KEY)]
    size: Size | None = None
    """None for a file whose bytes were lost before the export."""
    sha256: Digest | None = None

    @property
    def member(self) -> Member | None:
        """Return the bytes; None if they were lost."""
        return None if self.size is None or self.sha256 is None else Member(self.size, self.sha256)


encode: Final = msgspec.json.Encoder().encode


def pretty(manifest: Heading) -> bytes:
    return msgspec.json.format(encode(manifest)) + b"\n"


def manifest_from(data: bytes) -> Manifest:
    """Read a manifest.

    :raises BadArchive: another format, a newer version, or not well-formed
    """
    try:
        # The version is read first, as a newer one may have other fields.
        untyped: Any = msgspec.json.decode(data)
        if not isinstance(untyped, dict) or untyped.get("format") != FORMAT:
            raise BadArchive("it is not an archive of this program")
        version = untyped.get("version")
        if not isinstance(version, int) or version < 1:
            raise BadArchive("its version cannot be read")
        if version > VERSION:
            raise BadArchive(
                f"it has version {version} of the format, and this program reads up to {VERSION};"
                " restore it with a newer version of the program"
            )
        return msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadArchive(f"its manifest cannot be read: {error}") from error
