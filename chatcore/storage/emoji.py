"""The organization's own emoji; their pictures are in the file store."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.custom_emoji import CustomEmoji
from chatcore.domain.ids import UserId


class CustomEmojis(Protocol):
    def all(self) -> Sequence[CustomEmoji]:
        """Every one, the deactivated ones too, the oldest first."""

    def active(self, names: Collection[str]) -> Mapping[str, CustomEmoji]:
        """Those of these names that can be chosen, by name."""

    def find(self, token: str) -> CustomEmoji | None:
        """The one whose picture has this in its address."""

    def count(self) -> int:
        """How many there are, the deactivated ones too."""

    def add(
        self, name: str, author_id: UserId, *, token: str, content_type: str, is_animated: bool
    ) -> CustomEmoji:
        """A new one, under a name that no active one has."""

    def deactivate(self, emoji: CustomEmoji) -> None:
        """From now on it cannot be chosen, and its name is free."""
