"""Events about group members when an account or the waiting period of new members changes.

A use case that changes an account or the waiting period calls the function for this change afterwards, in the
same unit of work. Nothing is stored here: members of system groups are computed from roles, and a deactivated
account keeps its memberships.
"""

from collections.abc import Iterable
from typing import Final

from chatcore.application.visibility.known_users import deactivated_among
from chatcore.domain.groups.permissions import GROUP_PERMISSIONS
from chatcore.domain.groups.system import SystemGroup, direct_system_groups_of
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import User
from chatcore.domain.roles import is_full_member
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.events.audience import Everyone
from chatcore.events.happened import GroupChanged, GroupMembersChanged
from chatcore.events.happened.groups import MembersOp
from chatcore.storage import Snapshot, Transaction

ADD: Final = "add_members"
REMOVE: Final = "remove_members"


def announce_new_account(tx: Transaction, user: User, now: int) -> None:
    """Announce that a new or reactivated account is in the groups of its role."""
    _announce_system_groups(tx, ADD, _system_groups(tx, user, now), user.id)


def announce_changed_role(tx: Transaction, before: User, after: User, now: int) -> None:
    """Announce the changes of groups that follow from a changed role."""
    old = _system_groups(tx, before, now)
    new = _system_groups(tx, after, now)
    _announce_system_groups(tx, REMOVE, old - new, after.id)
    _announce_system_groups(tx, ADD, new - old, after.id)


def announce_deactivated_account(tx: Transaction, user: User, now: int) -> None:
    """Announce that a deactivated account disappears from groups and their settings."""
    _announce_system_groups(tx, REMOVE, _system_groups(tx, user, now), user.id)
    _announce_named_groups(tx, REMOVE, user.id)


def announce_reactivated_account(tx: Transaction, user: User, now: int) -> None:
    """Announce that a reactivated account appears again in groups and their settings."""
    announce_new_account(tx, user, now)
    _announce_named_groups(tx, ADD, user.id)


def announce_changed_waiting_period(tx: Transaction, old_days: int, new_days: int, now: int) -> None:
    """Announce members who become full members, or cease to be."""
    if old_days == new_days:
        return
    _announce_who_has_waited(tx, old_days, now)
    # Full members are those who joined before this time.
    old_limit = now - old_days * SECONDS_PER_DAY
    new_limit = now - new_days * SECONDS_PER_DAY
    _announce(tx, REMOVE, SystemGroup.FULL_MEMBERS, tx.groups.joined_between(new_limit, old_limit))
    _announce(tx, ADD, SystemGroup.FULL_MEMBERS, tx.groups.joined_between(old_limit, new_limit))


def announce_new_full_members(tx: Transaction, now: int) -> None:
    """Announce users who have become full members by the passage of time since the last call."""
    organization = tx.organization.find()
    if organization is not None:
        _announce_who_has_waited(tx, organization.waiting_period_threshold, now)


def _announce_who_has_waited(tx: Transaction, days: int, now: int) -> None:
    last = tx.groups.full_members_announced()
    tx.groups.note_full_members_announced(now)
    if last is not None and days > 0:
        wait = days * SECONDS_PER_DAY
        _announce(tx, ADD, SystemGroup.FULL_MEMBERS, tx.groups.joined_between(last - wait, now - wait))


def _system_groups(snapshot: Snapshot, user: User, now: int) -> frozenset[SystemGroup]:
    waiting_period = snapshot.organization.get().waiting_period_threshold
    full_member = is_full_member(user.role, user.date_joined, waiting_period, now)
    return direct_system_groups_of(user.role, full_member=full_member)


def _announce_system_groups(
    tx: Transaction, op: MembersOp, groups: Iterable[SystemGroup], user_id: UserId
) -> None:
    for group in sorted(groups):
        _announce(tx, op, group, [user_id])


def _announce(tx: Transaction, op: MembersOp, group: SystemGroup, user_ids: Iterable[UserId]) -> None:
    if members := tuple(user_ids):
        tx.announce(GroupMembersChanged(group_id=group.group_id, op=op, user_ids=members), Everyone())


def _announce_named_groups(tx: Transaction, op: MembersOp, user_id: UserId) -> None:
    """Announce that a user appears in the groups and permissions that name them, or disappears there."""
    for group in tx.groups.by_ids(tx.groups.of_user(user_id)).values():
        tx.announce(
            GroupMembersChanged(group_id=group.id, deactivated=group.deactivated, op=op, user_ids=(user_id,)),
            Everyone(),
        )
    for group in tx.groups.all():
        for name in GROUP_PERMISSIONS:
            value = group.setting(name)
            if user_id in value.members:
                data = {name: value.as_sent(hidden=deactivated_among(tx, value.members))}
                event = GroupChanged(group_id=group.id, deactivated=group.deactivated, data=data)
                tx.announce(event, Everyone())
