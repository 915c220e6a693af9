"""Channels, and personal settings of subscriptions."""

from collections.abc import Collection
from typing import Any, Literal, TypedDict

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.domain.channels.channels import (
    Activity,
    Channel,
    Subscription,
    is_recently_active,
    stream_post_policy,
)
from chatcore.domain.channels.default_groups import DefaultGroup
from chatcore.domain.choices import Value
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS
from chatcore.domain.ids import UserId
from chatcore.events.payloads.objects import ChannelObject, PersonalObject, SubscriptionObject
from chatcore.events.payloads.parts import Payload, SettingShape

__all__ = [
    "ChannelCreateEvent",
    "ChannelDeleteEvent",
    "ChannelIdObject",
    "ChannelNameObject",
    "ChannelUpdateEvent",
    "DefaultChannelGroupsEvent",
    "DefaultChannelsEvent",
    "MutedTopicsEvent",
    "PeersEvent",
    "SubscribeEvent",
    "SubscriptionUpdateEvent",
    "TopicPolicyEvent",
    "UnsubscribeEvent",
]

IncludeSubscribers = bool | Literal["partial"]
"""Whether channels include their subscribers; "partial" does so for small channels only."""


class ChannelShape(msgspec.Struct, kw_only=True):
    """A channel, the same for all users who may see it."""

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
    """A channel with the personal settings of one subscriber."""

    color: str
    is_muted: bool
    in_home_view: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    email_notifications: bool | None
    push_notifications: bool | None
    audible_notifications: bool | None
    wildcard_mentions_notify: bool | UnsetType | None = UNSET
    """Absent for clients that do not support null."""


class DefaultGroupObject(TypedDict):
    """A group of channels that new people can choose."""

    id: int
    name: str
    description: str
    streams: list[int]


def default_group_object(group: DefaultGroup) -> DefaultGroupObject:
    return {
        "id": group.id,
        "name": group.name,
        "description": group.description,
        "streams": list(group.channel_ids),
    }


def stored_fields(channel: Channel, *, hidden: Collection[UserId] = frozenset()) -> dict[str, Any]:
    """Return the fields of a channel that change with the channel alone, but not its number of subscribers,
    which not everybody may know; *hidden* users are left out of the settings.
    """
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
        "is_announcement_only": post_policy == 2,  # only administrators may post
        "is_archived": channel.is_archived,
        "stream_post_policy": post_policy,
        "topics_policy": channel.topics_policy,
        "message_retention_days": channel.message_retention_days,
        "folder_id": channel.folder_id,
    }
    for name in CHANNEL_PERMISSIONS:
        fields[name] = channel.permission_value(name).as_sent(hidden=hidden)
    return fields


def activity_fields(channel: Channel, activity: Activity, *, now: int) -> dict[str, Any]:
    """Return the fields of a channel that change with its messages, and with time."""
    return {
        "is_recently_active": is_recently_active(channel, activity.last_message_at, now),
        "first_message_id": activity.first_message_id,
        "stream_weekly_traffic": activity.weekly_traffic,
    }


def channel_shape(
    channel: Channel,
    activity: Activity,
    *,
    subscriber_count: int,
    now: int,
    hidden: Collection[UserId] = frozenset(),
) -> ChannelShape:
    """Return the shape of a channel with the *subscriber_count* that its readers may know."""
    return ChannelShape(
        **stored_fields(channel, hidden=hidden),
        **activity_fields(channel, activity, now=now),
        subscriber_count=subscriber_count,
    )


def personal_fields(subscription: Subscription) -> PersonalObject:
    """Return a user's personal settings of a subscription."""
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
"""Number of subscribers from which clients that accept partial lists get one."""


def lists_subscribers(subscriber_count: int, include: IncludeSubscribers) -> bool:
    """Whether a channel with so many subscribers, as the reader may know, includes the list of all of
    them.
    """
    return include is True or (include == "partial" and subscriber_count < LARGE_CHANNEL)


def add_subscribers(
    shape: ChannelShape,
    subscribers: Collection[UserId] | None,
    include: IncludeSubscribers,
    reader_id: UserId | None,
) -> None:
    """Add the list of subscribers if there is one; for a large channel possibly only the reader."""
    if subscribers is not None:
        shape.subscribers = list(subscribers)
    elif include == "partial":
        shape.partial_subscribers = [] if reader_id is None else [reader_id]


def subscription_shape(
    channel: Channel,
    subscription: Subscription,
    activity: Activity,
    *,
    now: int,
    hidden: Collection[UserId] = frozenset(),
) -> SubscriptionShape:
    """Return the shape of an active subscription, whose owner may know the number of subscribers."""
    return SubscriptionShape(
        **stored_fields(channel, hidden=hidden),
        **activity_fields(channel, activity, now=now),
        **personal_fields(subscription),
        subscriber_count=channel.subscriber_count,
    )


class ChannelIdObject(TypedDict):
    stream_id: int


class ChannelNameObject(TypedDict):
    stream_id: int
    name: str


class SubscribeEvent(Payload):
    """The reader was subscribed to channels."""

    type: Literal["subscription"]
    op: Literal["add"]
    subscriptions: list[SubscriptionObject]


class UnsubscribeEvent(Payload):
    """The reader was unsubscribed from channels."""

    type: Literal["subscription"]
    op: Literal["remove"]
    subscriptions: list[ChannelNameObject]


class SubscriptionUpdateEvent(Payload):
    """A personal setting of a subscription has changed."""

    type: Literal["subscription"]
    op: Literal["update"]
    stream_id: int
    property: str
    value: bool | str


class PeersEvent(Payload):
    """Other users were subscribed or unsubscribed."""

    type: Literal["subscription"]
    op: Literal["peer_add", "peer_remove"]
    stream_ids: list[int]
    user_ids: list[int]


class ChannelCreateEvent(Payload):
    """Channels that are visible to the reader from now on."""

    type: Literal["stream"]
    op: Literal["create"]
    streams: list[ChannelObject]


class ChannelConsequences(TypedDict, total=False):
    """Properties of a channel that change together with another one or follow from it."""

    rendered_description: str
    is_web_public: bool
    history_public_to_subscribers: bool


class ChannelUpdateEvent(Payload, ChannelConsequences):
    """A property of a channel has changed; `name` is its previous name."""

    type: Literal["stream"]
    op: Literal["update"]
    stream_id: int
    name: str
    property: str
    value: Value | SettingShape


class ChannelDeleteEvent(Payload):
    """Channels that are no longer visible to the reader."""

    type: Literal["stream"]
    op: Literal["delete"]
    stream_ids: list[int]
    streams: list[ChannelIdObject]


class TopicPolicyEvent(Payload):
    """The reader's policy for a topic has changed."""

    type: Literal["user_topic"]
    stream_id: int
    topic_name: str
    last_updated: int
    visibility_policy: int


class MutedTopicsEvent(Payload):
    """The older list of policies for topics: names of channels, topics, and times of muting."""

    type: Literal["muted_topics"]
    muted_topics: list[list[str | int]]


class DefaultChannelsEvent(Payload):
    type: Literal["default_streams"]
    default_streams: list[int]


class DefaultChannelGroupsEvent(Payload):
    type: Literal["default_stream_groups"]
    default_stream_groups: list[DefaultGroupObject]
