"""Custom emoji of the organization; their pictures are in the file store."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.organization.custom_emoji import CustomEmoji


class CustomEmojis(Protocol):
    def all(self) -> Sequence[CustomEmoji]:
        """Return all emoji including deactivated ones, oldest first."""

    def active(self, names: Collection[str]) -> Mapping[str, CustomEmoji]:
        """Return those of these names that can be chosen, by name."""

    def find(self, token: str) -> CustomEmoji | None:
        """Return the emoji whose picture has this token in its URL."""

    def count(self) -> int:
        """Return the number of emoji, including deactivated ones."""

    def add(
        self, name: str, author_id: UserId, *, token: str, content_type: str, is_animated: bool
    ) -> CustomEmoji:
        """Add an emoji under a name that no active one has."""

    def deactivate(self, emoji: CustomEmoji) -> None:
        """Deactivate an emoji: it can no longer be chosen, and its name is free."""
