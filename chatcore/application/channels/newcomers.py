"""Channels into which invitations bring new people, by the rights of the inviter."""

from collections.abc import Collection

from chatcore.application.channels import joining
from chatcore.application.channels.subscription_plans import may_add_others
from chatcore.application.units import Unit
from chatcore.application.visibility.people_changes import GuestVisibility
from chatcore.domain.channels import channels as rules
from chatcore.domain.channels.channels import Channel, is_subscribed
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, RecipientId
from chatcore.domain.people.users import User
from chatcore.storage import Snapshot


def require_may_bring(snapshot: Snapshot, actor: Actor, channel_ids: Collection[int]) -> None:
    """Check that the actor may subscribe others to channels.

    :raises BadRequest: no such channel that the actor may read, an archived one, or no permission
    """
    readable = _readable_channels(snapshot, actor, channel_ids)
    for channel_id in channel_ids:
        if channel_id not in readable:
            raise BadRequest(f"Invalid channel ID {channel_id}. No invites were sent.")
    if not all(may_add_others(snapshot, actor, channel) for channel in readable.values()):
        raise BadRequest("You do not have permission to subscribe other users to channels.")


def bring(unit: Unit, inviter: Actor, newcomer: User, channel_ids: Collection[ChannelId]) -> None:
    """Subscribe a new person to channels, but for those to which the inviter may not add people any more."""
    channels = {
        channel_id: channel
        for channel_id, channel in _readable_channels(unit.tx, inviter, channel_ids).items()
        if may_add_others(unit.tx, inviter, channel)
    }
    guests = GuestVisibility(unit, [newcomer.id], list(channels))
    added = joining.start(unit, [newcomer], dict.fromkeys(channels))
    guests.announce()
    joining.announce_newcomers(unit, list(unit.tx.channels.by_ids(added).values()), added)


def _readable_channels(
    snapshot: Snapshot, actor: Actor, channel_ids: Collection[int]
) -> dict[ChannelId, Channel]:
    """Return the channels that the actor may read, without archived ones."""
    if not channel_ids:
        return {}
    mine = snapshot.subscriptions.of_user(actor.user_id)
    channels = snapshot.channels.by_ids([ChannelId(RecipientId(channel_id)) for channel_id in channel_ids])
    return {
        channel.id: channel
        for channel in channels.values()
        if not channel.is_archived
        and rules.has_content_access(channel, actor, subscribed=is_subscribed(mine.get(channel.id)))
    }
