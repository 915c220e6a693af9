"""User groups, and settings that name one."""

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec

from chatcore.domain.choices import Value
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.permissions import GROUP_PERMISSIONS
from chatcore.domain.ids import GroupId, UserId
from chatcore.events.payloads.objects import GroupObject
from chatcore.events.payloads.parts import Payload, SettingShape

__all__ = [
    "GroupAddEvent",
    "GroupMembersEvent",
    "GroupRemoveEvent",
    "GroupUpdateEvent",
    "SubgroupsEvent",
]


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
        **{name: group.setting(name).as_sent(hidden=hidden) for name in GROUP_PERMISSIONS},
    )


class GroupAddEvent(Payload):
    type: Literal["user_group"]
    op: Literal["add"]
    group: GroupObject


class GroupUpdateEvent(Payload):
    type: Literal["user_group"]
    op: Literal["update"]
    group_id: int
    data: dict[str, Value | SettingShape]


class GroupRemoveEvent(Payload):
    """A group was deactivated, for clients without the capability `include_deactivated_groups`."""

    type: Literal["user_group"]
    op: Literal["remove"]
    group_id: int


class GroupMembersEvent(Payload):
    type: Literal["user_group"]
    op: Literal["add_members", "remove_members"]
    group_id: int
    user_ids: list[int]


class SubgroupsEvent(Payload):
    type: Literal["user_group"]
    op: Literal["add_subgroups", "remove_subgroups"]
    group_id: int
    direct_subgroup_ids: list[int]
