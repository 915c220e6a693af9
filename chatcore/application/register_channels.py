"""Initial state: the channels that somebody may know of, by what they have to do with them."""

from collections.abc import Collection

import msgspec
from msgspec import UNSET

from chatcore.application.register_fetch import Fetch
from chatcore.domain import user_settings
from chatcore.domain.channels import Channel, Subscription
from chatcore.domain.ids import UserId
from chatcore.events.shapes.channels import ChannelShape, add_subscribers, channel_shape, subscription_shape

NOTIFICATION_DEFAULTS = {
    "desktop_notifications": "enable_stream_desktop_notifications",
    "email_notifications": "enable_stream_email_notifications",
    "push_notifications": "enable_stream_push_notifications",
    "audible_notifications": "enable_stream_audible_notifications",
}
"""A channel's notification setting, and the user's setting that holds where it is null."""


def subscriptions(fetch: Fetch) -> dict[str, object]:
    """`subscription`: channels one is in, ones one has left, and all others one may know of."""
    subscribed: list[object] = []
    unsubscribed: list[object] = []
    never_subscribed: list[ChannelShape] = []
    for channel in fetch.channels.values():
        mine = fetch.subscriptions.get(channel.id)
        if mine is None:
            never_subscribed.append(_add_subscribers(fetch, channel, _channel_shape(fetch, channel)))
        elif mine.active:
            subscribed.append(_subscription(fetch, channel, mine))
        else:
            unsubscribed.append(_subscription(fetch, channel, mine))
    return {"subscriptions": subscribed, "unsubscribed": unsubscribed, "never_subscribed": never_subscribed}


def channels(fetch: Fetch) -> dict[str, object]:
    """`stream`: every channel one may know of."""
    return {"streams": [_channel_shape(fetch, channel) for channel in fetch.channels.values()]}


def _channel_shape(fetch: Fetch, channel: Channel) -> ChannelShape:
    return channel_shape(
        channel,
        now=fetch.now,
        weekly_traffic=fetch.weekly_traffic[channel.id],
        hidden=_hidden(fetch, channel),
    )


def _hidden(fetch: Fetch, channel: Channel) -> Collection[UserId]:
    """Whom the caller is not shown in the settings; most channels name nobody."""
    return fetch.unseen if channel.named_people else frozenset()


def _subscription(fetch: Fetch, channel: Channel, mine: Subscription) -> object:
    shape = subscription_shape(
        channel,
        mine,
        now=fetch.now,
        weekly_traffic=fetch.weekly_traffic[channel.id],
        hidden=_hidden(fetch, channel),
    )
    _add_subscribers(fetch, channel, shape)
    if fetch.registration.capabilities.notification_settings_null:
        return shape
    fields = {name: value for name, value in msgspec.structs.asdict(shape).items() if value is not UNSET}
    return _without_null_notifications(fetch, fields)


def _add_subscribers(fetch: Fetch, channel: Channel, shape: ChannelShape) -> ChannelShape:
    """Add the list of subscribers where it is asked for."""
    listed = fetch.subscribers[channel.id] if fetch.lists_subscribers(channel) else None
    me = fetch.me.id if fetch.is_subscribed(channel.id) else None
    add_subscribers(shape, listed, fetch.include_subscribers, me)
    return shape


def _without_null_notifications(fetch: Fetch, fields: dict[str, object]) -> dict[str, object]:
    """For clients that know only true and false: what a null stands for."""
    for name, default in NOTIFICATION_DEFAULTS.items():
        if fields[name] is None:
            fields[name] = user_settings.value(fetch.me, default)
    del fields["wildcard_mentions_notify"]
    return fields
