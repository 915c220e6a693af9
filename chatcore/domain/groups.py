"""User groups, group-setting values and who holds a permission.

The system groups are made with the organization, before any other group, and so have fixed ids.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role


class SystemGroup(IntEnum):
    """Ids of the groups that follow from roles, in the order of their creation."""

    NOBODY = 1
    OWNERS = 2
    ADMINISTRATORS = 3
    MODERATORS = 4
    FULL_MEMBERS = 5
    MEMBERS = 6
    EVERYONE = 7
    INTERNET = 8

    @property
    def group_name(self) -> str:
        return "role:" + self.name.lower().replace("_", "")

    @property
    def group_id(self) -> GroupId:
        return GroupId(int(self))

    @property
    def direct_subgroup(self) -> "SystemGroup | None":
        """Each system group holds the next smaller one: internet ⊃ everyone ⊃ … ⊃ owners."""
        return None if self <= SystemGroup.OWNERS else SystemGroup(self - 1)


SMALLEST_GROUP_OF_ROLE: Mapping[Role, SystemGroup] = {
    Role.OWNER: SystemGroup.OWNERS,
    Role.ADMINISTRATOR: SystemGroup.ADMINISTRATORS,
    Role.MODERATOR: SystemGroup.MODERATORS,
    Role.MEMBER: SystemGroup.MEMBERS,
    Role.GUEST: SystemGroup.EVERYONE,
}


def system_groups_of(role: Role, *, full_member: bool) -> frozenset[GroupId]:
    """All system groups that a user of this role is in, directly or through a subgroup."""
    smallest = SMALLEST_GROUP_OF_ROLE[role]
    if role == Role.MEMBER and full_member:
        smallest = SystemGroup.FULL_MEMBERS
    return frozenset(group.group_id for group in SystemGroup if group >= smallest)


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, with all that a permission check needs.

    `group_ids` has every group the user is in, directly or through subgroups, system groups included.
    A bot carries its owner, because some permissions pass from the owner to the bot.
    """

    user_id: UserId
    role: Role
    group_ids: frozenset[GroupId]
    is_bot: bool = False
    bot_type: int | None = None
    owner: "Actor | None" = None

    @property
    def is_guest(self) -> bool:
        return self.role == Role.GUEST


@dataclass(frozen=True, slots=True)
class GroupSetting:
    """A group-setting value: the union of some users and some groups (always normalised).

    On the wire it is one group's id where it is just that group, else an object of two lists.
    """

    groups: frozenset[GroupId] = frozenset()
    members: frozenset[UserId] = frozenset()

    @classmethod
    def of(cls, *groups: int, members: Iterable[UserId] = ()) -> "GroupSetting":
        """The normalised value: nobody when it is empty."""
        value = cls(frozenset(GroupId(int(g)) for g in groups), frozenset(members))
        if not value.groups and not value.members:
            return cls(frozenset({SystemGroup.NOBODY.group_id}))
        return value

    @property
    def single_group(self) -> GroupId | None:
        """The group's id, where the value is one group and nothing else."""
        if self.members or len(self.groups) != 1:
            return None
        return next(iter(self.groups))

    @property
    def system_group(self) -> SystemGroup | None:
        """The system group, where the value is one and nothing else."""
        single = self.single_group
        return SystemGroup(single) if single is not None and single <= max(SystemGroup) else None

    def includes(self, actor: Actor) -> bool:
        """Whether the actor is among the users this value names."""
        return actor.user_id in self.members or not self.groups.isdisjoint(actor.group_ids)

    def wire(self, *, hidden: frozenset[UserId] = frozenset()) -> int | dict[str, list[int]]:
        """As clients see it: an id, or both lists ascending. *hidden* users (deactivated) are left out."""
        if (single := self.single_group) is not None:
            return int(single)
        return {
            "direct_members": sorted(self.members - hidden),
            "direct_subgroups": sorted(self.groups),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """What a permission setting accepts, and its value when nobody has chosen one.

    `role:internet` is never accepted, by any setting.

    `default` None means the creator of the object that carries the setting.
    """

    name: str
    default: SystemGroup | None
    allow_everyone: bool = False
    allow_nobody: bool = True
    allow_owners: bool = True
    require_system_group: bool = False
    allowed: frozenset[SystemGroup] = frozenset()

    def held_by(self, actor: Actor, value: GroupSetting) -> bool:
        """Whether the actor holds it. Where `role:everyone` is not allowed, a guest never does."""
        return (self.allow_everyone or not actor.is_guest) and value.includes(actor)

    def check(self, value: GroupSetting) -> None:
        """Refuse a value that this setting does not take.

        :raises BadRequest: a system group that the setting excludes, or no system group where one is needed
        """
        refused = {
            SystemGroup.INTERNET: True,
            SystemGroup.EVERYONE: not self.allow_everyone,
            SystemGroup.NOBODY: not self.allow_nobody,
            SystemGroup.OWNERS: not self.allow_owners,
        }
        for group, is_refused in refused.items():
            if is_refused and value.single_group == group.group_id:
                raise BadRequest(f"'{self.name}' setting cannot be set to '{group.group_name}' group.")
        if self.require_system_group and value.system_group is None:
            raise SystemGroupRequired(self.name)
        if self.allowed and value.system_group not in self.allowed:
            raise BadRequest(f"'{self.name}' setting cannot be set to this group.")


class SystemGroupRequired(BadRequest):
    code = "SYSTEM_GROUP_REQUIRED"

    def __init__(self, setting_name: str) -> None:
        super().__init__(f"'{setting_name}' must be a system user group.", setting_name=setting_name)


def closure(start: Iterable[GroupId], edges: Mapping[GroupId, Iterable[GroupId]]) -> frozenset[GroupId]:
    """*start* and all that can be reached from it along *edges* (iterative: depth is not a limit)."""
    seen = set(start)
    open_ends = list(seen)
    while open_ends:
        for group in edges.get(open_ends.pop(), ()):
            if group not in seen:
                seen.add(group)
                open_ends.append(group)
    return frozenset(seen)


def would_make_a_cycle(
    group: GroupId, subgroup: GroupId, subgroups: Mapping[GroupId, Iterable[GroupId]]
) -> bool:
    """Whether *group* can be reached from *subgroup*, so that adding it would close a circle."""
    return group in closure([subgroup], subgroups)


def _by_name(*permissions: Permission) -> Mapping[str, Permission]:
    return {permission.name: permission for permission in permissions}


_EVERYONE = SystemGroup.EVERYONE
_MEMBERS = SystemGroup.MEMBERS
_MODERATORS = SystemGroup.MODERATORS
_ADMINS = SystemGroup.ADMINISTRATORS
_OWNERS = SystemGroup.OWNERS
_NOBODY = SystemGroup.NOBODY

ORGANIZATION_PERMISSIONS = _by_name(
    Permission(
        name="can_access_all_users_group",
        default=_EVERYONE,
        allow_everyone=True,
        allow_nobody=False,
        require_system_group=True,
        allowed=frozenset({_EVERYONE, _MEMBERS}),
    ),
    Permission(name="can_add_custom_emoji_group", default=_MEMBERS),
    Permission(name="can_add_subscribers_group", default=_MEMBERS),
    Permission(name="can_create_bots_group", default=_MEMBERS),
    Permission(name="can_create_groups", default=_MEMBERS),
    Permission(name="can_create_private_channel_group", default=_MEMBERS),
    Permission(name="can_create_public_channel_group", default=_MEMBERS),
    Permission(
        name="can_create_web_public_channel_group",
        default=_OWNERS,
        require_system_group=True,
        allowed=frozenset({_MODERATORS, _ADMINS, _OWNERS, _NOBODY}),
    ),
    Permission(name="can_create_write_only_bots_group", default=_MEMBERS),
    Permission(name="can_delete_any_message_group", default=_ADMINS),
    Permission(name="can_delete_own_message_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="can_invite_users_group", default=_MEMBERS),
    Permission(name="can_manage_all_groups", default=_OWNERS, allow_nobody=False),
    Permission(name="can_mention_many_users_group", default=_ADMINS, allow_everyone=True),
    Permission(name="can_move_messages_between_channels_group", default=_MEMBERS),
    Permission(name="can_move_messages_between_topics_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="can_resolve_topics_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="can_set_delete_message_policy_group", default=_MODERATORS),
    Permission(name="can_set_topics_policy_group", default=_MEMBERS, allow_everyone=True),
    Permission(name="can_summarize_topics_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="create_multiuse_invite_group", default=_ADMINS),
    Permission(name="direct_message_initiator_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="direct_message_permission_group", default=_EVERYONE, allow_everyone=True),
)

CHANNEL_PERMISSIONS = _by_name(
    Permission(name="can_add_subscribers_group", default=_NOBODY),
    Permission(name="can_administer_channel_group", default=None),
    Permission(name="can_delete_any_message_group", default=_NOBODY, allow_everyone=True),
    Permission(name="can_delete_own_message_group", default=_NOBODY, allow_everyone=True),
    Permission(name="can_move_messages_out_of_channel_group", default=_NOBODY, allow_everyone=True),
    Permission(name="can_move_messages_within_channel_group", default=_NOBODY, allow_everyone=True),
    Permission(name="can_remove_subscribers_group", default=_ADMINS, allow_everyone=True),
    Permission(name="can_resolve_topics_group", default=_NOBODY, allow_everyone=True),
    Permission(name="can_send_message_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="can_subscribe_group", default=_NOBODY),
)

GROUP_PERMISSIONS = _by_name(
    Permission(name="can_add_members_group", default=None),
    Permission(name="can_join_group", default=_NOBODY),
    Permission(name="can_leave_group", default=_EVERYONE, allow_everyone=True),
    Permission(name="can_manage_group", default=None),
    Permission(name="can_mention_group", default=_EVERYONE, allow_everyone=True, allow_owners=False),
    Permission(name="can_remove_members_group", default=_NOBODY),
)


@dataclass(frozen=True, slots=True)
class Group:
    """A named user group."""

    id: GroupId
    name: str
    description: str
    is_system_group: bool
    creator_id: UserId | None
    date_created: int | None
    deactivated: bool
    direct_members: frozenset[UserId]
    direct_subgroups: frozenset[GroupId]
    settings: Mapping[str, GroupSetting]
