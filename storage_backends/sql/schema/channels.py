"""Channels, with their present and past subscribers."""

from peewee import CompositeKey

from storage_backends.sql.schema.columns import Boolean, Bytewise, Integer, Serial, Text
from storage_backends.sql.schema.table import DEFAULT_ZERO, UNIQUE, Table


class Channel(Table):
    id = Integer(primary_key=True)
    name = Text()
    name_key = Text(constraints=UNIQUE)
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
    permissions = Text()
    """The groups that hold each permission, as JSON."""
    folder_id = Integer(null=True)
    address_version = Integer(constraints=DEFAULT_ZERO)

    class Meta:
        table_name = "channel"


class ChannelFolder(Table):
    id = Serial()
    place = Integer()
    name = Text()
    description = Text()
    rendered_description = Text()
    date_created = Integer()
    creator_id = Integer(null=True)
    is_archived = Boolean()

    class Meta:
        table_name = "channel_folder"


class DefaultChannelGroup(Table):
    id = Serial()
    name = Text()
    description = Text()
    channel_ids = Text()
    """As JSON."""

    class Meta:
        table_name = "default_channel_group"


class NavigationView(Table):
    user_id = Integer()
    fragment = Bytewise()
    is_pinned = Boolean()
    name = Text(null=True)

    class Meta:
        table_name = "navigation_view"
        primary_key = CompositeKey("user_id", "fragment")
        without_rowid = True


class ChannelEvent(Table):
    """The last event of a channel, besides messages, whose audience depends on subscriptions."""

    channel_id = Integer(primary_key=True)
    position = Integer()

    class Meta:
        table_name = "channel_event"


class ChannelTraffic(Table):
    channel_id = Integer()
    day = Integer()
    messages = Integer()

    class Meta:
        table_name = "channel_traffic"
        primary_key = CompositeKey("channel_id", "day")
        without_rowid = True


class Subscription(Table):
    """The properties of a subscription, which remain after it ends."""

    user_id = Integer()
    channel_id = Integer()
    active = Boolean()
    color = Text()
    is_muted = Boolean()
    pin_to_top = Boolean()
    desktop_notifications = Boolean(null=True)
    email_notifications = Boolean(null=True)
    push_notifications = Boolean(null=True)
    audible_notifications = Boolean(null=True)
    wildcard_mentions_notify = Boolean(null=True)

    class Meta:
        table_name = "subscription"
        primary_key = CompositeKey("user_id", "channel_id")
        without_rowid = True


Subscription.indexed(
    "subscription_channel", Subscription.channel_id, Subscription.user_id, where=Subscription.active
)


class SubscriptionPeriod(Table):
    """The positions from which, and up to which, an account was subscribed; open while the account is
    subscribed.
    """

    user_id = Integer()
    recipient_id = Integer()
    start_position = Integer()
    until_position = Integer(null=True)

    class Meta:
        table_name = "subscription_period"
        primary_key = CompositeKey("user_id", "recipient_id", "start_position")
        without_rowid = True


SubscriptionPeriod.indexed(
    "subscription_period_recipient", SubscriptionPeriod.recipient_id, SubscriptionPeriod.user_id
)


class TopicPolicy(Table):
    """The visibility policy of an account for a topic."""

    user_id = Integer()
    channel_id = Integer()
    topic_key = Text()
    topic = Text()
    policy = Integer()
    updated = Integer()

    class Meta:
        table_name = "topic_policy"
        primary_key = CompositeKey("user_id", "channel_id", "topic_key")


TopicPolicy.indexed("topic_policy_topic", TopicPolicy.channel_id, TopicPolicy.topic_key, TopicPolicy.user_id)
