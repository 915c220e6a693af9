"""Channels that come into somebody's sight or go out of it, told to those whom it concerns."""

from collections.abc import Collection, Sequence

import msgspec

from chatcore.application.accessible import deactivated_among
from chatcore.application.services import Services
from chatcore.application.topics import muted_topics
from chatcore.domain.channels import Channel
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.audience import Users
from chatcore.events.shapes.channels import channel_shape
from chatcore.events.types import (
    ChannelsCreated,
    ChannelsDeleted,
    MutedTopicsChanged,
    PeersChanged,
    TopicPolicyChanged,
)
from chatcore.storage import Transaction


def announce_gained(
    svc: Services, tx: Transaction, channels: Sequence[Channel], user_ids: Collection[UserId]
) -> None:
    """Tell people of channels that they see from now on: first that they are there, then who is in them,
    and what they themselves have set for topics when they were there before.
    """
    if not channels or not user_ids:
        return
    to = Users(tuple(sorted(user_ids)))
    traffic = tx.channels.weekly_traffic(channels, svc.now)
    subscribers = tx.subscriptions.subscribers_of([channel.id for channel in channels])
    shapes = []
    for channel in channels:
        shape = channel_shape(
            channel,
            now=svc.now,
            weekly_traffic=traffic[channel.id],
            hidden=deactivated_among(tx, channel.named_people),
        )
        shape.subscriber_count -= len(subscribers[channel.id])  # who are told of next
        shapes.append(msgspec.to_builtins(shape))
    tx.announce(ChannelsCreated(channels=tuple(shapes)), to)
    for channel in channels:
        if there := tuple(subscribers[channel.id]):
            peers = PeersChanged(
                op="peer_add", channel_ids=(channel.id,), user_ids=there, archived=channel.is_archived
            )
            tx.announce(peers, to)
    announce_topic_policies(svc, tx, [channel.id for channel in channels], user_ids)


def announce_topic_policies(
    svc: Services, tx: Transaction, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
) -> None:
    """Tell people what they have set for topics of channels that they see again."""
    for user_id in user_ids:
        policies = {
            key: mine for key, mine in tx.topic_policies.of_user(user_id).items() if key[0] in channel_ids
        }
        if any(policy == VisibilityPolicy.MUTED for _, policy, _ in policies.values()):
            muted = MutedTopicsChanged(muted_topics=muted_topics(svc, tx, user_id))
            tx.announce(muted, Users((user_id,)))
        for (channel_id, _), (topic, policy, updated) in policies.items():
            changed = TopicPolicyChanged(
                channel_id=channel_id, topic=topic, last_updated=updated, visibility_policy=int(policy)
            )
            tx.announce(changed, Users((user_id,)))


def announce_lost(tx: Transaction, channels: Sequence[Channel], user_ids: Collection[UserId]) -> None:
    """Tell people of channels that they do not see any more."""
    for archived in (False, True):
        ids = tuple(channel.id for channel in channels if channel.is_archived == archived)
        if ids and user_ids:
            gone = ChannelsDeleted(channel_ids=ids, archived=archived)
            tx.announce(gone, Users(tuple(sorted(user_ids))))
