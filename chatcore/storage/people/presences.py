"""Presences: when users were last online."""

from collections.abc import Mapping
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.people.presence import Presence


class Presences(Protocol):
    """Presences by user. Each change has a higher number than all before, so that
    clients can query changes.
    """

    def find(self, user_id: UserId) -> Presence | None: ...

    def since(self, update_id: int, connected_from: int) -> Mapping[UserId, Presence]:
        """Return presences changed after *update_id* and not older than *connected_from*, by user."""

    def newest_update(self) -> int:
        """Return the number of the newest change; -1 if there is none."""

    def put(self, user_id: UserId, presence: Presence) -> None: ...
