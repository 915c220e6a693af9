"""The exports that administrators have requested."""

from collections.abc import Collection, Sequence
from typing import Protocol

from chatcore.domain.archives.exports import Export
from chatcore.domain.ids import ExportId


class Exports(Protocol):
    def find(self, export_id: int) -> Export | None: ...

    def find_by_token(self, token: str) -> Export | None: ...

    def all(self) -> Sequence[Export]:
        """Return all exports, oldest first."""

    def pending(self) -> Sequence[Export]:
        """Return the exports that have neither ended nor failed, oldest first."""

    def add(self, export: Export) -> Export:
        """Store an export; return it with its id."""

    def update(self, export: Export) -> None:
        """Write an export that was found before."""

    def remove(self, export_ids: Collection[ExportId]) -> None: ...
