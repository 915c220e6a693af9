"""Default channels: those to which new users are subscribed."""

from collections.abc import Collection
from dataclasses import replace

from chatcore.application.arguments import ChannelNumber
from chatcore.application.channels import joining
from chatcore.application.organization_changes import put_organization
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.channels.channels import Channel, private_default
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, Position
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.people.users import User
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.events.audience import Everyone
from chatcore.events.happened import DefaultChannelsChanged
from chatcore.storage import Snapshot, Transaction

MAX_HISTORY = 1000
"""Maximum number of messages of the default channels that a new person receives."""
HISTORY_SECONDS = 12 * 7 * SECONDS_PER_DAY
"""Maximum age of these messages."""
UNREAD_OF_HISTORY = 20
"""Number of these messages that are unread: the newest ones."""


@unit_of_work
def add_default_channel(unit: Unit, me: Actor, channel_id: ChannelNumber) -> None:
    """Make a channel a default channel, to which new users are subscribed.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such channel, a private or archived one, or it is a default channel already
    """
    channel = _channel_to_change(unit.tx, me, channel_id)
    if channel.id in default_ids(unit.tx):
        raise BadRequest("This channel is a default channel already.")
    include(unit, channel)


@unit_of_work
def remove_default_channel(unit: Unit, me: Actor, channel_id: ChannelNumber) -> None:
    """Remove a channel from the default channels.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such channel
    """
    exclude(unit, _channel_to_change(unit.tx, me, channel_id))


def _channel_to_change(tx: Transaction, actor: Actor, channel_id: int) -> Channel:
    require_administrator(actor)
    channel = tx.channels.find(channel_id)
    if channel is None:  # administrators know of all channels
        raise invalid_channel()
    return channel


def default_ids(snapshot: Snapshot) -> Collection[ChannelId]:
    return snapshot.organization.get().default_channel_ids


def include(unit: Unit, *channels: Channel) -> None:
    """Make channels default channels.

    :raises BadRequest: a private or archived one
    """
    if any(channel.is_archived for channel in channels):
        raise invalid_channel()
    if any(channel.invite_only for channel in channels):
        raise private_default()
    _put_defaults(unit, {*default_ids(unit.tx), *(channel.id for channel in channels)})


def exclude(unit: Unit, channel: Channel) -> None:
    _put_defaults(unit, {*default_ids(unit.tx)} - {channel.id})


def _put_defaults(unit: Unit, channel_ids: Collection[ChannelId]) -> None:
    """Store and announce the default channels, if they differ from the present ones."""
    organization, ids = unit.tx.organization.get(), tuple(sorted(channel_ids))
    if ids != organization.default_channel_ids:
        put_organization(unit, replace(organization, default_channel_ids=ids))
        unit.tx.announce(DefaultChannelsChanged(), Everyone(but_guests=True))


def join_defaults(unit: Unit, newcomer: User) -> None:
    """Subscribe a new person, but no bot, to the default channels, with their newest messages.

    The person has received these messages as if subscribed then: the first period begins with the oldest of
    them, and all but the newest `UNREAD_OF_HISTORY` are read. None of the channels is private.
    """
    if newcomer.is_bot:
        return
    channel_ids = default_ids(unit.tx)
    history = unit.tx.messages.newest_in(channel_ids, MAX_HISTORY, since=unit.now - HISTORY_SECONDS)
    oldest = Position(history[-1]) if history else None
    newcomers = joining.start(unit, [newcomer], dict.fromkeys(channel_ids), since=oldest)
    # Of messages of any age: in an imported archive, older ones may follow in the log behind recent ones, and
    # the person receives these, too.
    unread_and_one_read = unit.tx.messages.newest_in(channel_ids, UNREAD_OF_HISTORY + 1)
    if oldest is not None and len(unread_and_one_read) > UNREAD_OF_HISTORY:
        newest_read = Position(unread_and_one_read[-1])
        if newest_read >= oldest:
            unit.tx.flags.mark_all_read([newcomer.id], channel_ids, newest_read)
    joining.announce_newcomers(unit, list(unit.tx.channels.by_ids(channel_ids).values()), newcomers)
