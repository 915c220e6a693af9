"""Adding members and subgroups to user groups, and removing them."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.delivery import notices
from chatcore.application.groups.editing import (
    announce_group,
    manages_all,
)
from chatcore.application.groups.listing import GroupNumber, existing_group, known_group
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.group_changes import (
    SightBefore,
    announce_changed_sight,
    find_sight_before,
)
from chatcore.application.visibility.group_settings import active_users, require_fits, usable_groups
from chatcore.application.visibility.groups import members_with_subgroups
from chatcore.domain.errors import BadRequest, InsufficientPermission, nothing_to_add_or_delete
from chatcore.domain.groups import groups as rules
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.nesting import closure
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.happened import GroupMembersChanged, SubgroupsChanged
from chatcore.events.happened.groups import MembersOp, SubgroupsOp
from chatcore.storage import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberChanges:
    """Members and subgroups to add to a group and to remove from it, in this order."""

    add: Collection[int] = ()
    delete: Collection[int] = ()
    add_subgroups: Collection[int] = ()
    delete_subgroups: Collection[int] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.add or self.delete or self.add_subgroups or self.delete_subgroups)


def update_members(svc: Services, actor: Actor, group_id: int, changes: MemberChanges) -> None:
    """Change the members of a group: all requested changes, or none. Each part requires its own permission.

    Permissions are checked against the state before the change.

    :raises BadRequest: nothing to change, no permission, a user who is already a member, or one who is not
    """
    if changes.is_empty:
        raise BadRequest(
            'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'
        )
    _store_members(svc, actor, group_id, changes)


@unit_of_work
def _store_members(unit: Unit, me: Actor, group_id: int, changes: MemberChanges) -> None:
    work = _MemberUpdate(unit, known_group(unit.tx, me, group_id), me)
    if changes.add:
        work.add(_user_ids(changes.add))
    if changes.delete:
        work.remove(_user_ids(changes.delete))
    if changes.add_subgroups:
        work.add_subgroups(_group_ids(changes.add_subgroups))
    if changes.delete_subgroups:
        work.remove_subgroups(_group_ids(changes.delete_subgroups))


def update_subgroups(
    svc: Services,
    actor: Actor,
    group_id: GroupNumber,
    *,
    delete: Annotated[Collection[int], about("Ids of subgroups to remove.")] = (),
    add: Annotated[Collection[int], about("Ids of subgroups to add.")] = (),
) -> None:
    """Change the subgroups of a user group.

    :raises BadRequest: as `update_members` does
    """
    if not (add or delete):
        raise nothing_to_add_or_delete()
    _store_members(svc, actor, group_id, MemberChanges(add_subgroups=add, delete_subgroups=delete))


def require_may_bring(snapshot: Snapshot, actor: Actor, group_ids: Collection[int]) -> None:
    """Check that the actor may add others to groups.

    :raises BadRequest: an unknown or deactivated group, or no permission
    """
    for group_id in group_ids:
        group = existing_group(snapshot, group_id)
        rules.require_active(group)
        if not rules.may_add_members(group, actor, (), manages_all=manages_all(snapshot, actor)):
            raise InsufficientPermission


def bring(unit: Unit, inviter: Actor, newcomer: UserId, group_ids: Collection[GroupId]) -> None:
    """Add a new person to groups, but for those to which the inviter may not add people any more."""
    for group in unit.tx.groups.by_ids(group_ids).values():
        work = _MemberUpdate(unit, group, inviter)
        if not group.deactivated and work.may_add({newcomer}):
            work.put_in({newcomer})


def follow(unit: Unit, person: Actor, names: Collection[str], *, among: Collection[str]) -> None:
    """Make a person a direct member of those groups *among* these whose names are in *names*, and take the
    person out of the others. System groups, and groups that are deactivated or do not exist, are left out.
    """
    present = unit.tx.groups.of_user(person.user_id)
    for group in unit.tx.groups.by_names(among):
        is_member = group.id in present
        is_wanted = group.name in names
        if group.deactivated or group.is_system_group or is_member == is_wanted:
            continue
        work = _MemberUpdate(unit, group, person)
        change = work.put_in if is_wanted else work.take_out
        change({person.user_id})


def change_silently(
    unit: Unit, actor: Actor, group: Group, added: Collection[UserId], removed: Collection[UserId]
) -> None:
    """Add members to a group and remove others, whose permission and presence the caller has checked; nobody
    gets a notice.

    :raises BadRequest: too many are added, or one whose account is not active
    """
    work = _MemberUpdate(unit, group, actor)
    if added:
        active_users(unit, added)
        work.put_in(added)
    if removed:
        work.take_out(removed)


class _MemberUpdate:
    """One request to change the members of a group, in its unit of work."""

    def __init__(self, unit: Unit, group: Group, actor: Actor) -> None:
        self.unit, self.tx = unit, unit.tx
        self.group = group
        self.actor = actor
        self.manages_all = manages_all(unit.tx, actor)

    def may_add(self, user_ids: Collection[UserId]) -> bool:
        return rules.may_add_members(self.group, self.actor, user_ids, manages_all=self.manages_all)

    def add(self, user_ids: Collection[UserId]) -> None:
        if not self.may_add(user_ids):
            raise InsufficientPermission
        active_users(self.unit, user_ids)  # refuses others
        if present := self.tx.groups.direct_members_among(self.group.id, user_ids):
            raise BadRequest(f"User {min(present)} is already a member of this group")
        self.put_in(user_ids)
        notices.tell_of_membership(self.unit, self.group, self.actor.user_id, user_ids, added=True)

    def put_in(self, user_ids: Collection[UserId]) -> None:
        """Add members without a check."""
        before = self._find_sight_before(lambda: user_ids)
        self.tx.groups.add_members(self.group.id, user_ids)
        self._announce_members("add_members", user_ids)
        announce_changed_sight(self.unit, before)

    def remove(self, user_ids: Collection[UserId]) -> None:
        if not rules.may_remove_members(self.group, self.actor, user_ids, manages_all=self.manages_all):
            raise InsufficientPermission
        active_users(self.unit, user_ids)  # refuses others
        if absent := set(user_ids) - self.tx.groups.direct_members_among(self.group.id, user_ids):
            raise BadRequest(f"There is no user '{min(absent)}' in this user group")
        self.take_out(user_ids)
        notices.tell_of_membership(self.unit, self.group, self.actor.user_id, user_ids, added=False)

    def take_out(self, user_ids: Collection[UserId]) -> None:
        """Remove members without a check."""
        before = self._find_sight_before(lambda: user_ids)
        self.tx.groups.remove_members(self.group.id, user_ids)
        self._announce_members("remove_members", user_ids)
        announce_changed_sight(self.unit, before)

    def add_subgroups(self, subgroup_ids: Collection[GroupId]) -> None:
        if not rules.may_add_subgroups(self.group, self.actor, manages_all=self.manages_all):
            raise InsufficientPermission
        usable_groups(self.unit, subgroup_ids)
        present = set(self.tx.groups.direct_subgroups([self.group.id])[self.group.id])
        if known := present.intersection(subgroup_ids):
            raise BadRequest(f"User group {min(known)} is already a subgroup of this group")
        require_fits(self.unit, self.group, subgroup_ids, present)
        before = self._find_sight_before(lambda: members_with_subgroups(self.unit, subgroup_ids))
        self.tx.groups.add_subgroups(self.group.id, subgroup_ids)
        self._announce_subgroups("add_subgroups", subgroup_ids)
        announce_changed_sight(self.unit, before)

    def remove_subgroups(self, subgroup_ids: Collection[GroupId]) -> None:
        if not rules.is_manager(self.group, self.actor, manages_all=self.manages_all):
            raise InsufficientPermission
        present = set(self.tx.groups.direct_subgroups([self.group.id])[self.group.id])
        if unknown := set(subgroup_ids) - present:
            raise BadRequest(f"User group {min(unknown)} is not a subgroup of this group")
        before = self._find_sight_before(lambda: members_with_subgroups(self.unit, subgroup_ids))
        self.tx.groups.remove_subgroups(self.group.id, subgroup_ids)
        self._announce_subgroups("remove_subgroups", subgroup_ids)
        announce_changed_sight(self.unit, before)

    def _find_sight_before(self, user_ids: Callable[[], Collection[UserId]]) -> SightBefore | None:
        """Return what the users may see now that this group or one above it can change for them; see
        `find_sight_before`.
        """
        changing = closure([self.group.id], self.tx.groups.edges_above([self.group.id]))
        return find_sight_before(self.unit, changing, user_ids)

    def _announce_members(self, op: MembersOp, user_ids: Collection[UserId]) -> None:
        self._record(op, user_ids)
        ids = tuple(sorted(user_ids))
        group = self.group
        event = GroupMembersChanged(group_id=group.id, deactivated=group.deactivated, op=op, user_ids=ids)
        announce_group(self.tx, event)

    def _announce_subgroups(self, op: SubgroupsOp, subgroup_ids: Collection[GroupId]) -> None:
        self._record(op, subgroup_ids)
        ids = tuple(sorted(subgroup_ids))
        group = self.group
        event = SubgroupsChanged(group_id=group.id, deactivated=group.deactivated, op=op, subgroup_ids=ids)
        announce_group(self.tx, event)

    def _record(self, op: MembersOp | SubgroupsOp, ids: Collection[int]) -> None:
        """Note in the audit log who was added or removed; *op* is "add_members" or the like."""
        action, _, whom = op.partition("_")
        ids_of_group = {whom: sorted(ids)}
        if action == "add":
            self.unit.record(AuditKind.GROUP_MEMBERS_CHANGED, self.group.id, after=ids_of_group)
        else:
            self.unit.record(AuditKind.GROUP_MEMBERS_CHANGED, self.group.id, before=ids_of_group)


def _user_ids(given: Iterable[int]) -> frozenset[UserId]:
    return frozenset(map(UserId, given))


def _group_ids(given: Iterable[int]) -> frozenset[GroupId]:
    return frozenset(map(GroupId, given))
