"""Texts that programs keep by key; each belongs to one account."""

from collections.abc import Collection, Mapping
from typing import Protocol

from chatcore.domain.ids import UserId


class BotStorage(Protocol):
    def get(self, user_id: UserId, keys: Collection[str] | None) -> Mapping[str, str]:
        """The values of those of the keys that are there; of all keys where None are named."""

    def size(self, user_id: UserId) -> tuple[int, int]:
        """How many keys there are, and how many characters in all keys and values."""

    def put(self, user_id: UserId, values: Mapping[str, str]) -> None:
        """Keep values, in place of those that the keys have."""

    def remove(self, user_id: UserId, keys: Collection[str] | None) -> int:
        """Forget keys, or all where None are named; how many there were."""
