"""Channels, with their present and past subscribers."""

from peewee import CompositeKey

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.ids import ChannelId
from chatcore.domain.topics import VisibilityPolicy
from storage_backends.sql.schema.archives import OF_PERSON, Exported, Part
from storage_backends.sql.schema.columns import Boolean, Bytewise, Integer, Json, NumberedChoice, Serial, Text
from storage_backends.sql.schema.table import DEFAULT_ZERO, UNIQUE, Table


class Channel(Table):
    archive = Exported(part=Part(recipient="id"))

    id = Integer(primary_key=True, refers="recipient")
    name = Text()
    name_key = Text(constraints=UNIQUE, exported=True)
    description = Text()
    rendered_description = Text()
    date_created = Integer()
    creator_id = Integer(null=True)
    invite_only = Boolean()
    is_web_public = Boolean()
    history_public_to_subscribers = Boolean()
    is_archived = Boolean()
    message_retention_days = Integer(null=True)
    topics_policy = Text()
    subscriber_count = Integer()
    permissions = Json(dict[str, GroupSetting], remembered=1024)
    """The groups that hold each permission; most channels share the exact text with many others."""
    folder_id = Integer(null=True)
    address_version = Integer(constraints=DEFAULT_ZERO)

    class Meta:
        table_name = "channel"


class ChannelFolder(Table):
    archive = Exported()

    id = Serial()
    order = Integer(column_name="place")
    name = Text()
    description = Text()
    rendered_description = Text()
    date_created = Integer()
    creator_id = Integer(null=True)
    is_archived = Boolean()

    class Meta:
        table_name = "channel_folder"


class DefaultChannelGroup(Table):
    archive = Exported()

    id = Serial()
    name = Text()
    description = Text()
    channel_ids = Json(tuple[ChannelId, ...])

    class Meta:
        table_name = "default_channel_group"


class NavigationView(Table):
    archive = Exported(part=OF_PERSON)

    user_id = Integer(refers="account")
    fragment = Bytewise()
    is_pinned = Boolean()
    name = Text(null=True)

    class Meta:
        table_name = "navigation_view"
        primary_key = CompositeKey("user_id", "fragment")
        without_rowid = True


class ChannelEvent(Table):
    """The last event of a channel, besides messages, whose audience depends on subscriptions."""

    archive = Exported(part=Part(recipient="channel_id"))

    channel_id = Integer(primary_key=True, refers="channel")
    position = Integer()

    class Meta:
        table_name = "channel_event"


class ChannelTraffic(Table):
    archive = Exported(part=Part(recipient="channel_id"))

    channel_id = Integer(refers="channel")
    day = Integer()
    messages = Integer()

    class Meta:
        table_name = "channel_traffic"
        primary_key = CompositeKey("channel_id", "day")
        without_rowid = True


class Subscription(Table):
    """The properties of a subscription, which remain after it ends."""

    archive = Exported(part=Part(recipient="channel_id"))

    user_id = Integer(refers="account")
    channel_id = Integer(refers="channel")
    active = Boolean()
    color = Text(personal="#c2c2c2")
    is_muted = Boolean(personal=False)
    pin_to_top = Boolean(personal=False)
    desktop_notifications = Boolean(null=True, personal=None)
    email_notifications = Boolean(null=True, personal=None)
    push_notifications = Boolean(null=True, personal=None)
    audible_notifications = Boolean(null=True, personal=None)
    wildcard_mentions_notify = Boolean(null=True, personal=None)

    class Meta:
        table_name = "subscription"
        primary_key = CompositeKey("user_id", "channel_id")
        without_rowid = True


Subscription.declare_index(
    "subscription_channel", Subscription.channel_id, Subscription.user_id, where=Subscription.active
)


class SubscriptionPeriod(Table):
    """The positions from which, and up to which, an account was subscribed; open while the account is
    subscribed.
    """

    archive = Exported(part=Part(recipient="recipient_id"))

    user_id = Integer(refers="account")
    recipient_id = Integer(refers="channel")
    start_position = Integer()
    until_position = Integer(null=True)

    class Meta:
        table_name = "subscription_period"
        primary_key = CompositeKey("user_id", "recipient_id", "start_position")
        without_rowid = True


SubscriptionPeriod.declare_index(
    "subscription_period_recipient", SubscriptionPeriod.recipient_id, SubscriptionPeriod.user_id
)


class TopicPolicy(Table):
    """The visibility policy of an account for a topic."""

    archive = Exported(part=Part(person="user_id", recipient="channel_id"))

    user_id = Integer(refers="account")
    channel_id = Integer(refers="channel")
    topic_key = Text(exported=True)
    topic = Text()
    policy = NumberedChoice(VisibilityPolicy)
    updated = Integer()

    class Meta:
        table_name = "topic_policy"
        primary_key = CompositeKey("user_id", "channel_id", "topic_key")


TopicPolicy.declare_index(
    "topic_policy_topic", TopicPolicy.channel_id, TopicPolicy.topic_key, TopicPolicy.user_id
)
