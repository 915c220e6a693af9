"""User groups, and settings that name one."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import msgspec

from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.permissions import GROUP_PERMISSIONS
from chatcore.domain.ids import GroupId, UserId

SettingShape = int | dict[str, list[int]]


class GroupFields(msgspec.Struct, kw_only=True):
    """A user group with its direct members and subgroups, without its permission settings."""

    id: int
    name: str
    description: str
    creator_id: int | None
    date_created: int | None
    members: list[int]
    direct_subgroup_ids: list[int]
    is_system_group: bool
    deactivated: bool


if TYPE_CHECKING:
    GroupShape = GroupFields
else:
    GroupShape = msgspec.defstruct(
        "GroupShape", [(name, SettingShape) for name in GROUP_PERMISSIONS], bases=(GroupFields,), kw_only=True
    )
    """The complete group, with a setting for each permission."""


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
