"""Faults of a store: rows that contradict others, though each can be read. Not every store looks for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from chatcore.storage.transaction import Store


class Subject(StrEnum):
    """A subject of faults, which are looked for together."""

    SEARCH = "search"
    """The words by which messages are found, and the messages."""
    FLAGS = "flags"
    """Flags and watermarks, and the messages that they belong to."""
    COUNTS = "counts"
    """Numbers and notes that follow from other rows, and those rows."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Rows with the same fault."""

    rows: int
    problem: str
    """The rows in words, with their fault: "messages that a search does not find"."""


@runtime_checkable
class ExaminedStore(Store, Protocol):
    """A store that can look for faults while it is in use."""

    def find_faults(self, subject: Subject, *, repair: bool = False) -> Sequence[Fault]:
        """Return the faults of a subject; with *repair*, each is mended from the rows that it follows from.

        Each step reads or writes a bounded part of the messages, and others come between.
        """
