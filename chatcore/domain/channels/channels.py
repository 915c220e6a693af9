"""Channels, subscriptions, and permissions to see, read, post in and administer a channel.

*Content access* is the right to read messages; *metadata access* the right to know that the channel exists,
with its name, settings and subscribers.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypedDict

from chatcore.domain.characters import check_characters, check_name, length, visible
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import ChannelId, FolderId, MessageId, Position, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.domain.topics import TopicsPolicy

COLORS = (
    "#76ce90", "#fae589", "#a6c7e5", "#e79ab5", "#bfd56f", "#f4ae55", "#b0a5fd", "#addfe5",
    "#f5ce6e", "#c2726a", "#94c849", "#bd86e5", "#ee7e4a", "#a6dcbf", "#95a5fd", "#53a063",
    "#9987e1", "#e4523d", "#c2c2c2", "#4f8de4", "#c6a8ad", "#e7cc4d", "#c8bebf", "#a47462",
)  # fmt: skip
"""The palette for new subscriptions; each gets the first colour that its owner does not use yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel with its settings, the same for every user."""

    id: ChannelId
    name: str
    description: str = ""
    rendered_description: str = ""
    date_created: int
    creator_id: UserId | None = None
    invite_only: bool = False
    is_web_public: bool = False
    history_public_to_subscribers: bool = True
    is_archived: bool = False
    message_retention_days: int | None = None
    topics_policy: str = TopicsPolicy.INHERIT
    folder_id: FolderId | None = None
    subscriber_count: int = 0
    permissions: Mapping[str, GroupSetting] = field(default_factory=dict)
    address_version: int = 0
    """Input to the marks of the channel's e-mail addresses: changing it ends all that were made before."""

    def permission_value(self, name: str) -> GroupSetting:
        """Return the group-setting value of a permission, by default that of new channels."""
        if (value := self.permissions.get(name)) is not None:
            return value
        return default_permissions(self.creator_id)[name]

    @property
    def named_people(self) -> frozenset[UserId]:
        """Users named in the permission settings."""
        values = self.permissions
        if len(values) < len(CHANNEL_PERMISSIONS):
            values = {**default_permissions(self.creator_id), **values}
        return frozenset(user_id for value in values.values() for user_id in value.members)

    def permits(self, name: str, actor: Actor) -> bool:
        """Whether the actor holds the channel's permission *name*."""
        return CHANNEL_PERMISSIONS[name].held_by(actor, self.permission_value(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The facts about a channel that change with its messages."""

    first_message_id: MessageId | None
    last_message_at: int | None
    weekly_traffic: int | None
    """As clients see it: see `weekly_traffic`."""


@lru_cache(maxsize=1024)
def default_permissions(creator_id: UserId | None) -> Mapping[str, GroupSetting]:
    """Return the default permission settings of a channel created by *creator_id*."""
    creator = GroupSetting.of(members=[] if creator_id is None else [creator_id])
    return {
        name: creator if permission.default is None else GroupSetting.of(permission.default)
        for name, permission in CHANNEL_PERMISSIONS.items()
    }


@dataclass(frozen=True, slots=True)
class Period:
    """A period of subscription in log positions; `until` is None while it lasts."""

    start: Position
    until: Position | None = None

    def covers(self, position: int) -> bool:
        return self.start <= position and (self.until is None or position < self.until)

    def meets(self, first: int, last: int) -> bool:
        """Whether the period covers a position of the range, both ends included."""
        return self.start <= last and (self.until is None or first < self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A user's relation to a channel; kept after unsubscribing, so that resubscribing restores it."""

    channel_id: ChannelId
    active: bool
    periods: tuple[Period, ...] = ()
    color: str = COLORS[0]
    is_muted: bool = False
    pin_to_top: bool = False
    desktop_notifications: bool | None = None
    email_notifications: bool | None = None
    push_notifications: bool | None = None
    audible_notifications: bool | None = None
    wildcard_mentions_notify: bool | None = None

    def has_received(self, position: int) -> bool:
        """Whether a message that arrived in the channel at this position was received."""
        for period in self.periods:  # noqa: SIM110 - asked of each message of a page, any() takes twice as long
            if period.covers(position):
                return True
        return False


def is_subscribed(subscription: Subscription | None) -> bool:
    """Whether the relation of a user to a channel, None if there never was one, is a subscription now."""
    return subscription is not None and subscription.active


CONTENT_GROUPS = ("can_add_subscribers_group", "can_subscribe_group")
"""Permissions whose holders may read a private channel."""
METADATA_GROUPS = ("can_administer_channel_group", *CONTENT_GROUPS)
"""Permissions whose holders may know that a private channel exists."""


def has_content_access_by_group(channel: Channel, actor: Actor) -> bool:
    """Whether the actor has content access through a group permission; never true for guests."""
    return any(channel.permits(name, actor) for name in CONTENT_GROUPS)


def has_content_access(channel: Channel, actor: Actor | None, *, subscribed: bool) -> bool:
    """Whether the actor may read messages of the channel; `reads_full_history` decides about older ones.

    *actor* None is a spectator, who may read web-public channels.
    """
    if channel.is_web_public:
        return True
    if actor is None:
        return False
    if subscribed:
        return True
    if not channel.invite_only:
        return not actor.is_guest
    return has_content_access_by_group(channel, actor)


def is_channel_admin(channel: Channel, actor: Actor) -> bool:
    """Whether the actor may administer a channel that is visible to them."""
    return actor.role.is_administrator or channel.permits("can_administer_channel_group", actor)


def has_metadata_access(channel: Channel, actor: Actor | None, *, subscribed: bool) -> bool:
    """Whether the actor may know about the channel.

    Administrators, of the organization or of the channel, may know of it even if they may not read it.
    """
    if has_content_access(channel, actor, subscribed=subscribed):
        return True
    return actor is not None and is_channel_admin(channel, actor)


def may_name(other: Channel, notice_in: Channel, *, guests_read: Callable[[], bool]) -> bool:
    """Whether a notice in *notice_in* may name *other* and its topics: all readers of *notice_in* may know of
    them.

    *guests_read* returns whether a guest is subscribed to *notice_in*. Future readers are not considered:
    opening a channel to the web or to a guest also opens the texts in it.
    """
    if other.id == notice_in.id:
        return notice_in.history_public_to_subscribers
    if other.is_web_public:
        return True
    return not (other.invite_only or notice_in.is_web_public or guests_read())


def reads_full_history(channel: Channel, actor: Actor | None, *, subscribed: bool) -> bool:
    """Whether messages from before the subscription may be read: shared history, never protected history."""
    return channel.history_public_to_subscribers and has_content_access(channel, actor, subscribed=subscribed)


def require_can_post(channel: Channel, actor: Actor, subscriber_ids: Collection[UserId]) -> None:
    """Refuse a message that the sender may not post, in the API's order of checks.

    Public channels need no subscription. *subscriber_ids* has the sender and, for a bot, its owner, if they
    are subscribed.

    :raises BadRequest: not in `can_send_message_group`, an archived channel, or no access to it
    """
    senders = [actor] if actor.owner is None else [actor, actor.owner]
    if not any(channel.permits("can_send_message_group", sender) for sender in senders):
        raise BadRequest("You do not have permission to post in this channel.")
    refusal = f"Not authorized to send to channel '{channel.name}'"
    is_open = channel.is_web_public or not (channel.invite_only or actor.is_guest)
    if not (
        is_open
        or any(sender.user_id in subscriber_ids for sender in senders)
        or (channel.history_public_to_subscribers and has_content_access_by_group(channel, actor))
    ):
        raise BadRequest(refusal)
    if channel.is_archived:
        raise BadRequest(f"{refusal}: it is archived")


def may_remove_subscribers(channel: Channel, actor: Actor, *, subscribed: bool) -> bool:
    """Whether the actor may unsubscribe other users from the channel."""
    if is_channel_admin(channel, actor):
        return True
    return has_metadata_access(channel, actor, subscribed=subscribed) and channel.permits(
        "can_remove_subscribers_group", actor
    )


def checked_channel_name(raw: str, limits: Limits) -> str:
    """Check the name of a channel and return it stripped.

    :raises BadRequest: empty, too long, or with forbidden characters
    """
    name = raw.strip()
    if length(name) > limits.max_channel_name_length:
        raise BadRequest(f"Channel name too long (limit: {limits.max_channel_name_length} characters).")
    if not visible(name):
        raise BadRequest("Channel name can't be empty.")
    check_name(name, "channel name")
    return name


def channel_key(name: str) -> str:
    """Return the key under which spellings of a channel name are equal; names are unique ignoring case."""
    return name.strip().lower()


def checked_description(raw: str, limits: Limits) -> str:
    """Check the description of a channel and return it on one line.

    :raises BadRequest: too long, or with forbidden characters
    """
    description = raw.replace("\r\n", " ").replace("\n", " ")
    if len(description) > limits.max_channel_description_length:
        raise too_long("description", limits.max_channel_description_length)
    check_characters(description, "channel description")
    return description


class Privacy(TypedDict):
    """A privacy model, as fields of a channel."""

    invite_only: bool
    is_web_public: bool
    history_public_to_subscribers: bool


def private_default() -> BadRequest:
    """Return the error for a private channel as a default channel."""
    return BadRequest("A default channel cannot be private.")


def checked_privacy(
    *, invite_only: bool, is_web_public: bool, history_public_to_subscribers: bool
) -> Privacy:
    """Return one of the four privacy models.

    :raises BadRequest: no such model: private and web-public, or protected history without being private
    """
    if (invite_only and is_web_public) or not (invite_only or history_public_to_subscribers):
        raise BadRequest("Invalid parameters")
    return {
        "invite_only": invite_only,
        "is_web_public": is_web_public,
        "history_public_to_subscribers": history_public_to_subscribers,
    }


def pick_color(used: Iterable[str]) -> str:
    """Return the first palette colour not in *used*, the colours of a user's subscriptions; if all are used,
    that at the number of subscriptions.
    """
    taken = list(used)
    return next((color for color in COLORS if color not in taken), COLORS[len(taken) % len(COLORS)])


POST_POLICY: Mapping[SystemGroup, int] = {
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MODERATORS: 4,
}


def stream_post_policy(channel: Channel) -> int:
    """Return the deprecated number that older clients read instead of `can_send_message_group`."""
    group = channel.permission_value("can_send_message_group").system_group
    return 1 if group is None else POST_POLICY.get(group, 1)


RECENTLY_ACTIVE_DAYS = 180


def is_recently_active(channel: Channel, last_message_at: int | None, now: int) -> bool:
    """Whether the channel had any message in the last 180 days; a new channel counts as active."""
    latest = last_message_at or channel.date_created
    return now - latest <= RECENTLY_ACTIVE_DAYS * SECONDS_PER_DAY


def weekly_traffic(messages_in_28_days: int, age_in_days: int) -> int | None:
    """Return the average messages per week, rounded down to two significant digits; at least 1 if there
    were any, and None for the first week.
    """
    if age_in_days < 7:
        return None
    average = messages_in_28_days // 4 if age_in_days >= 28 else messages_in_28_days * 7 // age_in_days
    if average == 0 and messages_in_28_days > 0:
        return 1
    digits = len(str(average))
    if digits <= 2:
        return average
    scale: int = 10 ** (digits - 2)
    return average // scale * scale
