"""Legal holds."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.retention.holds import Hold, Holds


class LegalHolds(Protocol):
    def all(self) -> Sequence[Hold]:
        """Return every hold, by ascending id."""

    def present(self) -> Holds:
        """Return what is held."""

    def add(self, hold: Hold) -> Hold:
        """Store a hold; return it with its id."""

    def remove(self, hold_id: int) -> None:
        """Remove a hold."""
