"""User groups: the system groups, which are there from the beginning, and those that people make."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from chatcore.domain.groups import Group
from chatcore.domain.ids import GroupId, UserId

Edges = Mapping[GroupId, frozenset[GroupId]]
"""From groups to the groups that they hold, or that hold them; without those that have none."""


class Groups(Protocol):
    def find(self, group_id: int) -> Group | None: ...

    def by_ids(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Group]:
        """Those of the groups that exist."""

    def by_names(self, names: Collection[str]) -> Sequence[Group]:
        """The groups with exactly one of these names, by ascending id."""

    def all(self) -> Sequence[Group]:
        """Every group, deactivated ones too, by ascending id."""

    def count(self) -> int: ...

    def add(self, fields: Mapping[str, Any]) -> Group:
        """A new group from the fields of `Group` without `id`, with nobody in it."""

    def update(self, group_id: GroupId, **fields: Any) -> None: ...

    # -- members ------------------------------------------------------------------------------------

    def direct_members(self, group_ids: Collection[GroupId], now: int) -> Mapping[GroupId, Sequence[UserId]]:
        """The active direct members, ascending, of each of the groups; those of system groups as of *now*."""

    def direct_members_among(self, group_id: GroupId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        """Which of the users are direct members of a group that people made, deactivated users too."""

    def members(self, group_ids: Collection[GroupId], now: int) -> frozenset[UserId]:
        """The active users who are direct members of any of the groups."""

    def of_user(self, user_id: UserId) -> Sequence[GroupId]:
        """The groups made by people of which a user, active or not, is a direct member, ascending."""

    def add_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None:
        """Make users direct members, who are none yet."""

    def remove_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None: ...

    def joined_between(self, after: int, up_to: int) -> Sequence[UserId]:
        """The active users with the member role who joined in that time, ascending."""

    def full_members_announced(self) -> int | None:
        """Up to which moment it was announced who became a full member by waiting."""

    def note_full_members_announced(self, up_to: int) -> None: ...

    # -- subgroups ----------------------------------------------------------------------------------

    def direct_subgroups(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Sequence[GroupId]]:
        """What each of the groups holds itself, ascending."""

    def direct_supergroups(self, group_id: GroupId) -> Sequence[GroupId]:
        """The groups that hold a group themselves, ascending."""

    def below(self, group_ids: Collection[GroupId]) -> Edges:
        """All that can be reached from these groups, as edges from groups to their subgroups."""

    def above(self, group_ids: Collection[GroupId]) -> Edges:
        """All that these groups can be reached from, as edges from groups to those that hold them."""

    def add_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None:
        """Put groups into a group, which are not in it yet."""

    def remove_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None: ...
