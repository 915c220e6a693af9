"""Listing user groups, their members and their subgroups."""

from collections.abc import Collection

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.groups import group_shapes
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.nesting import closure
from chatcore.domain.ids import GroupId, UserId
from chatcore.events.shapes.groups import GroupShape
from chatcore.storage import Snapshot


def list_groups(svc: Services, actor: Actor, *, include_deactivated: bool = False) -> list[GroupShape]:
    """Return the groups of the organization by id, with their direct members and subgroups.

    :raises BadRequest: a guest
    """

    def read(snapshot: Snapshot) -> list[GroupShape]:
        require_no_guest(refresh_actor(snapshot, actor, svc.now))
        return group_shapes(snapshot, include_deactivated=include_deactivated, now=svc.now)

    return svc.storage.read(read)


def members(svc: Services, actor: Actor, group_id: int, *, direct_only: bool = False) -> list[UserId]:
    """Return the active members of a group, ascending; without *direct_only* those of its subgroups too.

    :raises BadRequest: a guest, or no such group
    """

    def read(snapshot: Snapshot) -> list[UserId]:
        group = _readable(svc, snapshot, actor, group_id)
        return sorted(snapshot.groups.members(_with_subgroups(snapshot, group, direct_only), svc.now))

    return svc.storage.read(read)


def is_member(svc: Services, actor: Actor, group_id: int, user_id: int, *, direct_only: bool = False) -> bool:
    """Whether a user is an active member of a group, or of one of its subgroups.

    :raises BadRequest: a guest, or no such group or user
    """

    def read(snapshot: Snapshot) -> bool:
        group = _readable(svc, snapshot, actor, group_id)
        if snapshot.users.find(user_id) is None:
            raise BadRequest("No such user")
        return user_id in snapshot.groups.members(_with_subgroups(snapshot, group, direct_only), svc.now)

    return svc.storage.read(read)


def subgroups(svc: Services, actor: Actor, group_id: int, *, direct_only: bool = False) -> list[GroupId]:
    """Return the subgroups of a group, ascending; without *direct_only* those of its subgroups too.

    :raises BadRequest: a guest, or no such group
    """

    def read(snapshot: Snapshot) -> list[GroupId]:
        group = _readable(svc, snapshot, actor, group_id)
        if direct_only:
            return list(snapshot.groups.direct_subgroups([group.id])[group.id])
        return sorted(set(_with_subgroups(snapshot, group, direct_only)) - {group.id})

    return svc.storage.read(read)


def _readable(svc: Services, snapshot: Snapshot, actor: Actor, group_id: int) -> Group:
    require_no_guest(refresh_actor(snapshot, actor, svc.now))
    return existing_group(snapshot, group_id)


def _with_subgroups(snapshot: Snapshot, group: Group, direct_only: bool) -> Collection[GroupId]:
    return [group.id] if direct_only else closure([group.id], snapshot.groups.below([group.id]))


def require_no_guest(actor: Actor) -> None:
    if actor.is_guest:
        raise BadRequest("Not allowed for guest users")


def existing_group(snapshot: Snapshot, group_id: int) -> Group:
    group = snapshot.groups.find(group_id)
    if group is None:
        raise BadRequest("Invalid user group")
    return group
