"""Listing channels, their topics, and the actor's subscriptions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.units import View, read_only
from chatcore.application.visibility.known_channels import readable_channel
from chatcore.application.visibility.known_users import known_subscriber_count, unseen_among
from chatcore.domain.channels import channels as rules
from chatcore.domain.channels.channels import Channel, Subscription, is_subscribed
from chatcore.domain.errors import LoginRequired, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.events.payloads.channels import (
    ChannelShape,
    IncludeSubscribers,
    SubscriptionShape,
    add_subscribers,
    channel_shape,
    lists_subscribers,
    subscription_shape,
)
from chatcore.storage import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Selection of channels for a list: the union of the fields. `all` selects every channel that the actor
    may know of.
    """

    public: bool = True
    web_public: bool = False
    subscribed: bool = True
    owner_subscribed: bool = False
    can_access_content: bool = False
    all: bool = False
    archived: bool = False
    with_default: bool = False


@read_only
def list_channels(view: View, me: Actor, which: Which) -> list[ChannelShape]:
    """List the selected channels that the actor may know of, by name."""
    mine = view.snapshot.subscriptions.of_user(me.user_id)
    owners: Mapping[ChannelId, Subscription] = {}
    if which.owner_subscribed and me.owner is not None:
        owners = view.snapshot.subscriptions.of_user(me.owner.user_id)
    chosen = [
        channel
        for channel in view.snapshot.channels.all()
        if (which.archived or not channel.is_archived)
        and _is_asked_for(
            channel,
            me,
            which,
            subscribed=is_subscribed(mine.get(channel.id)),
            owner_subscribed=is_subscribed(owners.get(channel.id)),
        )
    ]
    organization = view.snapshot.organization.get()
    activities = view.snapshot.channels.activities(chosen, view.now)
    unseen = _unseen(view.snapshot, me, chosen)
    listed = [
        channel_shape(
            channel,
            activities[channel.id],
            subscriber_count=known_subscriber_count(
                channel, organization, me, subscribed=is_subscribed(mine.get(channel.id))
            ),
            now=view.now,
            hidden=unseen,
        )
        for channel in chosen
    ]
    if which.with_default:
        for shape in listed:
            shape.is_default = shape.stream_id in organization.default_channel_ids
    return listed


@read_only
def get_channel(view: View, me: Actor, channel_id: ChannelNumber) -> ChannelShape:
    """Get a channel that the caller may see.

    :raises BadRequest: no such channel for the actor
    """
    channel = view.snapshot.channels.find(channel_id)
    mine = None if channel is None else view.snapshot.subscriptions.find(me.user_id, channel.id)
    subscribed = is_subscribed(mine)
    if channel is None or not rules.has_metadata_access(channel, me, subscribed=subscribed):
        raise invalid_channel()
    organization = view.snapshot.organization.get()
    return channel_shape(
        channel,
        view.snapshot.channels.activities([channel], view.now)[channel.id],
        subscriber_count=known_subscriber_count(channel, organization, me, subscribed=subscribed),
        now=view.now,
        hidden=_unseen(view.snapshot, me, [channel]),
    )


def _unseen(snapshot: Snapshot, actor: Actor, channels: Iterable[Channel]) -> frozenset[UserId]:
    """Return the users in the channels' settings who are not visible to the actor."""
    named = {user_id for channel in channels for user_id in channel.named_people}
    return unseen_among(snapshot, actor, named)


def _is_asked_for(
    channel: Channel, actor: Actor, which: Which, *, subscribed: bool, owner_subscribed: bool
) -> bool:
    if which.all:
        return rules.has_metadata_access(channel, actor, subscribed=subscribed)
    return (
        (which.public and not channel.invite_only and not actor.is_guest)
        or (which.web_public and channel.is_web_public)
        or (which.subscribed and subscribed)
        or (which.owner_subscribed and owner_subscribed)
        or (which.can_access_content and rules.has_content_access(channel, actor, subscribed=subscribed))
    )


@read_only
def channel_id_of(view: View, me: Actor, name: Annotated[str, about("The channel's name.")]) -> ChannelId:
    """Get the id of a channel by its name.

    :raises BadRequest: no channel of that name, or no access; one answer for both
    """
    return readable_channel(view.snapshot, me, name).id


Topics = Sequence[tuple[str, MessageId]]
"""Names of topics with the newest message of each."""


@read_only
def topics(view: View, me: Actor | None, channel_id: int) -> tuple[Topics, str]:
    """Return a channel's topics, each with its newest message, newest first; and the empty topic's display
    name.

    In a channel with protected history, only topics with messages that the actor has received.

    :raises BadRequest: no such channel, or no access to its messages; one answer for both
    :raises LoginRequired: no actor, and the channel is not open to the web
    """
    organization = view.snapshot.organization.get()
    channel = view.snapshot.channels.find(channel_id)
    if me is None:
        if channel is None or not (organization.enable_spectator_access and channel.is_web_public):
            raise LoginRequired
        received_by = None  # web-public channels share all history
    else:
        mine = None if channel is None else view.snapshot.subscriptions.find(me.user_id, channel.id)
        subscribed = is_subscribed(mine)
        if channel is None or not rules.has_content_access(channel, me, subscribed=subscribed):
            raise invalid_channel()
        received_by = None if channel.history_public_to_subscribers else me.user_id
    return view.snapshot.messages.topics(channel.id, received_by), organization.empty_topic_display_name


@read_only
def own_subscriptions(
    view: View, me: Actor, *, include_subscribers: IncludeSubscribers = False
) -> list[SubscriptionShape]:
    """Return the actor's active subscriptions, by channel name."""
    mine = view.snapshot.subscriptions.of_user(me.user_id)
    active = {channel_id: sub for channel_id, sub in mine.items() if sub.active}
    channels = [c for c in view.snapshot.channels.by_ids(active.keys()).values() if not c.is_archived]
    return subscription_shapes(
        view,
        channels,
        active,
        user_id=me.user_id,
        include_subscribers=include_subscribers,
        hidden=_unseen(view.snapshot, me, channels),
    )


def subscription_shapes(
    view: View,
    channels: Sequence[Channel],
    subscriptions: Mapping[ChannelId, Subscription],
    *,
    user_id: UserId,
    include_subscribers: IncludeSubscribers,
    hidden: Collection[UserId] = frozenset(),
) -> list[SubscriptionShape]:
    """Return the shapes of subscriptions, by name; the number of queries does not depend on their number."""
    activities = view.snapshot.channels.activities(channels, view.now)
    with_list = [c.id for c in channels if lists_subscribers(c.subscriber_count, include_subscribers)]
    subscribers = view.snapshot.subscriptions.subscribers_of(with_list) if with_list else {}
    listed = []
    for channel in sorted(channels, key=lambda channel: rules.channel_key(channel.name)):
        shape = subscription_shape(
            channel, subscriptions[channel.id], activities[channel.id], now=view.now, hidden=hidden
        )
        add_subscribers(shape, subscribers.get(channel.id), include_subscribers, user_id)
        listed.append(shape)
    return listed
