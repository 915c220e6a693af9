"""The bytes of uploaded files, by key; what is known of them is in the store beside.

A file is unfinished at first: it grows at its end, by one writer at a time, and cannot be read. Finishing
makes it readable, whole and for good. Whoever implements this need not share a machine with the database.
"""

from typing import BinaryIO, Protocol

from chatcore.domain.uploads import UploadsDisabled
from chatcore.storage.transaction import StorageNotReady


class FileBusy(Exception):
    """Somebody else is writing the file."""


class FileMissing(Exception):
    """The file is not there, or has fewer bytes than its writer counts on."""


class FilesNotReady(StorageNotReady):
    """There is no room for more just now, or nothing can be changed: a disk is full, or read-only."""


class FileWriter(Protocol):
    """The only writer of an unfinished file, until it is closed."""

    def write(self, data: bytes) -> None:
        """Put bytes behind those that are there."""

    def cut(self, at: int) -> None:
        """Remove all but the first *at* bytes, and go on there."""

    def sync(self) -> None:
        """When this returns, what was written outlives a crash of the machine."""

    def close(self) -> None: ...


class FileStore(Protocol):
    """Keys are two hex digits, a slash, and characters that are safe in URLs.

    Whatever writes or removes raises `FilesNotReady` where the disk refuses.
    """

    def writer(self, key: str, at: int = 0) -> FileWriter:
        """Begin a file, or go on with one of which the first *at* bytes are to stay.

        :raises FileBusy: it has a writer
        :raises FileMissing: it has fewer bytes
        """

    def finish(self, key: str) -> None:
        """Make the file readable, durably; what was finished before stays so.

        :raises FileMissing: there is none
        """

    def open(self, key: str) -> BinaryIO:
        """A finished file, for reading at any place.

        :raises FileMissing: there is none, or it is unfinished
        """

    def remove(self, key: str) -> None:
        """Remove a file, finished or not; one that is not there is no error."""

    def free_space(self) -> int | None:
        """Bytes that can still be written; None where that is not known."""


class NoFiles:
    """For programs that store messages only."""

    def writer(self, key: str, at: int = 0) -> FileWriter:
        raise UploadsDisabled

    def finish(self, key: str) -> None:
        raise FileMissing(key)

    def open(self, key: str) -> BinaryIO:
        raise FileMissing(key)

    def remove(self, key: str) -> None:
        """There is nothing."""

    def free_space(self) -> int | None:
        return None
