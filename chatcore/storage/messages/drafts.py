"""Drafts; each belongs to one user and is accessible only through that user."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.messages.drafts import Draft, DraftContent


class Drafts(Protocol):
    def find(self, user_id: UserId, draft_id: int) -> Draft | None:
        """Return one of the user's drafts."""

    def newest(self, user_id: UserId, limit: int) -> Sequence[Draft]:
        """Return the user's most recently edited drafts, newest first."""

    def count(self, user_id: UserId) -> int: ...

    def size(self, user_id: UserId) -> int:
        """Return the approximate number of bytes of all of the user's drafts when they are read."""

    def add(self, user_id: UserId, drafts: Sequence[DraftContent], now: int) -> Sequence[Draft]:
        """Store drafts, in this order; those without a time get *now*."""

    def update(self, draft: Draft) -> None:
        """Write a draft that was found before."""

    def remove(self, user_id: UserId, draft_id: int) -> bool:
        """Remove one of the user's drafts; return whether it existed."""
