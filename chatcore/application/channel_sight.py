"""Channels that come into somebody's sight or go out of it, told to those whom it concerns."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from chatcore.application.accessible import deactivated_among
from chatcore.application.services import Services
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


def plain_shape(
    svc: Services, tx: Transaction, channel: Channel, weekly_traffic: int | None = None
) -> dict[str, Any]:
    """A channel as events tell of it."""
    shape = channel_shape(
        channel,
        now=svc.now,
        weekly_traffic=weekly_traffic,
        hidden=deactivated_among(tx, channel.named_people),
    )
    plain: dict[str, Any] = msgspec.to_builtins(shape)
    return plain


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
        shape = plain_shape(svc, tx, channel, traffic[channel.id])
        shape["subscriber_count"] -= len(subscribers[channel.id])  # who are told of next
        shapes.append(shape)
    tx.announce(ChannelsCreated(channels=tuple(shapes)), to)
    for channel in channels:
        if there := tuple(subscribers[channel.id]):
            tx.announce(
                PeersChanged(
                    op="peer_add",
                    channel_ids=(channel.id,),
                    user_ids=there,
                    knows_archived=concerned(channel),
                ),
                to,
            )
    announce_topic_policies(svc, tx, [channel.id for channel in channels], user_ids)


def announce_topic_policies(
    svc: Services, tx: Transaction, channel_ids: Collection[ChannelId], user_ids: Collection[UserId]
) -> None:
    """Tell people what they have set for topics of channels that they see again."""
    for user_id in sorted(tx.topic_policies.holders(channel_ids).intersection(user_ids)):
        policies = {
            key: mine for key, mine in tx.topic_policies.of_user(user_id).items() if key[0] in channel_ids
        }
        if any(policy == VisibilityPolicy.MUTED for _, policy, _ in policies.values()):
            announce_muted_topics(tx, user_id)
        for (channel_id, _), (topic, policy, updated) in policies.items():
            changed = TopicPolicyChanged(
                channel_id=channel_id, topic=topic, last_updated=updated, visibility_policy=int(policy)
            )
            tx.announce(changed, Users((user_id,)))


def announce_muted_topics(tx: Transaction, user_id: UserId) -> None:
    """Tell somebody of the muted topics as older clients read them, which has the names of channels."""
    tx.announce(MutedTopicsChanged(), Users((user_id,)))


def announce_lost(tx: Transaction, channels: Sequence[Channel], user_ids: Collection[UserId]) -> None:
    """Tell people of channels that they do not see any more."""
    for knows_archived in (None, True):
        ids = tuple(channel.id for channel in channels if concerned(channel) is knows_archived)
        if ids and user_ids:
            gone = ChannelsDeleted(channel_ids=ids, knows_archived=knows_archived)
            tx.announce(gone, Users(tuple(sorted(user_ids))))


def concerned(channel: Channel) -> bool | None:
    """Which clients a channel is there for: all, or only those that know of archived ones.

    It is the `knows_archived` of events about it.
    """
    return True if channel.is_archived else None
