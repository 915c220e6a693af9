"""Custom emoji of the organization; their pictures are in the file store."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

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

    def add(self, emoji: CustomEmoji) -> CustomEmoji:
        """Write a new emoji, whatever its id is, under a name that no active one has; return it with the id
        that it got.
        """

    def deactivate(self, emoji: CustomEmoji) -> None:
        """Deactivate an emoji: it can no longer be chosen, and its name is free."""
