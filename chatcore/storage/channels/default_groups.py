"""Default channel groups."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.channels.default_groups import DefaultGroup
from chatcore.domain.ids import DefaultGroupId


class DefaultGroups(Protocol):
    def all(self) -> Sequence[DefaultGroup]:
        """Return all groups, oldest first."""

    def add(self, group: DefaultGroup) -> DefaultGroup:
        """Add a group; return it with its id, which was never used before."""

    def update(self, group: DefaultGroup) -> None:
        """Write a group that was read before."""

    def remove(self, group_id: DefaultGroupId) -> None: ...
