"""Checks of group-setting values of channels, groups and the organization, and of members for groups."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from chatcore.application.units import Unit, View
from chatcore.application.visibility.known_users import deactivated_among
from chatcore.domain.errors import BadRequest, ExpectationMismatch, invalid_user_id
from chatcore.domain.groups.groups import Group, require_active
from chatcore.domain.groups.nesting import depth_with, would_make_a_cycle
from chatcore.domain.groups.permissions import GroupSetting, Permission
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.people.users import User


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A new value, and optionally the old value that the client expects."""

    new: GroupSetting
    old: GroupSetting | None = None


def check_group_setting(view: View, permission: Permission, value: GroupSetting) -> None:
    """Refuse a value that a permission setting does not accept.

    :raises BadRequest: an unknown or deactivated group or user, or a group that the setting excludes
    :raises SystemGroupRequired: the setting accepts only system groups
    """
    if len(value.groups) + len(value.members) > view.limits.max_named_in_setting:
        raise BadRequest(f"A setting can name {view.limits.max_named_in_setting} people and groups at most.")
    usable_groups(view, value.groups)
    active_users(view, value.members)
    permission.check(value)


def changed_value(
    view: View, permission: Permission, current: GroupSetting, change: SettingChange
) -> GroupSetting | None:
    """Return the value to store; None if it equals the current one.

    The new value and the expected old one are compared with the current value as clients see it, without
    deactivated users.

    :raises ExpectationMismatch: the old value that the client expects is stale
    :raises BadRequest: see `check_group_setting`
    """
    seen = current.without(deactivated_among(view.snapshot, current.members))
    if change.old is not None and change.old != seen:
        raise ExpectationMismatch("old")
    if change.new == seen:
        return None
    check_group_setting(view, permission, change.new)
    return change.new


def usable_groups(view: View, given: Iterable[GroupId]) -> list[Group]:
    """Return the groups, each of which can be part of a value or of another group.

    :raises BadRequest: too many groups, or an unknown or deactivated one
    """
    group_ids = frozenset(given)
    if len(group_ids) > view.limits.max_ids_per_request:
        raise BadRequest("Too many user groups")
    if not group_ids:
        return []
    groups = view.snapshot.groups.by_ids(group_ids)
    for group_id in sorted(group_ids):
        group = groups.get(group_id)
        if group is None:
            raise BadRequest(f"Invalid user group ID: {group_id}")
        require_active(group)
    return list(groups.values())


def active_users(view: View, given: Iterable[UserId]) -> list[User]:
    """Return the users, each of whom can be part of a value or of a group.

    :raises BadRequest: too many users, an unknown or deactivated one, or the organization's own bot
    """
    user_ids = frozenset(given)
    if not user_ids:
        return []
    if len(user_ids) > view.limits.max_ids_per_request:
        raise BadRequest("Too many users")
    users = view.snapshot.users.by_ids(user_ids)
    own_bot = view.snapshot.organization.get().notification_bot_id
    for user_id in sorted(user_ids):
        user = users.get(user_id)
        if user is None or not user.is_active or user_id == own_bot:
            raise invalid_user_id(user_id)
    return list(users.values())


def require_fits(
    unit: Unit,
    group: Group,
    subgroup_ids: Collection[GroupId],
    present: Collection[GroupId] = (),
) -> None:
    """Refuse subgroups that would, with the *present* ones, create a cycle, or be too many or too deep."""
    if len(present) + len(subgroup_ids) > unit.limits.max_direct_subgroups:
        raise BadRequest(f"A user group can have {unit.limits.max_direct_subgroups} subgroups at most.")
    above, below = unit.tx.groups.edges_above([group.id]), unit.tx.groups.edges_below(subgroup_ids)
    if would_make_a_cycle(group.id, subgroup_ids, above=above):
        raise BadRequest("A user group cannot be a subgroup of itself, directly or through other groups.")
    if depth_with(group.id, subgroup_ids, above=above, below=below) > unit.limits.max_group_depth:
        raise BadRequest(f"User groups cannot be nested deeper than {unit.limits.max_group_depth} levels.")
