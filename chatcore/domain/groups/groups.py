"""User groups: their names, descriptions and settings, and permission to change them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from chatcore.domain.characters import check_name, is_storable, length, look_key, visible
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GROUP_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SHOWN_AS, SystemGroup, is_system_group
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.limits import Limits

SETTINGS_OF_SYSTEM_GROUPS: Mapping[str, GroupSetting] = dict.fromkeys(
    GROUP_PERMISSIONS, GroupSetting.of(SystemGroup.NOBODY)
)


def default_settings(creator_id: UserId) -> dict[str, GroupSetting]:
    """Return the default permission settings of a group created by *creator_id*."""
    creator = GroupSetting.of(members=[creator_id])
    return {
        name: creator if permission.default is None else GroupSetting.of(permission.default)
        for name, permission in GROUP_PERMISSIONS.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A named user group. Its members are queried separately, because there can be many."""

    id: GroupId
    name: str
    description: str = ""
    creator_id: UserId | None = None
    date_created: int | None = None
    deactivated: bool = False
    settings: Mapping[str, GroupSetting] = field(default_factory=dict)

    @property
    def is_system_group(self) -> bool:
        return is_system_group(self.id)

    def setting(self, name: str) -> GroupSetting:
        """Return the value of a permission setting: nobody for a system group, and for a setting that the
        group does not have, as in an archive of a version that lacked it.
        """
        if self.is_system_group or name not in self.settings:
            return SETTINGS_OF_SYSTEM_GROUPS[name]
        return self.settings[name]

    def permits(self, name: str, actor: Actor) -> bool:
        """Whether the actor holds the group's permission *name*."""
        return GROUP_PERMISSIONS[name].held_by(actor, self.setting(name))


RESERVED_PREFIXES = ("@", "role:", "user:", "stream:", "channel:")
WILDCARDS = frozenset({"all", "everyone", "channel", "stream", "topic"})
"""Names that mean everybody in a mention; a group of such a name would be mistaken for them."""
RESERVED_NAMES = WILDCARDS | {look_key(shown) for shown in SHOWN_AS.values()}


def checked_group_name(raw: str, limits: Limits) -> str:
    """Check the name of a new or renamed group and return it stripped.

    :raises BadRequest: blank, too long, with a prefix that means something else, forbidden characters, or
        similar to a system group or a wildcard
    """
    name = raw.strip()
    if length(name) > limits.max_group_name_length:
        raise BadRequest(f"User group name cannot exceed {limits.max_group_name_length} characters.")
    if not visible(name):
        raise BadRequest("User group name can't be empty!")
    for prefix in RESERVED_PREFIXES:
        if look_key(name).startswith(prefix):
            raise BadRequest(f"User group name cannot start with '{prefix}'.")
    check_name(name, "user group name")
    if look_key(name) in RESERVED_NAMES:
        raise BadRequest(f"User group name '{name}' is reserved.")
    return name


def checked_group_description(raw: str, limits: Limits) -> str:
    """Check the description of a group and return it.

    :raises BadRequest: too long, or with characters that cannot be stored
    """
    if len(raw) > limits.max_group_description_length:
        raise too_long("description", limits.max_group_description_length)
    if not is_storable(raw):
        raise BadRequest("Invalid character in description.")
    return raw


def require_active(group: Group) -> None:
    """Check that a group can be used, as part of another or in a value of a setting.

    :raises BadRequest: it is deactivated
    """
    if group.deactivated:
        raise BadRequest(f"User group is deactivated: {group.id}")


def is_manager(group: Group, actor: Actor, *, manages_all: bool) -> bool:
    """Whether the actor may change everything about the group.

    *manages_all*: whether the actor holds the organization's `can_manage_all_groups`. Nobody
    manages a system group.
    """
    if group.is_system_group or actor.is_guest:
        return False
    return manages_all or group.permits("can_manage_group", actor)


def may_add_members(group: Group, actor: Actor, who: Collection[UserId], *, manages_all: bool) -> bool:
    """Whether the actor may add these users as members. Joining means that actors add only themselves."""
    if group.is_system_group:
        return False
    if is_manager(group, actor, manages_all=manages_all) or group.permits("can_add_members_group", actor):
        return True
    return set(who) == {actor.user_id} and group.permits("can_join_group", actor)


def may_remove_members(group: Group, actor: Actor, who: Collection[UserId], *, manages_all: bool) -> bool:
    """Whether the actor may remove these users. Leaving means that actors remove only themselves."""
    if group.is_system_group:
        return False
    if is_manager(group, actor, manages_all=manages_all) or group.permits("can_remove_members_group", actor):
        return True
    # Guests may not leave groups, because all group endpoints are closed to guests.
    return set(who) == {actor.user_id} and not actor.is_guest and group.permits("can_leave_group", actor)


def may_add_subgroups(group: Group, actor: Actor, *, manages_all: bool) -> bool:
    """Whether the actor may add subgroups to the group."""
    return may_add_members(group, actor, (), manages_all=manages_all)


def may_mention(group: Group, actor: Actor) -> bool:
    """Whether the actor may mention the group, notifying its members. Nobody may mention a system group."""
    return group.permits("can_mention_group", actor)
