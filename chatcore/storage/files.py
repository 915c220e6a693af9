"""The bytes of uploaded files, by key; their metadata is in the store.

A file is unfinished at first: one writer at a time appends to it, and it cannot be read. Finishing makes it
readable, complete and immutable. An implementation need not share a machine with the database.
"""

from collections.abc import Iterator
from typing import BinaryIO, Protocol

from chatcore.domain.files.uploads import UploadsDisabled
from chatcore.storage.transaction import StorageNotReady


class FileBusy(Exception):
    """Another writer has the file open."""


class FileMissing(Exception):
    """The file does not exist, or has fewer bytes than its writer expects."""


class FilesNotReady(StorageNotReady):
    """The store is temporarily out of reach."""


class FilesFull(FilesNotReady):
    """The store is out of space, over quota or read-only."""


class FileWriter(Protocol):
    """The only writer of an unfinished file, until it is closed."""

    def write(self, data: bytes) -> None:
        """Append bytes."""

    def cut(self, at: int) -> None:
        """Truncate the file to the first *at* bytes and continue there."""

    def sync(self) -> None:
        """Make the written bytes durable: when this returns, they survive a crash of the machine."""

    def close(self) -> None: ...


class FileStore(Protocol):
    """Store of files by key. Keys are two hex digits, a slash, and characters that are safe in URLs.

    Methods raise `FilesNotReady` if the store refuses.
    """

    def writer(self, key: str, at: int = 0) -> FileWriter:
        """Create a file, or continue one, keeping its first *at* bytes.

        :raises FileBusy: it has a writer
        :raises FileMissing: it has fewer bytes
        """

    def finish(self, key: str) -> None:
        """Make the file readable, durably; finishing a finished file has no effect.

        :raises FileMissing: there is none
        """

    def open(self, key: str) -> BinaryIO:
        """Open a finished file for random access, to be read and closed in the thread that has opened it.

        :raises FileMissing: there is none, or it is unfinished
        """

    def remove(self, key: str) -> None:
        """Remove a file, finished or not; a missing file is not an error."""

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Yield the key and the size, in bytes, of each finished file, in any order."""

    def free_space(self) -> int | None:
        """Return the number of bytes that can still be written; None if unknown."""

    def check(self) -> None:
        """Check that files can be read and written, as far as that is cheap.

        :raises FilesNotReady: they cannot
        """


class NoFiles:
    """A file store for programs that store messages only."""

    def writer(self, key: str, at: int = 0) -> FileWriter:
        raise UploadsDisabled

    def finish(self, key: str) -> None:
        raise FileMissing(key)

    def open(self, key: str) -> BinaryIO:
        raise FileMissing(key)

    def remove(self, key: str) -> None:
        """Do nothing, because there are no files."""

    def sizes(self) -> Iterator[tuple[str, int]]:
        return iter(())

    def free_space(self) -> int | None:
        return None

    def check(self) -> None:
        """Do nothing, because there are no files."""
