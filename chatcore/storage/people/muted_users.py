"""Muted users, with their muting periods."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages.messages import Message


class MutedUsers(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[UserId, int]:
        """Return the users muted by the user and since when, in order of muting."""

    def count_periods(self, user_id: UserId) -> int:
        """Return how often the user has muted anybody, including past mutings."""

    def who_muted(self, muted_id: UserId) -> frozenset[UserId]:
        """Return the users who have muted this user."""

    def had_muted(
        self, messages: Sequence[Message], user_ids: Collection[UserId]
    ) -> Mapping[MessageId, frozenset[UserId]]:
        """Return, by message, those of the users who had muted its sender when it was sent; messages without
        such users are omitted.
        """

    def add(self, user_id: UserId, muted_id: UserId, at: int, position: Position) -> None:
        """Mute a user: messages sent from *position* on are read on arrival, unless marked as unread."""

    def remove(self, user_id: UserId, muted_id: UserId, position: Position) -> None:
        """Unmute a user: messages sent before *position* stay as they are."""
