"""Copies of a whole database in the form of its own kind, for backups. Not every store can make them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from chatcore.domain.errors import ChatcoreError
from chatcore.storage.transaction import Snapshot, Store

T = TypeVar("T")


class CannotCopy(ChatcoreError):
    """A copy cannot be made or used, with the reason for people."""


@runtime_checkable
class CopiedStore(Store, Protocol):
    """A store whose database can be copied while it is in use."""

    @property
    def kind(self) -> str:
        """Return the kind of the database: only another one of the same kind can be filled from a copy."""

    def migrations(self) -> Sequence[str]:
        """Return the names of all migrations of this program, in their order."""

    def copy_to(self, file: Path, read: Callable[[Snapshot], T]) -> T:
        """Copy one snapshot to a new file, which only its owner can read; return what *read* finds in the
        same snapshot. Writers do not wait for it.

        A copy knows that it is one: all clients of a server that opens it register anew.

        :raises OSError: the file is there, or cannot be made
        :raises CannotCopy: the disk is full; a program of the database is missing, too old, or has failed
        """

    def is_empty(self) -> bool:
        """Whether `fill_from` can be used: nothing is in the database, or its file does not exist.

        :raises StorageNotReady: it cannot be reached
        """

    def fill_from(self, file: Path) -> None:
        """Make a copy the contents of the empty database, all or nothing.

        :raises OSError: it cannot be read or written
        :raises CannotCopy: as `copy_to` does
        """
