"""The shapes of user groups, and their members."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from chatcore.application.units import View
from chatcore.application.visibility.known_users import deactivated_among
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.nesting import closure
from chatcore.domain.ids import GroupId, UserId
from chatcore.events.payloads.groups import GroupShape, group_shape
from chatcore.storage import Snapshot


def group_shapes(
    snapshot: Snapshot,
    *,
    include_deactivated: bool,
    now: int,
    hidden: Collection[UserId] = frozenset(),
) -> list[GroupShape]:
    """Return the shapes of all groups, without deactivated users and those who are *hidden*."""
    groups = [group for group in snapshot.groups.all() if include_deactivated or not group.deactivated]
    return shapes_of_groups(snapshot, groups, now, hidden)


def shapes_of_groups(
    snapshot: Snapshot, groups: Sequence[Group], now: int, hidden: Collection[UserId] = frozenset()
) -> list[GroupShape]:
    """Return the shapes of these groups, without deactivated users and those who are *hidden*."""
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


def members_with_subgroups(view: View, group_ids: Collection[GroupId]) -> frozenset[UserId]:
    """Return the members of groups and of all groups that these contain."""
    groups = view.snapshot.groups
    return groups.members(closure(group_ids, groups.edges_below(group_ids)), view.now)
