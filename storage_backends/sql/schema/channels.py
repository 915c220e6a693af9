"""Channels, with their present and past subscribers."""

from peewee import BigIntegerField, BooleanField, CompositeKey, TextField

from storage_backends.sql.schema.table import DEFAULT_ZERO, UNIQUE, Bytewise, Serial, Table


class Channel(Table):
    id = BigIntegerField(primary_key=True)
    name = TextField()
    name_key = TextField(constraints=UNIQUE)
    description = TextField()
    rendered_description = TextField()
    date_created = BigIntegerField()
    creator_id = BigIntegerField(null=True)
    invite_only = BooleanField()
    is_web_public = BooleanField()
    history_public_to_subscribers = BooleanField()
    is_archived = BooleanField()
    message_retention_days = BigIntegerField(null=True)
    topics_policy = TextField()
    subscriber_count = BigIntegerField()
    permissions = TextField()
    """The groups that hold each permission, as JSON."""
    folder_id = BigIntegerField(null=True)
    address_version = BigIntegerField(constraints=DEFAULT_ZERO)

    class Meta:
        table_name = "channel"


class ChannelFolder(Table):
    id = Serial()
    place = BigIntegerField()
    name = TextField()
    description = TextField()
    rendered_description = TextField()
    date_created = BigIntegerField()
    creator_id = BigIntegerField(null=True)
    is_archived = BooleanField()

    class Meta:
        table_name = "channel_folder"


class DefaultChannelGroup(Table):
    id = Serial()
    name = TextField()
    description = TextField()
    channel_ids = TextField()
    """As JSON."""

    class Meta:
        table_name = "default_channel_group"


class NavigationView(Table):
    user_id = BigIntegerField()
    fragment = Bytewise()
    is_pinned = BooleanField()
    name = TextField(null=True)

    class Meta:
        table_name = "navigation_view"
        primary_key = CompositeKey("user_id", "fragment")
        without_rowid = True


class ChannelEvent(Table):
    """The last event of a channel, besides messages, whose audience depends on subscriptions."""

    channel_id = BigIntegerField(primary_key=True)
    position = BigIntegerField()

    class Meta:
        table_name = "channel_event"


class ChannelTraffic(Table):
    channel_id = BigIntegerField()
    day = BigIntegerField()
    messages = BigIntegerField()

    class Meta:
        table_name = "channel_traffic"
        primary_key = CompositeKey("channel_id", "day")
        without_rowid = True


class Subscription(Table):
    """The properties of a subscription, which remain after it ends."""

    user_id = BigIntegerField()
    channel_id = BigIntegerField()
    active = BooleanField()
    color = TextField()
    is_muted = BooleanField()
    pin_to_top = BooleanField()
    desktop_notifications = BooleanField(null=True)
    email_notifications = BooleanField(null=True)
    push_notifications = BooleanField(null=True)
    audible_notifications = BooleanField(null=True)
    wildcard_mentions_notify = BooleanField(null=True)

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

    user_id = BigIntegerField()
    recipient_id = BigIntegerField()
    start_position = BigIntegerField()
    until_position = BigIntegerField(null=True)

    class Meta:
        table_name = "subscription_period"
        primary_key = CompositeKey("user_id", "recipient_id", "start_position")
        without_rowid = True


SubscriptionPeriod.indexed(
    "subscription_period_recipient", SubscriptionPeriod.recipient_id, SubscriptionPeriod.user_id
)


class TopicPolicy(Table):
    """The visibility policy of an account for a topic."""

    user_id = BigIntegerField()
    channel_id = BigIntegerField()
    topic_key = TextField()
    topic = TextField()
    policy = BigIntegerField()
    updated = BigIntegerField()

    class Meta:
        table_name = "topic_policy"
        primary_key = CompositeKey("user_id", "channel_id", "topic_key")


TopicPolicy.indexed("topic_policy_topic", TopicPolicy.channel_id, TopicPolicy.topic_key, TopicPolicy.user_id)
