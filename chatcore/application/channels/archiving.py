"""Archiving and restoring channels.

An archived channel is readable as before; nobody can send to it, and its messages do not change. Its name,
description, visibility and subscribers can change. Clients that do not know of archived channels treat it as
deleted.
"""

import msgspec

from chatcore.application.arguments import ChannelNumber
from chatcore.application.channels import default_groups, defaults, joining
from chatcore.application.delivery import notices
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.channel_changes import (
    announce_peers,
    announce_topic_policies,
    plain_shapes,
)
from chatcore.application.visibility.group_changes import users_who_see
from chatcore.application.visibility.reading import announce_read_in
from chatcore.domain.channels.channels import Channel
from chatcore.domain.channels.editing import require_may_administer
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.audience import Users, channel_viewers
from chatcore.events.happened import ChannelsCreated, ChannelsDeleted, ChannelUpdated
from chatcore.storage import Snapshot


@unit_of_work
def archive_channel(unit: Unit, me: Actor, channel_id: ChannelNumber) -> None:
    """Archive a channel: it can still be read, and nothing in it changes.

    :effect: all its messages count as read from then on, also for people who return
    :raises BadRequest: no such channel for the actor, no permission, or it is archived already
    """
    tx = unit.tx
    channel = administered_channel(tx, me, channel_id)
    if channel.is_archived:
        raise BadRequest("Channel is already archived.")
    notices.tell_of_archiving(unit, channel, tx.users.get(me.user_id), archived=True)
    defaults.exclude(unit, channel)
    default_groups.exclude(unit, channel)
    subscribers = tx.subscriptions.all_subscribers(channel.id)
    users = tx.users.all()
    # Everything counts as read from then on, also for deactivated users who come back.
    readers = {*subscribers, *(user.id for user in users if user.is_bot)}
    announce_read_in(unit, dict.fromkeys(readers, (channel.id,)))
    tx.channels.update(channel.id, is_archived=True)
    unit.record(AuditKind.CHANNEL_ARCHIVED, channel.id)
    tx.flags.mark_all_read(subscribers, [channel.id], tx.log.head())
    tx.flags.mark_mentions_of_bots_read(channel_ids=[channel.id])
    tx.announce(_archived_event(channel, archived=True), channel_viewers(channel))
    # By their ids: later events about the channel, such as one that takes it from a guest, do not reach
    # these clients.
    everybody = [user.id for user in users if user.is_active]
    viewers = Users(tuple(sorted(users_who_see(unit, channel, everybody))))
    tx.announce(ChannelsDeleted(channel_ids=(channel.id,), knows_archived=False), viewers)


def administered_channel(snapshot: Snapshot, actor: Actor, channel_id: int) -> Channel:
    """Return a channel that the actor may change.

    :raises BadRequest: no such channel for the actor, or no permission to change it
    """
    channel = snapshot.channels.find(channel_id)
    subscribed = channel is not None and actor.user_id in snapshot.subscriptions.subscribed_among(
        channel.id, [actor.user_id]
    )
    return require_may_administer(channel, actor, subscribed=subscribed)


def restore(unit: Unit, archived: Channel, actor: Actor) -> Channel:
    """Restore an archived channel with its subscribers."""
    unit.tx.channels.update(archived.id, is_archived=False)
    unit.record(AuditKind.CHANNEL_RESTORED, archived.id)
    channel = unit.tx.channels.by_ids([archived.id])[archived.id]
    viewers = channel_viewers(channel)
    unit.tx.announce(_archived_event(channel, archived=False), viewers)
    _announce_anew(unit, channel)
    notices.tell_of_archiving(unit, channel, unit.tx.users.get(actor.user_id), archived=False)
    return channel


def _archived_event(channel: Channel, *, archived: bool) -> ChannelUpdated:
    return ChannelUpdated(
        channel_id=channel.id, name=channel.name, property="is_archived", value=archived, knows_archived=True
    )


def _announce_anew(unit: Unit, channel: Channel) -> None:
    """Announce the channel to clients that did not know of it while it was archived."""
    user_ids = tuple(unit.tx.subscriptions.subscribers(channel.id))
    shape = plain_shapes(unit, [channel])[channel.id]
    shape.subscriber_count -= len(user_ids)  # later events announce them
    unit.tx.announce(ChannelsCreated(channels=(shape,), knows_archived=False), channel_viewers(channel))
    if user_ids:
        users = list(unit.tx.users.by_ids(user_ids).values())
        (subscribed,) = joining.subscribed_events(unit, [channel], {channel.id: users})
        unit.tx.announce(msgspec.structs.replace(subscribed, knows_archived=False), Users(user_ids))
        announce_peers(unit.tx, "peer_add", channel, user_ids, without=user_ids, knows_archived=False)
    holders = users_who_see(unit, channel, unit.tx.topic_policies.users_with([channel.id]))
    announce_topic_policies(unit.tx, {channel.id: holders}, {channel.id: False})
