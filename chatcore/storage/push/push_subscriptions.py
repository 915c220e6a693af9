"""Subscriptions of browsers to pushes."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.push.subscriptions import PushSubscription


class PushSubscriptions(Protocol):
    def find(self, subscription_id: int) -> PushSubscription | None: ...

    def of_user(self, user_id: UserId) -> Sequence[PushSubscription]:
        """Return those of a person, the oldest first."""

    def subscribers(self) -> frozenset[UserId]:
        """Return the people who have a subscription."""

    def put(self, subscription: PushSubscription, *, keep: int) -> int:
        """Store one in place of that with the same endpoint, whosever it is; keep the newest of the person.
        Return its id.
        """

    def remove(self, user_id: UserId, subscription_id: int) -> bool:
        """Remove one of a person; return whether it existed."""

    def remove_ended(self, user_id: UserId, *, also_of_keys: bool = False) -> None:
        """Remove those of a person whose sessions do not exist any more."""

    def remove_all(self) -> None:
        """Remove those of everybody."""
