"""Texts that bots and other programs store by key; each belongs to one account."""

from collections.abc import Collection, Mapping
from typing import Protocol

from chatcore.domain.ids import UserId


class BotStorage(Protocol):
    def get(self, user_id: UserId, keys: Collection[str] | None) -> Mapping[str, str]:
        """Return the values of those of the keys that exist; with None, of all keys."""

    def size(self, user_id: UserId) -> tuple[int, int]:
        """Return the number of keys, and the number of characters in all keys and values."""

    def put(self, user_id: UserId, values: Mapping[str, str]) -> None:
        """Store values, replacing those of existing keys."""

    def remove(self, user_id: UserId, keys: Collection[str] | None) -> int:
        """Remove keys, or all with None; return how many there were."""
