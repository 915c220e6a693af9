"""Events for users who gain or lose the visibility of channels."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import msgspec

from chatcore.application.units import Unit, View
from chatcore.application.visibility.known_users import deactivated_among
from chatcore.application.visibility.reading import announce_read_in
from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.audience import Audience, Users, channel_viewers
from chatcore.events.happened import (
    ChannelsCreated,
    ChannelsDeleted,
    MutedTopicsChanged,
    PeersChanged,
    TopicPolicyChanged,
)
from chatcore.events.happened.channels import PeerOp
from chatcore.events.payloads.channels import ChannelShape, channel_shape
from chatcore.storage import Snapshot, Transaction


def plain_shapes(view: View, channels: Collection[Channel]) -> dict[ChannelId, ChannelShape]:
    """Return the shapes of channels with nothing that depends on who reads them, for events."""
    activities = view.snapshot.channels.activities(list(channels), view.now)
    named = frozenset[UserId]().union(*(channel.named_people for channel in channels))
    hidden = deactivated_among(view.snapshot, named)
    return {
        channel.id: channel_shape(
            channel,
            activities[channel.id],
            subscriber_count=channel.subscriber_count,
            now=view.now,
            hidden=hidden,
        )
        for channel in channels
    }


def announce_peers(
    tx: Transaction,
    op: PeerOp,
    channel: Channel,
    user_ids: Sequence[UserId],
    to: Audience | None = None,
    *,
    without: Sequence[UserId] = (),
    knows_archived: bool | None = None,
) -> None:
    """Announce that *user_ids* were subscribed or unsubscribed, to the audience *to*; with None for it, to
    the viewers of the channel except *without*.

    Among these viewers, limited guests are notified only if they are subscribed to the channel.
    *knows_archived* selects clients by a capability (see `ChannelEvent`).
    """
    if not user_ids:
        return
    if to is None:
        to = channel_viewers(channel, without=without)
        if channel.is_web_public and tx.organization.get().hides_users_from_guests:
            to = msgspec.structs.replace(to, web_public=False)
    peers = PeersChanged(
        op=op, channel_ids=(channel.id,), user_ids=tuple(user_ids), knows_archived=knows_archived
    )
    tx.announce(peers, to)


def guests_outside(snapshot: Snapshot, channel: Channel, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the users who are limited guests and can see the channel without being subscribed."""
    guests = limited_guests(snapshot, channel, user_ids)
    return guests - snapshot.subscriptions.subscribed_among(channel.id, guests) if guests else guests


def limited_guests(snapshot: Snapshot, channel: Channel, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the users who are limited guests, if limited guests can see the channel without being
    subscribed.
    """
    if not channel.is_web_public or not snapshot.organization.get().hides_users_from_guests:
        return frozenset()
    guests = frozenset(user.id for user in snapshot.users.active_with_roles([Role.GUEST]))
    return guests.intersection(user_ids)


def announce_visible(unit: Unit, channels: Sequence[Channel], user_ids: Collection[UserId]) -> None:
    """Notify people of channels that they can see from now on: first of the channels, then of the
    subscribers, then of their own topic policies from an earlier time in these channels.
    """
    if not channels or not user_ids:
        return
    to = Users(tuple(sorted(user_ids)))
    subscribers = unit.tx.subscriptions.subscribers_of([channel.id for channel in channels])
    shapes = plain_shapes(unit, channels)
    for channel_id, shape in shapes.items():
        shape.subscriber_count -= len(subscribers[channel_id])  # the next events add them
    unit.tx.announce(ChannelsCreated(channels=tuple(shapes.values())), to)
    for channel in channels:
        notified = Users(tuple(sorted(frozenset(user_ids) - guests_outside(unit.tx, channel, user_ids))))
        if notified.user_ids:
            knows_archived = requires_archived(channel)
            announce_peers(
                unit.tx, "peer_add", channel, subscribers[channel.id], notified, knows_archived=knows_archived
            )
    announce_topic_policies(
        unit.tx,
        dict.fromkeys((channel.id for channel in channels), user_ids),
        {channel.id: requires_archived(channel) for channel in channels},
    )


def announce_topic_policies(
    tx: Transaction,
    seen: Mapping[ChannelId, Collection[UserId]],
    knows_archived: Mapping[ChannelId, bool | None],
) -> None:
    """Notify people of their topic policies in channels that they can see again. *seen* has the people by
    channel; *knows_archived* says for each channel which of their clients are notified (see `ChannelEvent`).
    """
    user_ids = frozenset().union(*seen.values())
    notified: defaultdict[TopicPolicyChanged, list[UserId]] = defaultdict(list)
    for user_id, channel_id, topic, policy, updated in tx.topic_policies.of_channels(seen, user_ids):
        if user_id in seen[channel_id]:
            changed = TopicPolicyChanged(
                channel_id=channel_id,
                topic=topic,
                last_updated=updated,
                visibility_policy=int(policy),
                knows_archived=knows_archived[channel_id],
            )
            notified[changed].append(user_id)
    muting: set[UserId] = set()
    for changed, users in notified.items():
        if changed.visibility_policy == VisibilityPolicy.MUTED:
            muting.update(users)
    announce_muted_topics(tx, muting)
    for changed, users in notified.items():
        tx.announce(changed, Users(tuple(users)))


def announce_muted_topics(tx: Transaction, user_ids: Collection[UserId]) -> None:
    """Notify people of their muted topics in the form for older clients, which contains the names of
    channels.
    """
    if user_ids:
        tx.announce(MutedTopicsChanged(), Users(tuple(sorted(user_ids))))


def withdraw_channels(unit: Unit, channels: Sequence[Channel], user_ids: Collection[UserId]) -> None:
    """Notify people of channels that they can no longer see. For bots, what was unread there becomes read:
    messages that mentioned them without a subscription.
    """
    bots = [user.id for user in unit.tx.users.by_ids(user_ids).values() if user.is_bot] if channels else []
    if bots:
        channel_ids = tuple(channel.id for channel in channels)
        announce_read_in(unit, dict.fromkeys(bots, channel_ids))
        unit.tx.flags.mark_mentions_of_bots_read(user_ids=bots, channel_ids=channel_ids)
    announce_gone_channels(unit.tx, channels, user_ids)


def announce_gone_channels(
    tx: Transaction, channels: Sequence[Channel], user_ids: Collection[UserId]
) -> None:
    """Announce that clients have to forget channels."""
    for knows_archived in (None, True):
        ids = tuple(channel.id for channel in channels if requires_archived(channel) is knows_archived)
        if ids and user_ids:
            gone = ChannelsDeleted(channel_ids=ids, knows_archived=knows_archived)
            tx.announce(gone, Users(tuple(sorted(user_ids))))


def requires_archived(channel: Channel) -> bool | None:
    """Return which clients are notified of a channel: all (None), or only clients that support archived
    channels (True).

    It is the `knows_archived` of events about the channel.
    """
    return True if channel.is_archived else None
