"""Listing user groups, their members and their subgroups."""

from collections.abc import Collection
from typing import Annotated, TypeAlias

from chatcore.application.arguments import UserNumber, about
from chatcore.application.units import View, read_only
from chatcore.application.visibility.groups import group_shapes
from chatcore.application.visibility.users import no_such_user
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.nesting import closure
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.organization.administration import require_no_guest
from chatcore.events.payloads.groups import GroupShape
from chatcore.storage import Snapshot

GroupNumber: TypeAlias = Annotated[int, about("The group's id.")]
WithoutSubgroups: TypeAlias = Annotated[bool, about("Leave out the members of subgroups.")]


@read_only
def list_groups(
    view: View,
    me: Actor,
    *,
    include_deactivated: Annotated[bool, about("Include deactivated groups.")] = False,
) -> list[GroupShape]:
    """List the user groups of the organization.

    :returns: groups by id, with their direct members and subgroups
    :raises BadRequest: a guest
    """
    require_no_guest(me)
    return group_shapes(view.snapshot, include_deactivated=include_deactivated, now=view.now)


@read_only
def members(
    view: View, me: Actor, group_id: GroupNumber, *, direct_only: WithoutSubgroups = False
) -> list[UserId]:
    """List the members of a user group, including those of its subgroups.

    :returns: ids of the active members, ascending; with *direct_only* without those of subgroups
    :raises BadRequest: a guest, or no such group
    """
    group = known_group(view.snapshot, me, group_id)
    return sorted(view.snapshot.groups.members(_with_subgroups(view.snapshot, group, direct_only), view.now))


@read_only
def is_member(
    view: View,
    me: Actor,
    group_id: GroupNumber,
    user_id: UserNumber,
    *,
    direct_only: WithoutSubgroups = False,
) -> bool:
    """Get whether a user is a member of a user group.

    :returns: whether the user is an active member; with *direct_only* not by a subgroup
    :raises BadRequest: a guest, or no such group or user
    """
    group = known_group(view.snapshot, me, group_id)
    if view.snapshot.users.find(user_id) is None:
        raise no_such_user()
    group_ids = _with_subgroups(view.snapshot, group, direct_only)
    return user_id in view.snapshot.groups.members(group_ids, view.now)


@read_only
def subgroups(
    view: View,
    me: Actor,
    group_id: GroupNumber,
    *,
    direct_only: Annotated[bool, about("Leave out the subgroups of subgroups.")] = False,
) -> list[GroupId]:
    """List the subgroups of a user group, including their subgroups.

    :returns: ids, ascending; with *direct_only* without those of subgroups
    :raises BadRequest: a guest, or no such group
    """
    group = known_group(view.snapshot, me, group_id)
    if direct_only:
        return list(view.snapshot.groups.direct_subgroups([group.id])[group.id])
    return sorted(set(_with_subgroups(view.snapshot, group, direct_only)) - {group.id})


def known_group(snapshot: Snapshot, actor: Actor, group_id: int) -> Group:
    """Return a group that the actor may know of.

    :raises BadRequest: a guest, or no such group
    """
    require_no_guest(actor)
    return existing_group(snapshot, group_id)


def _with_subgroups(snapshot: Snapshot, group: Group, direct_only: bool) -> Collection[GroupId]:
    return [group.id] if direct_only else closure([group.id], snapshot.groups.edges_below([group.id]))


def existing_group(snapshot: Snapshot, group_id: int) -> Group:
    group = snapshot.groups.find(group_id)
    if group is None:
        raise BadRequest("Invalid user group")
    return group
