"""Reading user groups, their members and their subgroups."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from chatcore.application.accessible import deactivated_among
from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor, Group, closure
from chatcore.domain.ids import GroupId, UserId
from chatcore.events.shapes.groups import GroupShape, group_shape
from chatcore.storage import Snapshot


def list_groups(svc: Services, actor: Actor, *, include_deactivated: bool = False) -> list[GroupShape]:
    """The groups of the organization by id, with their direct members and subgroups.

    :raises BadRequest: a guest
    """

    def read(snapshot: Snapshot) -> list[GroupShape]:
        require_no_guest(current(snapshot, actor, svc.now))
        return group_shapes(snapshot, include_deactivated=include_deactivated, now=svc.now)

    return svc.storage.read(read)


def group_shapes(
    snapshot: Snapshot,
    *,
    include_deactivated: bool,
    now: int,
    hidden: Collection[UserId] = frozenset(),
) -> list[GroupShape]:
    """The groups with everything in them but deactivated users, and others that are *hidden*."""
    groups = [group for group in snapshot.groups.all() if include_deactivated or not group.deactivated]
    return shapes_of(snapshot, groups, now, hidden)


def shapes_of(
    snapshot: Snapshot, groups: Sequence[Group], now: int, hidden: Collection[UserId] = frozenset()
) -> list[GroupShape]:
    group_ids = [group.id for group in groups]
    members = snapshot.groups.direct_members(group_ids, now)
    subgroups = snapshot.groups.direct_subgroups(group_ids)
    named = {user_id for group in groups for value in group.settings.values() for user_id in value.members}
    unseen = deactivated_among(snapshot, named).union(hidden)
    founded = snapshot.organization.get().date_created
    return [
        group_shape(
            replace(group, date_created=founded) if group.is_system_group else group,
            members=[user_id for user_id in members[group.id] if user_id not in unseen],
            subgroups=subgroups[group.id],
            hidden=unseen,
        )
        for group in groups
    ]


def members(svc: Services, actor: Actor, group_id: int, *, direct_only: bool = False) -> list[UserId]:
    """The active members of a group, ascending; without *direct_only* those of its subgroups too.

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
    """The subgroups of a group, ascending; without *direct_only* those of its subgroups too.

    :raises BadRequest: a guest, or no such group
    """

    def read(snapshot: Snapshot) -> list[GroupId]:
        group = _readable(svc, snapshot, actor, group_id)
        if direct_only:
            return list(snapshot.groups.direct_subgroups([group.id])[group.id])
        return sorted(set(_with_subgroups(snapshot, group, direct_only)) - {group.id})

    return svc.storage.read(read)


def _readable(svc: Services, snapshot: Snapshot, actor: Actor, group_id: int) -> Group:
    require_no_guest(current(snapshot, actor, svc.now))
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
