"""Drafts; each belongs to one user, and nobody else's can be named."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.drafts import Draft, DraftContent
from chatcore.domain.ids import UserId


class Drafts(Protocol):
    def find(self, user_id: UserId, draft_id: int) -> Draft | None:
        """One of the user's drafts."""

    def newest(self, user_id: UserId, limit: int) -> Sequence[Draft]:
        """The user's drafts that were edited last, newest first."""

    def count(self, user_id: UserId) -> int: ...

    def size(self, user_id: UserId) -> int:
        """About how many bytes the user's drafts take when they are read, all together."""

    def add(self, user_id: UserId, drafts: Sequence[DraftContent], now: int) -> Sequence[Draft]:
        """Store drafts, in this order; those without a time get *now*."""

    def update(self, draft: Draft) -> None:
        """Write a draft that was found before."""

    def remove(self, user_id: UserId, draft_id: int) -> bool:
        """Remove one of the user's drafts; whether there was one."""
