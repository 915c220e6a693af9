"""Initial state: the channels that the caller may know of, by the caller's relation to them."""

from collections.abc import Mapping, Sequence
from sys import getsizeof
from typing import Any, Final, NamedTuple, TypeVar

from chatcore.application.channels.default_groups import default_group_objects
from chatcore.application.channels.folders import folder_objects
from chatcore.application.channels.navigation_views import view_objects
from chatcore.application.registration.fetch import Fetch
from chatcore.domain.channels.channels import Channel, Subscription
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.people import setting_values
from chatcore.domain.roles import Role
from chatcore.events.payloads.channels import (
    ChannelShape,
    SubscriptionShape,
    activity_fields,
    add_subscribers,
    personal_fields,
    stored_fields,
)
from chatcore.storage.generations import Made, size_of_text

Shape = TypeVar("Shape", bound=ChannelShape)

SIZE_OF_FIELDS: Final = 3_000
"""Bytes of a remembered channel with its fields, besides its description and the sets in its settings."""
SIZE_OF_ID: Final = 40
"""Bytes of an id in a setting, and of its place in a list, besides its place in the set."""


class Described(NamedTuple):
    """The people whom the settings of a channel name, and its fields."""

    named_people: frozenset[UserId]
    fields: Mapping[str, Any]
    lists: Sequence[str]
    """The fields with lists of people and groups."""


DESCRIBED: Final[Made[tuple[str, ChannelId], Channel, Described]] = Made(16 * 2**20)
"""Channels with their fields, by host and id."""


def subscriptions(fetch: Fetch) -> dict[str, object]:
    """`subscription`: channels to which the caller is or was subscribed, and all others that the caller may
    know of.
    """
    subscribed: list[SubscriptionShape] = []
    unsubscribed: list[SubscriptionShape] = []
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
    return ChannelShape(**_channel_fields(fetch, channel))


def _channel_fields(fetch: Fetch, channel: Channel) -> dict[str, Any]:
    """Return the fields of a channel as the caller sees it: people who are hidden are in no setting."""
    described = _describe(fetch.host, channel)
    if described.named_people.isdisjoint(fetch.unseen):
        fields = {**described.fields}
        for name in described.lists:  # each caller has its own
            fields[name] = {kind: [*ids] for kind, ids in fields[name].items()}
    else:
        fields = stored_fields(channel, hidden=fetch.unseen)
    fields["subscriber_count"] = fetch.subscriber_count(channel)
    fields.update(activity_fields(channel, fetch.activities[channel.id], now=fetch.now))
    return fields


def _describe(host: str, channel: Channel) -> Described:
    """Return the fields of a channel, which are remembered."""
    key = (host, channel.id)
    known = DESCRIBED.get(key, channel)
    if known is None:
        fields = stored_fields(channel)
        lists = [name for name, value in fields.items() if isinstance(value, dict)]
        known = Described(channel.named_people, fields, lists)
        DESCRIBED.put(key, channel, known, _size_with_fields(channel, known))
    return known


def _size_with_fields(channel: Channel, described: Described) -> int:
    """Return about how many bytes a channel takes with its fields."""
    texts = size_of_text(channel.description) + size_of_text(channel.rendered_description)
    sets: list[frozenset[int]] = [described.named_people]
    for setting in channel.permissions.values():
        sets += [setting.groups, setting.members]
    return SIZE_OF_FIELDS + texts + sum(getsizeof(ids) + SIZE_OF_ID * len(ids) for ids in sets)


def _subscription_as_sent(fetch: Fetch, channel: Channel, mine: Subscription) -> SubscriptionShape:
    """Return a subscription as the client understands it, with its subscribers if it wants them."""
    personal = personal_fields(mine)
    if not fetch.registration.capabilities.notification_settings_null:
        personal = setting_values.subscription_for_older_clients(personal, fetch.notification_defaults)
    return _add_subscribers(fetch, channel, SubscriptionShape(**_channel_fields(fetch, channel), **personal))


def _add_subscribers(fetch: Fetch, channel: Channel, shape: Shape) -> Shape:
    """Add the list of subscribers if the client has requested it."""
    listed = fetch.subscribers[channel.id] if fetch.lists_subscribers(channel) else None
    reader_id = fetch.user.id if fetch.is_subscribed(channel.id) else None
    add_subscribers(shape, listed, fetch.include_subscribers, reader_id)
    return shape
