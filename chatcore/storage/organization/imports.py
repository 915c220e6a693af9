"""Progress of imports, so that an interrupted one continues where it stopped."""

from typing import Protocol


class Imports(Protocol):
    def find(self, source: str) -> tuple[int, bool] | None:
        """Return how many lines of a source (named by its digest) are stored, and whether it is finished."""

    def note(self, source: str, lines: int, *, finished: bool = False) -> None:
        """Store the progress of importing a source."""
