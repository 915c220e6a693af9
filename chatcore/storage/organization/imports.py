"""Imported messages of other systems, so that none is imported twice, and the files that they came from."""

from collections.abc import Collection, Mapping
from typing import Protocol


class Imports(Protocol):
    def sources(self) -> Mapping[str, tuple[int, bool]]:
        """Return for each source (named by its digest) how many of its lines were noted, and whether its
        import is finished.
        """

    def note(self, source: str, lines: int, *, finished: bool = False) -> None:
        """Store the progress of importing a source."""

    def known(self, digests: Collection[str]) -> set[str]:
        """Return those of the messages (named by their digests) that were imported."""

    def add(self, digests: Collection[str]) -> None:
        """Store that messages, none of them known, are imported."""
