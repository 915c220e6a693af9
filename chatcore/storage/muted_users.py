"""Whom people have muted, and when."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages import Message


class MutedUsers(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[UserId, int]:
        """Whom the user has muted, the first one first, and since when."""

    def count_periods(self, user_id: UserId) -> int:
        """How often the user has muted somebody, now or before."""

    def who_muted(self, muted_id: UserId) -> frozenset[UserId]:
        """The users who have muted that one."""

    def had_muted(
        self, messages: Sequence[Message], user_ids: Collection[UserId]
    ) -> Mapping[MessageId, frozenset[UserId]]:
        """Who of the users had muted the sender of a message when it was sent, where anybody had."""

    def add(self, user_id: UserId, muted_id: UserId, at: int, position: Position) -> None:
        """Mute somebody: what is sent from *position* on is read, but for what is marked as unread."""

    def remove(self, user_id: UserId, muted_id: UserId, position: Position) -> None:
        """Mute somebody no longer: what was sent before *position* stays as it is."""
