"""The exports that administrators have requested."""

from collections.abc import Collection, Sequence
from typing import Protocol

from chatcore.domain.archives.exports import Export, ExportType
from chatcore.domain.ids import ExportId, UserId


class Exports(Protocol):
    def find(self, export_id: int) -> Export | None: ...

    def find_by_token(self, token: str) -> Export | None: ...

    def all(self) -> Sequence[Export]:
        """Return all exports, oldest first."""

    def pending(self) -> Sequence[Export]:
        """Return the exports that have neither ended nor failed, oldest first."""

    def add(self, acting_user_id: UserId, export_type: ExportType, token: str, now: int) -> Export: ...

    def update(self, export: Export) -> None:
        """Write an export that was found before."""

    def remove(self, export_ids: Collection[ExportId]) -> None: ...
