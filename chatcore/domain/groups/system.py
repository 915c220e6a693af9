"""System groups: the groups that follow from roles.

They are created with the organization, before any other group, and so have fixed ids.
"""

from collections.abc import Mapping
from enum import IntEnum
from functools import cache

from chatcore.domain.ids import GroupId
from chatcore.domain.roles import Role


class SystemGroup(IntEnum):
    """Ids of the groups that follow from roles, in the order of their creation."""

    NOBODY = 1
    OWNERS = 2
    ADMINISTRATORS = 3
    MODERATORS = 4
    FULL_MEMBERS = 5
    MEMBERS = 6
    EVERYONE = 7
    INTERNET = 8

    @property
    def group_name(self) -> str:
        return "role:" + self.name.lower().replace("_", "")

    @property
    def group_id(self) -> GroupId:
        return GroupId(int(self))

    @property
    def direct_subgroup(self) -> "SystemGroup | None":
        """The next smaller system group, a direct subgroup: internet ⊃ everyone ⊃ … ⊃ owners."""
        return None if self <= SystemGroup.OWNERS else SystemGroup(self - 1)

    @property
    def shown_as(self) -> str:
        """Display name in texts that mention the group."""
        return SHOWN_AS[self]


SHOWN_AS: Mapping[SystemGroup, str] = {
    SystemGroup.NOBODY: "Nobody",
    SystemGroup.OWNERS: "Owners",
    SystemGroup.ADMINISTRATORS: "Administrators",
    SystemGroup.MODERATORS: "Moderators",
    SystemGroup.FULL_MEMBERS: "Full members",
    SystemGroup.MEMBERS: "Members",
    SystemGroup.EVERYONE: "Everyone",
    SystemGroup.INTERNET: "Everyone on the internet",
}


FIRST_NAMED_GROUP = max(SystemGroup) + 1
"""First id of groups that users create."""


def is_system_group(group_id: int) -> bool:
    return 1 <= group_id < FIRST_NAMED_GROUP


SMALLEST_GROUP_OF_ROLE: Mapping[Role, SystemGroup] = {
    Role.OWNER: SystemGroup.OWNERS,
    Role.ADMINISTRATOR: SystemGroup.ADMINISTRATORS,
    Role.MODERATOR: SystemGroup.MODERATORS,
    Role.MEMBER: SystemGroup.MEMBERS,
    Role.GUEST: SystemGroup.EVERYONE,
}


@cache
def system_groups_of(role: Role, *, full_member: bool) -> frozenset[GroupId]:
    """Return all system groups that a user of this role is in, directly or through a subgroup."""
    smallest = SMALLEST_GROUP_OF_ROLE[role]
    if role == Role.MEMBER and full_member:
        smallest = SystemGroup.FULL_MEMBERS
    return frozenset(group.group_id for group in SystemGroup if group >= smallest)


def direct_system_groups_of(role: Role, *, full_member: bool) -> frozenset[SystemGroup]:
    """Return the system groups that list a user of this role as a direct member.

    A full member is in both `role:members` and `role:fullmembers`.
    """
    smallest = SMALLEST_GROUP_OF_ROLE[role]
    if role == Role.MEMBER and full_member:
        return frozenset({smallest, SystemGroup.FULL_MEMBERS})
    return frozenset({smallest})
