"""User groups, values of group settings, and holders of permissions.

The system groups are created with the organization, before any other group, and so have fixed ids.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from chatcore.domain.characters import check_name, length, look, visible
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.limits import Limits
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
        """The next smaller system group, a direct subgroup: internet ⊃ everyone ⊃ … ⊃ owners."""
        return None if self <= SystemGroup.OWNERS else SystemGroup(self - 1)

    @property
    def shown_as(self) -> str:
        """Display name in texts that mention the group."""
        return SHOWN_AS[self]


SHOWN_AS: Mapping[SystemGroup, str] = {
    SystemGroup.NOBODY: "Nobody",
    SystemGroup.OWNERS: "Owners",
    SystemGroup.ADMINISTRATORS: "Administrators",
    SystemGroup.MODERATORS: "Moderators",
    SystemGroup.FULL_MEMBERS: "Full members",
    SystemGroup.MEMBERS: "Members",
    SystemGroup.EVERYONE: "Everyone",
    SystemGroup.INTERNET: "Everyone on the internet",
}

FIRST_NAMED_GROUP = max(SystemGroup) + 1
"""First id of groups that users create."""


def is_system_group(group_id: int) -> bool:
    return 1 <= group_id < FIRST_NAMED_GROUP


SMALLEST_GROUP_OF_ROLE: Mapping[Role, SystemGroup] = {
    Role.OWNER: SystemGroup.OWNERS,
    Role.ADMINISTRATOR: SystemGroup.ADMINISTRATORS,
    Role.MODERATOR: SystemGroup.MODERATORS,
    Role.MEMBER: SystemGroup.MEMBERS,
    Role.GUEST: SystemGroup.EVERYONE,
}


def system_groups_of(role: Role, *, full_member: bool) -> frozenset[GroupId]:
    """Return all system groups that a user of this role is in, directly or through a subgroup."""
    smallest = SMALLEST_GROUP_OF_ROLE[role]
    if role == Role.MEMBER and full_member:
        smallest = SystemGroup.FULL_MEMBERS
    return frozenset(group.group_id for group in SystemGroup if group >= smallest)


def direct_system_groups_of(role: Role, *, full_member: bool) -> frozenset[SystemGroup]:
    """Return the system groups that list a user of this role as a direct member.

    A full member is in both `role:members` and `role:fullmembers`.
    """
    smallest = SMALLEST_GROUP_OF_ROLE[role]
    if role == Role.MEMBER and full_member:
        return frozenset({smallest, SystemGroup.FULL_MEMBERS})
    return frozenset({smallest})


@dataclass(frozen=True, slots=True)
class Actor:
    """A user who acts, with everything that a permission check needs.

    `group_ids` contains every group the user is in, directly or through subgroups, including system groups. A
    bot carries its owner, because some permissions pass from the owner to the bot.
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

    On the wire, a value of exactly one group is its id; any other value is an object of two lists.
    """

    groups: frozenset[GroupId] = frozenset()
    members: frozenset[UserId] = frozenset()

    @classmethod
    def of(cls, *groups: int, members: Iterable[UserId] = ()) -> "GroupSetting":
        """Return the normalised value: nobody if it is empty."""
        value = cls(frozenset(GroupId(int(g)) for g in groups), frozenset(members))
        if not value.groups and not value.members:
            return cls(frozenset({SystemGroup.NOBODY.group_id}))
        return value

    @property
    def single_group(self) -> GroupId | None:
        """The group's id, if the value is exactly one group."""
        if self.members or len(self.groups) != 1:
            return None
        return next(iter(self.groups))

    @property
    def system_group(self) -> SystemGroup | None:
        """The system group, if the value is exactly one system group."""
        single = self.single_group
        return SystemGroup(single) if single is not None and is_system_group(single) else None

    def includes(self, actor: Actor) -> bool:
        """Whether the value includes the actor."""
        return actor.user_id in self.members or not self.groups.isdisjoint(actor.group_ids)

    def seen(self, hidden: Collection[UserId]) -> "GroupSetting":
        """Return the value without the *hidden* (deactivated) users, normalised, as clients see it."""
        return GroupSetting.of(*self.groups, members=self.members.difference(hidden))

    def wire(self, *, hidden: Collection[UserId] = frozenset()) -> int | dict[str, list[int]]:
        """Return the form for clients without *hidden* (deactivated) users: an id,
        or both lists ascending.
        """
        if (single := self.single_group) is not None:
            return int(single)
        return {
            "direct_members": sorted(self.members.difference(hidden)),
            "direct_subgroups": sorted(self.groups),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Permission:
    """A permission setting: the values it accepts, and its default.

    No setting accepts `role:internet`.

    `default` None means the creator of the object that carries the setting.
    """

    name: str
    about: str = ""
    default: SystemGroup | None
    allow_everyone: bool = False
    allow_nobody: bool = True
    allow_owners: bool = True
    require_system_group: bool = False
    allowed: frozenset[SystemGroup] = frozenset()

    @property
    def explained(self) -> str:
        """Description of the setting: its subject, its default, and the values it does not accept."""
        default = "whoever makes it" if self.default is None else f"`{self.default.group_name}`"
        takes = {
            SystemGroup.INTERNET: False,
            SystemGroup.EVERYONE: self.allow_everyone,
            SystemGroup.NOBODY: self.allow_nobody,
            SystemGroup.OWNERS: self.allow_owners,
        }
        never = ", ".join(f"`{group.group_name}`" for group, taken in takes.items() if not taken)
        return f"{self.about} At first {default}; never {never}."

    def held_by(self, actor: Actor, value: GroupSetting) -> bool:
        """Whether the actor holds the permission. A guest never does where `role:everyone` is not allowed."""
        return (self.allow_everyone or not actor.is_guest) and value.includes(actor)

    def check(self, value: GroupSetting) -> None:
        """Refuse a value that this setting does not accept.

        A group that is excluded for being too large is also refused as a part of the value.

        :raises BadRequest: a system group that the setting excludes
        :raises SystemGroupRequired: not a system group where one is required
        """
        only = set() if value.single_group is None else {value.single_group}
        refused = {
            SystemGroup.INTERNET: value.groups,
            SystemGroup.EVERYONE: set() if self.allow_everyone else value.groups,
            SystemGroup.NOBODY: set() if self.allow_nobody else only,
            SystemGroup.OWNERS: set() if self.allow_owners else only,
        }
        for group, among in refused.items():
            if group.group_id in among:
                raise BadRequest(f"'{self.name}' setting cannot be set to '{group.group_name}' group.")
        if self.require_system_group and value.system_group is None:
            raise SystemGroupRequired(self.name)
        if self.allowed and value.system_group not in self.allowed:
            raise BadRequest(f"'{self.name}' setting cannot be set to this group.")


class SystemGroupRequired(BadRequest):
    """The setting accepts system groups only."""

    code = "SYSTEM_GROUP_REQUIRED"

    def __init__(self, setting_name: str) -> None:
        super().__init__(f"'{setting_name}' must be a system user group.", setting_name=setting_name)


def closure(start: Iterable[GroupId], edges: Mapping[GroupId, Iterable[GroupId]]) -> frozenset[GroupId]:
    """Return *start* and everything reachable from it along *edges* (iterative: depth is not a limit)."""
    seen = set(start)
    open_ends = list(seen)
    while open_ends:
        for group in edges.get(open_ends.pop(), ()):
            if group not in seen:
                seen.add(group)
                open_ends.append(group)
    return frozenset(seen)


def would_make_a_cycle(
    group: GroupId, subgroups: Iterable[GroupId], *, above: Mapping[GroupId, Iterable[GroupId]]
) -> bool:
    """Whether *group* is one of *subgroups* or inside one of them, so that it cannot contain them.

    *above* maps a group to the groups that contain it.
    """
    return not closure([group], above).isdisjoint(subgroups)


def longest_chain(starts: Collection[GroupId], edges: Mapping[GroupId, Iterable[GroupId]]) -> int:
    """Return the number of steps of the longest path from *starts* along *edges*; -1 if *starts* is empty.

    The edges must not contain a cycle.
    """
    known: dict[GroupId, int] = {}
    open_ends = list(starts)
    while open_ends:
        group = open_ends[-1]
        next_groups = list(edges.get(group, ()))
        if unknown := [one for one in next_groups if one not in known]:
            open_ends += unknown
        else:
            known[group] = 1 + max((known[one] for one in next_groups), default=-1)
            open_ends.pop()
    return max((known[group] for group in starts), default=-1)


def depth_with(
    group: GroupId,
    subgroups: Collection[GroupId],
    *,
    above: Mapping[GroupId, Iterable[GroupId]],
    below: Mapping[GroupId, Iterable[GroupId]],
) -> int:
    """Return the number of levels of subgroups below the topmost group once *group* contains *subgroups*.

    *above* maps a group to the groups that contain it, *below* to those that it contains.
    """
    return longest_chain([group], above) + 1 + longest_chain(subgroups, below)


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
    Permission(name="can_add_subscribers_group", about="Who may add others to the channel.", default=_NOBODY),
    Permission(name="can_administer_channel_group", about="Who administers the channel.", default=None),
    Permission(
        name="can_delete_any_message_group",
        about="Who may delete any message of the channel.",
        default=_NOBODY,
        allow_everyone=True,
    ),
    Permission(
        name="can_delete_own_message_group",
        about="Who may delete their own messages in the channel.",
        default=_NOBODY,
        allow_everyone=True,
    ),
    Permission(
        name="can_move_messages_out_of_channel_group",
        about="Who may move messages out of the channel.",
        default=_NOBODY,
        allow_everyone=True,
    ),
    Permission(
        name="can_move_messages_within_channel_group",
        about="Who may move messages within the channel.",
        default=_NOBODY,
        allow_everyone=True,
    ),
    Permission(
        name="can_remove_subscribers_group",
        about="Who may remove others from the channel.",
        default=_ADMINS,
        allow_everyone=True,
    ),
    Permission(
        name="can_resolve_topics_group",
        about="Who may resolve topics of the channel.",
        default=_NOBODY,
        allow_everyone=True,
    ),
    Permission(
        name="can_send_message_group",
        about="Who may send messages to the channel.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
    Permission(name="can_subscribe_group", about="Who may join the channel by themselves.", default=_NOBODY),
)

GROUP_PERMISSIONS = _by_name(
    Permission(name="can_add_members_group", about="Who may put others in.", default=None),
    Permission(name="can_join_group", about="Who may put themselves in.", default=_NOBODY),
    Permission(
        name="can_leave_group", about="Who may take themselves out.", default=_EVERYONE, allow_everyone=True
    ),
    Permission(
        name="can_manage_group", about="Who may do all that there is to do with the group.", default=None
    ),
    Permission(
        name="can_mention_group",
        about="Who may mention it.",
        default=_EVERYONE,
        allow_everyone=True,
        allow_owners=False,
    ),
    Permission(name="can_remove_members_group", about="Who may take others out.", default=_NOBODY),
)


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
        """Return the value of a permission setting; for a system group always nobody."""
        return (SETTINGS_OF_SYSTEM_GROUPS if self.is_system_group else self.settings)[name]

    def permits(self, name: str, actor: Actor) -> bool:
        """Whether the actor holds the group's permission *name*."""
        return GROUP_PERMISSIONS[name].held_by(actor, self.setting(name))


RESERVED_PREFIXES = ("@", "role:", "user:", "stream:", "channel:")
WILDCARDS = frozenset({"all", "everyone", "channel", "stream", "topic"})
"""Names that mean everybody in a mention; a group of such a name would be mistaken for them."""
RESERVED_NAMES = WILDCARDS | {look(shown) for shown in SHOWN_AS.values()}


def group_name(raw: str, limits: Limits) -> str:
    """Check the name of a new or renamed group and return it stripped.

    :raises BadRequest: blank, too long, with a prefix that means something else, forbidden characters, or
        similar to a system group or a wildcard
    """
    name = raw.strip()
    if not visible(name):
        raise BadRequest("User group name can't be empty!")
    if length(name) > limits.max_group_name_length:
        raise BadRequest(f"User group name cannot exceed {limits.max_group_name_length} characters.")
    for prefix in RESERVED_PREFIXES:
        if look(name).startswith(prefix):
            raise BadRequest(f"User group name cannot start with '{prefix}'.")
    check_name(name, "user group name")
    if look(name) in RESERVED_NAMES:
        raise BadRequest(f"User group name '{name}' is reserved.")
    return name


def group_description(raw: str, limits: Limits) -> str:
    """Check the description of a group.

    :raises BadRequest: too long, or with characters that cannot be stored
    """
    if len(raw) > limits.max_group_description_length:
        raise BadRequest(f"description is too long (limit: {limits.max_group_description_length} characters)")
    if "\0" in raw or any("\ud800" <= character <= "\udfff" for character in raw):
        raise BadRequest("Invalid character in description.")
    return raw


# -- permissions of groups --------------------------------------------------------------------------


def is_manager(group: Group, actor: Actor, *, manages_all: bool) -> bool:
    """Whether the actor may change everything about the group.

    *manages_all*: whether the actor holds the organization's `can_manage_all_groups`. Nobody
    manages a system group.
    """
    if group.is_system_group or actor.is_guest:
        return False
    return manages_all or group.permits("can_manage_group", actor)


def may_add_members(group: Group, actor: Actor, who: Collection[UserId], *, manages_all: bool) -> bool:
    """Whether the actor may add these users as members. Joining means adding only oneself."""
    if group.is_system_group:
        return False
    if is_manager(group, actor, manages_all=manages_all) or group.permits("can_add_members_group", actor):
        return True
    return set(who) == {actor.user_id} and group.permits("can_join_group", actor)


def may_remove_members(group: Group, actor: Actor, who: Collection[UserId], *, manages_all: bool) -> bool:
    """Whether the actor may remove these users. Leaving means removing only oneself."""
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
