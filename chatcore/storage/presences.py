"""When people were last there."""

from collections.abc import Mapping
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.presence import Presence


class Presences(Protocol):
    """Each change has a number higher than all before it, so that one can ask for what is new."""

    def find(self, user_id: UserId) -> Presence | None: ...

    def since(self, update_id: int, connected_from: int) -> Mapping[UserId, Presence]:
        """The presences that changed after *update_id* and are not from before *connected_from*, by user."""

    def newest_update(self) -> int:
        """The number of the newest change; -1 where there is none."""

    def put(self, user_id: UserId, presence: Presence) -> None: ...
