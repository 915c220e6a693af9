"""How far imports have come, so that one that was broken off goes on where it stopped."""

from typing import Protocol


class Imports(Protocol):
    def find(self, source: str) -> tuple[int, bool] | None:
        """How many lines of a source (named by its digest) are in the store, and whether that is all."""

    def note(self, source: str, lines: int, *, finished: bool = False) -> None:
        """Write how far the import of a source has come."""
