"""Initial state: the channels that the caller may know of, by the caller's relation to them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from chatcore.application.channels.default_groups import default_group_objects
from chatcore.application.channels.folders import folder_objects
from chatcore.application.channels.navigation_views import view_objects
from chatcore.application.registration.fetch import Fetch
from chatcore.domain.channels.channels import Channel, Subscription
from chatcore.domain.ids import UserId
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
from chatcore.storage.generations import Generations

Shape = TypeVar("Shape", bound=ChannelShape)

SIZE_OF_FIELDS: Final = 2_000
"""Bytes of the remembered fields of a channel, without its description and the people whom settings name."""
SIZE_OF_PERSON: Final = 100


class Described(NamedTuple):
    """A channel, whom its settings name, and its fields."""

    channel: Channel
    named_people: frozenset[UserId]
    fields: Mapping[str, Any]
    lists: Sequence[str]
    """The fields with lists of people and groups."""


DESCRIBED: Final[Generations[int, Described]] = Generations(16 * 2**20)
"""Channels with their fields, by the identity of the channel, which no other has while this one is held. A
store remembers channels: one that has not changed is the same object.
"""


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
    described = _describe(channel)
    if described.named_people.isdisjoint(fetch.unseen):
        fields = {**described.fields}
        for name in described.lists:  # each caller has its own
            fields[name] = {kind: [*ids] for kind, ids in fields[name].items()}
    else:
        fields = stored_fields(channel, hidden=fetch.unseen)
    fields["subscriber_count"] = fetch.subscriber_count(channel)
    fields.update(activity_fields(channel, fetch.activities[channel.id], now=fetch.now))
    return fields


def _describe(channel: Channel) -> Described:
    """Return a channel with its fields, which are remembered."""
    known = DESCRIBED.get(id(channel))
    if known is None:
        fields = stored_fields(channel)
        lists = [name for name, value in fields.items() if isinstance(value, dict)]
        known = Described(channel, channel.named_people, fields, lists)
        size = SIZE_OF_FIELDS + len(channel.rendered_description) + SIZE_OF_PERSON * len(known.named_people)
        DESCRIBED.put(id(channel), known, size)
    return known


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
