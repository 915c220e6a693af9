"""Events about user groups."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from chatcore.domain.ids import GroupId, UserId
from chatcore.events.happened.base import Event
from chatcore.events.payloads.groups import GroupShape
from chatcore.events.payloads.parts import SettingShape

MembersOp: TypeAlias = Literal["add_members", "remove_members"]
SubgroupsOp: TypeAlias = Literal["add_subgroups", "remove_subgroups"]


class GroupEvent(Event, frozen=True, kw_only=True):
    """An event about a user group, with its state after the change.

    Clients without the capability `include_deactivated_groups` are not notified about deactivated groups.
    """

    type = "user_group"
    group_id: GroupId
    deactivated: bool = False


class GroupCreated(GroupEvent, frozen=True, kw_only=True, tag="group_created"):
    group: GroupShape


class GroupChanged(GroupEvent, frozen=True, kw_only=True, tag="group_changed"):
    """A name, description or permission setting was changed."""

    data: Mapping[str, str | SettingShape]


class GroupDeactivated(GroupEvent, frozen=True, kw_only=True, tag="group_deactivated"):
    """A group was deactivated. Some clients see it as removed."""


class GroupReactivated(GroupEvent, frozen=True, kw_only=True, tag="group_reactivated"):
    """A group was reactivated. Some clients see it as new."""

    group: GroupShape


class GroupMembersChanged(GroupEvent, frozen=True, kw_only=True, tag="group_members_changed"):
    """Direct members were added or removed."""

    op: MembersOp
    user_ids: tuple[UserId, ...]
    out_of_sight: bool = False
    """Whether they are removed only because they are no longer visible to the audience."""


class SubgroupsChanged(GroupEvent, frozen=True, kw_only=True, tag="subgroups_changed"):
    """Direct subgroups were added or removed."""

    op: SubgroupsOp
    subgroup_ids: tuple[GroupId, ...]


AnyGroupEvent = (
    GroupCreated | GroupChanged | GroupDeactivated | GroupReactivated | GroupMembersChanged | SubgroupsChanged
)
