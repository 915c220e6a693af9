"""Pushes that wait for browsers."""

from collections.abc import Collection
from typing import Protocol

from chatcore.domain.ids import RecipientId, UserId
from chatcore.domain.push.pushes import Push


class Pushes(Protocol):
    def find(self, push_id: int) -> Push | None: ...

    def find_of(self, subscription_id: int, recipient_id: RecipientId, topic_key: str) -> Push | None:
        """Return the one about a conversation that waits for a browser."""

    def first_due(self, *, but_of: Collection[UserId] = ()) -> Push | None:
        """Return the push to send next, of those to other people.

        Cheap enough to be called every second.
        """

    def count(self) -> int: ...

    def count_to(self, user_id: UserId) -> int:
        """Return the number of those that wait for browsers of a person."""

    def add(self, push: Push) -> None: ...

    def update(self, push: Push) -> None:
        """Write one that was found before."""

    def remove(self, push_id: int) -> None: ...
