"""User groups: the system groups, which always exist, and user-created ones."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol, TypedDict, Unpack

from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import GroupId, UserId

Edges = Mapping[GroupId, frozenset[GroupId]]
"""Maps groups to their direct subgroups, or to their direct supergroups; groups without any are omitted."""


class OptionalGroupFields(TypedDict, total=False):
    """The fields of `Group` with defaults."""

    description: str
    creator_id: UserId | None
    date_created: int | None
    deactivated: bool
    settings: Mapping[str, GroupSetting]


class NewGroup(OptionalGroupFields):
    """A group without an id."""

    name: str


class GroupFields(TypedDict, total=False):
    """The fields of a group that can change."""

    name: str
    description: str
    deactivated: bool
    settings: Mapping[str, GroupSetting]


class Groups(Protocol):
    def find(self, group_id: int) -> Group | None: ...

    def by_ids(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Group]:
        """Return those of the groups that exist."""

    def by_names(self, names: Collection[str]) -> Sequence[Group]:
        """Return the groups with exactly one of these names, by ascending id."""

    def all(self) -> Sequence[Group]:
        """Return every group, including deactivated ones, by ascending id."""

    def count(self) -> int: ...

    def add(self, new: NewGroup) -> Group:
        """Add a group without members."""

    def update(self, group_id: GroupId, **fields: Unpack[GroupFields]) -> None: ...

    # -- members ------------------------------------------------------------------------------------

    def direct_members(self, group_ids: Collection[GroupId], now: int) -> Mapping[GroupId, Sequence[UserId]]:
        """Return the active direct members of each group, ascending; those of system groups as of *now*."""

    def direct_members_among(self, group_id: GroupId, user_ids: Collection[UserId]) -> frozenset[UserId]:
        """Return those of the users, active or not, who are direct members of a user-created group."""

    def members(self, group_ids: Collection[GroupId], now: int) -> frozenset[UserId]:
        """Return the active users who are direct members of any of the groups."""

    def of_user(self, user_id: UserId) -> Sequence[GroupId]:
        """Return the user-created groups of which a user, active or not, is a direct member, ascending."""

    def add_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None:
        """Add users who are not direct members yet."""

    def remove_members(self, group_id: GroupId, user_ids: Collection[UserId]) -> None: ...

    def joined_between(self, after: int, up_to: int) -> Sequence[UserId]:
        """Return the active users with the member role who joined in that time, ascending."""

    def full_members_announced(self) -> int | None:
        """Return the time up to which users who became full members by waiting have been announced."""

    def note_full_members_announced(self, up_to: int) -> None: ...

    # -- subgroups ----------------------------------------------------------------------------------

    def direct_subgroups(self, group_ids: Collection[GroupId]) -> Mapping[GroupId, Sequence[GroupId]]:
        """Return the direct subgroups of each group, ascending."""

    def direct_supergroups(self, group_id: GroupId) -> Sequence[GroupId]:
        """Return the groups that contain a group directly, ascending."""

    def edges_below(self, group_ids: Collection[GroupId]) -> Edges:
        """Return the direct subgroups of these groups, those of the subgroups, and so on to the bottom."""

    def edges_above(self, group_ids: Collection[GroupId]) -> Edges:
        """Return the direct supergroups of these groups, those of the supergroups, and so on to the top."""

    def add_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None:
        """Add subgroups that the group does not contain directly yet."""

    def remove_subgroups(self, group_id: GroupId, subgroup_ids: Collection[GroupId]) -> None: ...
