"""Whom people have muted."""

from collections.abc import Mapping
from typing import Protocol

from chatcore.domain.ids import UserId


class MutedUsers(Protocol):
    def of_user(self, user_id: UserId) -> Mapping[UserId, int]:
        """Whom the user has muted, the first one first, and since when."""

    def who_muted(self, muted_id: UserId) -> frozenset[UserId]:
        """The users who have muted that one."""

    def add(self, user_id: UserId, muted_id: UserId, at: int) -> None: ...

    def remove(self, user_id: UserId, muted_id: UserId) -> None: ...
