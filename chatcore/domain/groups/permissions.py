"""Permission settings: their values, the values that each accepts, and holders of permissions."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import SystemGroup, is_system_group
from chatcore.domain.ids import GroupId, UserId


@dataclass(frozen=True, slots=True)
class GroupSetting:
    """A group-setting value: the union of some users and some groups (always normalised).

    As sent, a value of exactly one group is its id; any other value is an object of two lists.
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

    def without(self, hidden: Collection[UserId]) -> "GroupSetting":
        """Return the value without the *hidden* (deactivated) users, normalised, as it is sent."""
        return GroupSetting.of(*self.groups, members=self.members.difference(hidden))

    def as_sent(self, *, hidden: Collection[UserId] = frozenset()) -> int | dict[str, list[int]]:
        """Return the form in which clients receive it, without *hidden* (deactivated) users: an id,
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
    of_owners: bool = False
    """Whether only owners, not other administrators, can change it; for permissions of the organization."""

    @property
    def explained(self) -> str:
        """Description of the setting: its subject, its default, and the values it does not accept."""
        default = "the creator" if self.default is None else f"`{self.default.group_name}`"
        takes = {
            SystemGroup.INTERNET: False,
            SystemGroup.EVERYONE: self.allow_everyone,
            SystemGroup.NOBODY: self.allow_nobody,
            SystemGroup.OWNERS: self.allow_owners,
        }
        never = ", ".join(f"`{group.group_name}`" for group, taken in takes.items() if not taken)
        owners = " Owners only." if self.of_owners else ""
        return f"{self.about} By default {default}; never {never}.{owners}"

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
        refused_among = {
            SystemGroup.INTERNET: value.groups,
            SystemGroup.EVERYONE: set() if self.allow_everyone else value.groups,
            SystemGroup.NOBODY: set() if self.allow_nobody else only,
            SystemGroup.OWNERS: set() if self.allow_owners else only,
        }
        for group, group_ids in refused_among.items():
            if group.group_id in group_ids:
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
        about="Who may know of everybody; this restricts guests only.",
        default=_EVERYONE,
        allow_everyone=True,
        allow_nobody=False,
        require_system_group=True,
        allowed=frozenset({_EVERYONE, _MEMBERS}),
    ),
    Permission(name="can_add_custom_emoji_group", about="Who may add custom emoji.", default=_MEMBERS),
    Permission(name="can_add_subscribers_group", about="Who may add others to channels.", default=_MEMBERS),
    Permission(name="can_create_bots_group", about="Who may create bots of any kind.", default=_MEMBERS),
    Permission(
        name="can_create_groups",
        about="Who may create user groups.",
        default=_MEMBERS,
        of_owners=True,
    ),
    Permission(
        name="can_create_private_channel_group", about="Who may create private channels.", default=_MEMBERS
    ),
    Permission(
        name="can_create_public_channel_group", about="Who may create public channels.", default=_MEMBERS
    ),
    Permission(
        name="can_create_web_public_channel_group",
        about="Who may create channels that are open to the web.",
        default=_OWNERS,
        require_system_group=True,
        allowed=frozenset({_MODERATORS, _ADMINS, _OWNERS, _NOBODY}),
        of_owners=True,
    ),
    Permission(
        name="can_create_write_only_bots_group",
        about="Who may create bots that only send messages.",
        default=_MEMBERS,
    ),
    Permission(name="can_delete_any_message_group", about="Who may delete any message.", default=_ADMINS),
    Permission(
        name="can_delete_own_message_group",
        about="Who may delete their own messages.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
    Permission(
        name="can_invite_users_group",
        about="Who may invite people.",
        default=_MEMBERS,
        of_owners=True,
    ),
    Permission(
        name="can_manage_all_groups",
        about="Who may manage all user groups.",
        default=_OWNERS,
        allow_nobody=False,
        of_owners=True,
    ),
    Permission(
        name="can_mention_many_users_group",
        about="Who may use wildcard mentions where there are many readers.",
        default=_ADMINS,
        allow_everyone=True,
    ),
    Permission(
        name="can_move_messages_between_channels_group",
        about="Who may move messages to other channels.",
        default=_MEMBERS,
    ),
    Permission(
        name="can_move_messages_between_topics_group",
        about="Who may move messages to other topics.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
    Permission(
        name="can_resolve_topics_group",
        about="Who may resolve topics.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
    Permission(
        name="can_set_delete_message_policy_group",
        about="Who may grant permissions to delete messages, in channels that they administer.",
        default=_MODERATORS,
    ),
    Permission(
        name="can_set_topics_policy_group",
        about="Who may change the topics policy of channels that they administer.",
        default=_MEMBERS,
        allow_everyone=True,
    ),
    Permission(
        name="can_summarize_topics_group",
        about="Who may have topics summarized.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
    Permission(
        name="create_multiuse_invite_group",
        about="Who may create invitations for many people.",
        default=_ADMINS,
        of_owners=True,
    ),
    Permission(
        name="direct_message_initiator_group",
        about="Who may begin conversations of direct messages.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
    Permission(
        name="direct_message_permission_group",
        about="Users of whom at least one must be in each conversation of direct messages.",
        default=_EVERYONE,
        allow_everyone=True,
    ),
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
    Permission(name="can_add_members_group", about="Who may add members.", default=None),
    Permission(name="can_join_group", about="Who may join the group.", default=_NOBODY),
    Permission(
        name="can_leave_group", about="Who may leave the group.", default=_EVERYONE, allow_everyone=True
    ),
    Permission(name="can_manage_group", about="Who may manage the group.", default=None),
    Permission(
        name="can_mention_group",
        about="Who may mention the group.",
        default=_EVERYONE,
        allow_everyone=True,
        allow_owners=False,
    ),
    Permission(name="can_remove_members_group", about="Who may remove members.", default=_NOBODY),
)
