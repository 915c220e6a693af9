"""The API's JSON shapes of messages, users and channels.

Answers, the register state and events all take them from here, so that they cannot differ. A field
that is left UNSET is absent on the wire. Older wire names (`stream_id`, `subject`) start here.
"""

import hashlib
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypedDict

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.domain.channels import (
    Channel,
    Subscription,
    is_recently_active,
    stream_post_policy,
)
from chatcore.domain.drafts import Draft
from chatcore.domain.groups import CHANNEL_PERMISSIONS, GROUP_PERMISSIONS, Actor, Group
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.roles import Role
from chatcore.domain.uploads import Attachment, Linking
from chatcore.domain.users import (
    AvatarSource,
    EmailVisibility,
    User,
    api_email,
    may_see_email,
    placeholder_email,
)

GRAVATAR = "https://secure.gravatar.com/avatar/"
UNKNOWN_USER_NAME = "Unknown user"
"""The name of a user that a limited guest does not know."""
UNKNOWN_AVATAR = f"{GRAVATAR}{'0' * 32}?d=mp&version=1"


class Person(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What others are told of a user, kept in events; who may see the address is decided on delivery."""

    id: UserId
    email: str
    full_name: str
    role: int
    api_email: str
    is_bot: bool = False
    bot_type: int | None = None
    bot_owner_id: UserId | None = None
    is_active: bool = True
    date_joined: int = 0
    timezone: str = ""
    avatar_source: str = AvatarSource.GRAVATAR
    avatar_version: int = 1
    email_visibility: int = EmailVisibility.EVERYONE


def person(user: User, host: str) -> Person:
    return Person(
        id=user.id,
        email=user.email,
        full_name=user.full_name,
        role=user.role,
        api_email=api_email(user, host),
        is_bot=user.is_bot,
        bot_type=user.bot_type,
        bot_owner_id=user.bot_owner_id,
        is_active=user.is_active,
        date_joined=user.date_joined,
        timezone=user.timezone,
        avatar_source=user.avatar_source,
        avatar_version=user.avatar_version,
        email_visibility=user.email_visibility,
    )


def unknown_person(user_id: UserId, host: str) -> Person:
    """What stands for a user that a limited guest does not know: nothing of it is theirs but the id."""
    return Person(
        id=user_id,
        email="",
        full_name=UNKNOWN_USER_NAME,
        role=Role.MEMBER,
        api_email=placeholder_email(user_id, host),
        avatar_source=AvatarSource.UNKNOWN,
    )


def avatar_url(who: Person, *, medium: bool = False) -> str:
    """The address of a picture; without an uploaded one, the generated picture of the API address.

    A hidden real address is not even in it as a hash, by which it could be guessed.
    """
    size = "&s=500" if medium else ""
    if who.avatar_source == AvatarSource.UNKNOWN:
        return UNKNOWN_AVATAR
    if who.avatar_source == AvatarSource.UPLOADED:
        return f"/avatar/{who.id}{'/medium' if medium else ''}?version={who.avatar_version}"
    digest = hashlib.md5(who.api_email.lower().encode(), usedforsecurity=False).hexdigest()
    return f"{GRAVATAR}{digest}?d=identicon&version={who.avatar_version}{size}"


def avatar_fields(who: Person) -> dict[str, Any]:
    return {
        "avatar_url": avatar_url(who),
        "avatar_url_medium": avatar_url(who, medium=True),
        "avatar_source": who.avatar_source,
        "avatar_version": who.avatar_version,
    }


def avatar_is_left_to_client(viewer: Actor | None, who: Person) -> bool:
    """Whether a client that can make generated pictures itself knows what it needs for this one."""
    return who.avatar_source == AvatarSource.GRAVATAR and may_see_email(viewer, who)


# -- messages ---------------------------------------------------------------------------------------


class ReactionShape(msgspec.Struct, frozen=True, kw_only=True):
    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: int


class DirectPersonShape(msgspec.Struct, frozen=True, kw_only=True):
    """A person of a direct message, in `display_recipient`."""

    id: int
    email: str
    full_name: str
    is_mirror_dummy: bool = False


class TopicLinkShape(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    url: str


class MessageShape(msgspec.Struct, kw_only=True):
    """A message as one reader gets it."""

    id: int
    sender_id: int
    content: str
    content_type: Literal["text/html", "text/x-markdown"]
    recipient_id: int
    timestamp: int
    client: str
    subject: str
    topic_links: list[TopicLinkShape]
    is_me_message: bool
    reactions: list[ReactionShape]
    submessages: list[dict[str, Any]]
    sender_full_name: str
    sender_email: str
    sender_realm_str: str
    display_recipient: str | list[DirectPersonShape]
    type: Literal["stream", "private"]
    avatar_url: str | None
    stream_id: int | UnsetType = UNSET
    flags: Sequence[str] | UnsetType = UNSET
    match_content: str | UnsetType = UNSET
    match_subject: str | UnsetType = UNSET


class MessageForm(msgspec.Struct, frozen=True, kw_only=True):
    """In what form a client wants messages."""

    apply_markdown: bool = True
    client_gravatar: bool = True
    empty_topic_name: str | None = None
    """What stands for the empty topic; None leaves it empty."""


def message_shape(
    message: Message,
    *,
    sender: Person,
    people: Sequence[Person],
    channel_name: str,
    reader: UserId | None,
    form: MessageForm,
) -> MessageShape:
    """*people* are those of a direct message, the sender and the reader included."""
    gravatar_left_to_client = (
        form.client_gravatar
        and sender.avatar_source == AvatarSource.GRAVATAR
        and sender.email_visibility == EmailVisibility.EVERYONE
    )
    topic = message.topic
    if not topic and message.channel_id is not None and form.empty_topic_name is not None:
        topic = form.empty_topic_name
    shape = MessageShape(
        id=message.id,
        sender_id=message.sender_id,
        content=message.rendered_content if form.apply_markdown else message.content,
        content_type="text/html" if form.apply_markdown else "text/x-markdown",
        recipient_id=message.recipient_id,
        timestamp=message.timestamp,
        client=message.client,
        subject=topic,
        topic_links=[TopicLinkShape(**link) for link in message.topic_links],
        is_me_message=message.is_me_message,
        reactions=[
            ReactionShape(
                emoji_name=reaction.emoji_name,
                emoji_code=reaction.emoji_code,
                reaction_type=reaction.reaction_type,
                user_id=reaction.user_id,
            )
            for reaction in message.reactions
        ],
        submessages=[],
        sender_full_name=sender.full_name,
        sender_email=sender.api_email,
        sender_realm_str="",
        display_recipient=channel_name,
        type="stream",
        avatar_url=None if gravatar_left_to_client else avatar_url(sender),
    )
    if message.conversation is None:
        assert message.channel_id is not None
        shape.stream_id = message.channel_id
        return shape
    shape.type = "private"
    shape.display_recipient = direct_people(people)
    if reader is not None:
        shape.recipient_id = message.conversation.recipient_id_for(reader)
    return shape


def direct_people(people: Iterable[Person]) -> list[DirectPersonShape]:
    return [
        DirectPersonShape(id=who.id, email=who.api_email, full_name=who.full_name)
        for who in sorted(people, key=lambda who: who.api_email)
    ]


# -- users ------------------------------------------------------------------------------------------


class UserShape(msgspec.Struct, kw_only=True):
    """A user as one viewer sees it."""

    user_id: int
    delivery_email: str | None
    email: str
    full_name: str
    date_joined: str
    is_owner: bool
    is_admin: bool
    is_guest: bool
    is_bot: bool
    bot_type: int | None
    bot_owner_id: int | None
    role: int
    timezone: str
    avatar_url: str | None
    avatar_version: int
    is_active: bool | UnsetType = UNSET
    profile_data: dict[str, Any] | UnsetType = UNSET


def joined_text(seconds: int) -> str:
    """`date_joined`: ISO 8601 with offset."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def user_shape(
    who: Person,
    viewer: Actor | None,
    *,
    client_gravatar: bool = True,
    with_is_active: bool = True,
    profile_data: dict[str, Any] | None = None,
) -> UserShape:
    """*profile_data* None leaves it out; bots never have any."""
    sees_email = may_see_email(viewer, who)
    left_to_client = client_gravatar and sees_email and who.avatar_source == AvatarSource.GRAVATAR
    shape = UserShape(
        user_id=who.id,
        delivery_email=who.email if sees_email else None,
        email=who.api_email,
        full_name=who.full_name,
        date_joined=joined_text(who.date_joined),
        is_owner=who.role == Role.OWNER,
        is_admin=who.role <= Role.ADMINISTRATOR,
        is_guest=who.role == Role.GUEST,
        is_bot=who.is_bot,
        bot_type=who.bot_type,
        bot_owner_id=who.bot_owner_id,
        role=who.role,
        timezone=who.timezone,
        avatar_url=None if left_to_client else avatar_url(who),
        avatar_version=who.avatar_version,
    )
    if with_is_active:
        shape.is_active = who.is_active
    if profile_data is not None and not who.is_bot:
        shape.profile_data = profile_data
    return shape


# -- channels ---------------------------------------------------------------------------------------

IncludeSubscribers = bool | Literal["partial"]
"""Whether channels come with their subscribers; partly means small channels only."""

SettingShape = int | dict[str, list[int]]


class ChannelShape(msgspec.Struct, kw_only=True):
    """A channel, the same for everybody who may see it."""

    stream_id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: int | None
    invite_only: bool
    is_web_public: bool
    history_public_to_subscribers: bool
    is_announcement_only: bool
    is_archived: bool
    is_recently_active: bool
    stream_post_policy: int
    topics_policy: str
    message_retention_days: int | None
    first_message_id: int | None
    folder_id: int | None
    subscriber_count: int
    stream_weekly_traffic: int | None
    can_add_subscribers_group: SettingShape
    can_administer_channel_group: SettingShape
    can_delete_any_message_group: SettingShape
    can_delete_own_message_group: SettingShape
    can_move_messages_out_of_channel_group: SettingShape
    can_move_messages_within_channel_group: SettingShape
    can_remove_subscribers_group: SettingShape
    can_resolve_topics_group: SettingShape
    can_send_message_group: SettingShape
    can_subscribe_group: SettingShape
    is_default: bool | UnsetType = UNSET
    subscribers: list[int] | UnsetType = UNSET
    partial_subscribers: list[int] | UnsetType = UNSET


class SubscriptionShape(ChannelShape, kw_only=True):
    """A channel with what one person has set for it."""

    color: str
    is_muted: bool
    in_home_view: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    email_notifications: bool | None
    push_notifications: bool | None
    audible_notifications: bool | None
    wildcard_mentions_notify: bool | None


def channel_fields(
    channel: Channel, *, now: int, weekly_traffic: int | None, hidden: Collection[UserId] = frozenset()
) -> dict[str, Any]:
    """*hidden* users are left out of the settings."""
    post_policy = stream_post_policy(channel)
    fields = {
        "stream_id": channel.id,
        "name": channel.name,
        "description": channel.description,
        "rendered_description": channel.rendered_description,
        "date_created": channel.date_created,
        "creator_id": channel.creator_id,
        "invite_only": channel.invite_only,
        "is_web_public": channel.is_web_public,
        "history_public_to_subscribers": channel.history_public_to_subscribers,
        "is_announcement_only": post_policy == 2,
        "is_archived": channel.is_archived,
        "is_recently_active": is_recently_active(channel, now),
        "stream_post_policy": post_policy,
        "topics_policy": channel.topics_policy,
        "message_retention_days": channel.message_retention_days,
        "first_message_id": channel.first_message_id,
        "folder_id": None,
        "subscriber_count": channel.subscriber_count,
        "stream_weekly_traffic": weekly_traffic,
    }
    for name in CHANNEL_PERMISSIONS:
        fields[name] = channel.permission_value(name).wire(hidden=hidden)
    return fields


def channel_shape(
    channel: Channel, *, now: int, weekly_traffic: int | None, hidden: Collection[UserId] = frozenset()
) -> ChannelShape:
    return ChannelShape(**channel_fields(channel, now=now, weekly_traffic=weekly_traffic, hidden=hidden))


def personal_fields(subscription: Subscription) -> dict[str, Any]:
    """What one person has set for a channel."""
    return {
        "color": subscription.color,
        "is_muted": subscription.is_muted,
        "in_home_view": not subscription.is_muted,
        "pin_to_top": subscription.pin_to_top,
        "desktop_notifications": subscription.desktop_notifications,
        "email_notifications": subscription.email_notifications,
        "push_notifications": subscription.push_notifications,
        "audible_notifications": subscription.audible_notifications,
        "wildcard_mentions_notify": subscription.wildcard_mentions_notify,
    }


LARGE_CHANNEL = 1000
"""From so many subscribers on, a client that takes partial lists gets one."""


def lists_subscribers(channel: Channel, include: IncludeSubscribers) -> bool:
    """Whether a channel comes with all of its subscribers."""
    return include is True or (include == "partial" and channel.subscriber_count < LARGE_CHANNEL)


def add_subscribers(
    shape: ChannelShape,
    subscribers: Collection[UserId] | None,
    include: IncludeSubscribers,
    me: UserId | None,
) -> None:
    """Put in the list of subscribers where there is one; of a large channel maybe only oneself (*me*)."""
    if subscribers is not None:
        shape.subscribers = list(subscribers)
    elif include == "partial":
        shape.partial_subscribers = [] if me is None else [me]


def subscription_shape(
    channel: Channel,
    subscription: Subscription,
    *,
    now: int,
    weekly_traffic: int | None,
    hidden: Collection[UserId] = frozenset(),
) -> SubscriptionShape:
    fields = channel_fields(channel, now=now, weekly_traffic=weekly_traffic, hidden=hidden)
    return SubscriptionShape(**fields, **personal_fields(subscription))


# -- user groups ------------------------------------------------------------------------------------


class GroupShape(msgspec.Struct, kw_only=True):
    """A user group with its direct members and subgroups."""

    id: int
    name: str
    description: str
    creator_id: int | None
    date_created: int | None
    members: list[int]
    direct_subgroup_ids: list[int]
    is_system_group: bool
    deactivated: bool
    can_add_members_group: SettingShape
    can_join_group: SettingShape
    can_leave_group: SettingShape
    can_manage_group: SettingShape
    can_mention_group: SettingShape
    can_remove_members_group: SettingShape


def group_shape(
    group: Group,
    *,
    members: Iterable[UserId],
    subgroups: Iterable[GroupId],
    hidden: Collection[UserId],
) -> GroupShape:
    """*hidden* users are left out of the settings, as they are of the *members*: deactivated ones, and
    those of whom the reader does not know.
    """
    return GroupShape(
        id=group.id,
        name=group.name,
        description=group.description,
        creator_id=group.creator_id,
        date_created=group.date_created,
        members=sorted(members),
        direct_subgroup_ids=sorted(subgroups),
        is_system_group=group.is_system_group,
        deactivated=group.deactivated,
        **{name: group.setting(name).wire(hidden=hidden) for name in GROUP_PERMISSIONS},
    )


# -- drafts and uploads -----------------------------------------------------------------------------


class DraftShape(TypedDict):
    id: int
    type: str
    to: tuple[int, ...]
    topic: str
    content: str
    timestamp: int


def draft_shape(draft: Draft) -> DraftShape:
    return {
        "id": draft.id,
        "type": str(draft.type),
        "to": draft.to,
        "topic": draft.topic,
        "content": draft.content,
        "timestamp": draft.timestamp,
    }


class LinkingShape(TypedDict):
    """A message that links to a file; times are in milliseconds."""

    id: int
    date_sent: int


class AttachmentShape(TypedDict):
    """An uploaded file; times are in milliseconds."""

    id: int
    name: str
    path_id: str
    size: int
    create_time: int
    messages: list[LinkingShape]


def attachment_shape(attachment: Attachment, links: Iterable[Linking]) -> AttachmentShape:
    return {
        "id": attachment.id,
        "name": attachment.name,
        "path_id": attachment.path_id,
        "size": attachment.size,
        "create_time": attachment.created,
        "messages": [{"id": link.message_id, "date_sent": link.timestamp * 1000} for link in links],
    }
