"""Descriptions of changed permissions, for notices."""

from chatcore.application.delivery.notices import as_code
from chatcore.domain.groups.permissions import GroupSetting, Permission
from chatcore.domain.groups.system import SHOWN_AS, SystemGroup, is_system_group
from chatcore.storage import Snapshot

MAX_NAMED = 10
"""Maximum number of groups and people to name; for the others, the notice gives their number."""


def changed_permission(
    snapshot: Snapshot, permission: Permission, old: GroupSetting, new: GroupSetting, *, names_groups: bool
) -> str:
    """Return the part of a notice after the name of the user who changed the permission.

    *names_groups* is false for readers without an account, who may not know which groups exist.
    """
    what = permission.about[0].lower() + permission.about[1:].removesuffix(".")
    before, after = (_describe_holders(snapshot, value, names_groups=names_groups) for value in (old, new))
    return f"changed {what} from {before} to {after}."


def _describe_holders(snapshot: Snapshot, value: GroupSetting, *, names_groups: bool) -> str:
    """Describe roles, then groups, then people; deactivated users are left out."""
    roles = [
        SHOWN_AS[SystemGroup(group_id)].lower()
        for group_id in sorted(value.groups)
        if is_system_group(group_id)
    ]
    named = [group_id for group_id in value.groups if not is_system_group(group_id)]
    groups = sorted(group.name for group in snapshot.groups.by_ids(named).values())
    people = sorted(
        user.full_name for user in snapshot.users.by_ids(value.members).values() if user.is_active
    )
    holders = [f"**{role}**" for role in roles]
    holders += [f"the group {as_code(name)}" if names_groups else "a group" for name in groups]
    holders += [as_code(name) for name in people]
    if not holders:
        return f"**{SHOWN_AS[SystemGroup.NOBODY].lower()}**"
    more = len(holders) - MAX_NAMED
    return ", ".join(holders[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
