"""Initial state: the channels that the caller may know of, by the caller's relation to them."""

from collections.abc import Collection

import msgspec
from msgspec import UNSET

from chatcore.application.channels.default_groups import default_group_objects
from chatcore.application.channels.folders import folder_objects
from chatcore.application.channels.navigation_views import view_objects
from chatcore.application.registration.fetch import Fetch
from chatcore.domain.channels.channels import Channel, Subscription
from chatcore.domain.ids import UserId
from chatcore.domain.people import setting_values
from chatcore.domain.roles import Role
from chatcore.events.payloads.channels import ChannelShape, add_subscribers, channel_shape, subscription_shape


def subscriptions(fetch: Fetch) -> dict[str, object]:
    """`subscription`: channels to which the caller is or was subscribed, and all others that the caller may
    know of.
    """
    subscribed: list[object] = []
    unsubscribed: list[object] = []
    never_subscribed: list[ChannelShape] = []
    for channel in fetch.channels.values():
        mine = fetch.subscriptions.get(channel.id)
        if mine is None:
            never_subscribed.append(_add_subscribers(fetch, channel, _channel_shape(fetch, channel)))
        elif mine.active:
            subscribed.append(_subscription_as_sent(fetch, channel, mine))
        else:
            unsubscribed.append(_subscription_as_sent(fetch, channel, mine))
    return {"subscriptions": subscribed, "unsubscribed": unsubscribed, "never_subscribed": never_subscribed}


def channels(fetch: Fetch) -> dict[str, object]:
    """`stream`: every channel that the caller may know of."""
    return {"streams": [_channel_shape(fetch, channel) for channel in fetch.channels.values()]}


def default_channels(fetch: Fetch) -> dict[str, object]:
    """`default_streams`: channels to which new users are subscribed; empty for guests."""
    ids = () if fetch.user.role == Role.GUEST else fetch.organization.default_channel_ids
    return {"realm_default_streams": ids}


def default_channel_groups(fetch: Fetch) -> dict[str, object]:
    """`default_stream_groups`: groups of channels that new users can choose; empty for guests."""
    groups = default_group_objects(fetch.snapshot, for_guest=fetch.user.role == Role.GUEST)
    return {"realm_default_stream_groups": groups}


def channel_folders(fetch: Fetch) -> dict[str, object]:
    """`channel_folders`: all folders in their order, including archived ones."""
    return {"channel_folders": folder_objects(fetch.snapshot)}


def navigation_views(fetch: Fetch) -> dict[str, object]:
    return {"navigation_views": view_objects(fetch.snapshot, fetch.user.id)}


def _channel_shape(fetch: Fetch, channel: Channel) -> ChannelShape:
    hidden = _hidden_users(fetch, channel)
    return channel_shape(channel, fetch.activities[channel.id], now=fetch.now, hidden=hidden)


def _hidden_users(fetch: Fetch, channel: Channel) -> Collection[UserId]:
    """Return the users hidden from the caller in the settings; most channels name nobody."""
    return fetch.unseen if channel.named_people else frozenset()


def _subscription_as_sent(fetch: Fetch, channel: Channel, mine: Subscription) -> object:
    """Return a subscription as the client understands it, with its subscribers if it wants them."""
    hidden = _hidden_users(fetch, channel)
    shape = subscription_shape(channel, mine, fetch.activities[channel.id], now=fetch.now, hidden=hidden)
    _add_subscribers(fetch, channel, shape)
    if fetch.registration.capabilities.notification_settings_null:
        return shape
    fields = {name: value for name, value in msgspec.structs.asdict(shape).items() if value is not UNSET}
    defaults = setting_values.channel_notification_defaults(fetch.user)
    return setting_values.subscription_for_older_clients(fields, defaults)


def _add_subscribers(fetch: Fetch, channel: Channel, shape: ChannelShape) -> ChannelShape:
    """Add the list of subscribers if the client has requested it."""
    listed = fetch.subscribers[channel.id] if fetch.lists_subscribers(channel) else None
    reader_id = fetch.user.id if fetch.is_subscribed(channel.id) else None
    add_subscribers(shape, listed, fetch.include_subscribers, reader_id)
    return shape
