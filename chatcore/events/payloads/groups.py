"""User groups, and settings that name one."""

from collections.abc import Collection, Iterable
from typing import TypeAlias

import msgspec

from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.permissions import GROUP_PERMISSIONS
from chatcore.domain.ids import GroupId, UserId

SettingShape: TypeAlias = int | dict[str, list[int]]
"""The holders of a permission: the id of a group, or `direct_members` and `direct_subgroups`."""


class GroupShape(msgspec.Struct, kw_only=True):
    """A user group with its direct members and subgroups."""

    id: int
    name: str
    description: str
    creator_id: int | None
    date_created: int | None
    members: list[int]
    direct_subgroup_ids: list[int]
    is_system_group: bool
    deactivated: bool
    can_add_members_group: SettingShape
    can_join_group: SettingShape
    can_leave_group: SettingShape
    can_manage_group: SettingShape
    can_mention_group: SettingShape
    can_remove_members_group: SettingShape


def group_shape(
    group: Group,
    *,
    members: Iterable[UserId],
    subgroups: Iterable[GroupId],
    hidden: Collection[UserId],
) -> GroupShape:
    """Return the shape of a group without the *hidden* users in its settings: deactivated users, and users
    not visible to the reader. The caller has already left them out of *members*.
    """
    return GroupShape(
        id=group.id,
        name=group.name,
        description=group.description,
        creator_id=group.creator_id,
        date_created=group.date_created,
        members=sorted(members),
        direct_subgroup_ids=sorted(subgroups),
        is_system_group=group.is_system_group,
        deactivated=group.deactivated,
        **{name: group.setting(name).wire(hidden=hidden) for name in GROUP_PERMISSIONS},
    )
