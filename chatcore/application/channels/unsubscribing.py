"""Unsubscribing people from channels."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.channels.subscription_plans import principals_of, require_not_too_many
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.channel_changes import (
    announce_peers,
    limited_guests,
    requires_archived,
    withdraw_channels,
)
from chatcore.application.visibility.people_changes import GuestVisibility
from chatcore.application.visibility.reading import announce_read_in
from chatcore.domain.channels import channels as rules
from chatcore.domain.channels.channels import Channel, is_subscribed
from chatcore.domain.errors import BadRequest, InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.users import User
from chatcore.events.audience import Users
from chatcore.events.happened import Unsubscribed
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True)
class UnsubscribeResult:
    """Channel names, one for each person: the subscriptions that ended, and those that did not exist."""

    removed: Sequence[str]
    not_removed: Sequence[str]


@unit_of_work
def unsubscribe(
    unit: Unit,
    me: Actor,
    channel_names: Sequence[str],
    principals: Sequence[int] | Sequence[str] | None = None,
) -> UnsubscribeResult:
    """Unsubscribe people from channels; without *principals*, the actor.

    :raises BadRequest: an unknown channel or person, or no permission to unsubscribe others
    """
    require_not_too_many(unit.limits, len(channel_names), 1 if principals is None else len(principals))
    people = [unit.tx.users.get(me.user_id)]
    if principals is not None:
        people = principals_of(unit, me, principals)
    channels = _find_channels(unit.tx, me, channel_names)
    _require_may_remove(unit.tx, me, people, channels)
    channel_ids = [channel.id for channel in channels]
    guest_visibility = GuestVisibility(unit, (), channel_ids)
    subscriptions = unit.tx.subscriptions.among(channel_ids, [user.id for user in people])
    leaving = {
        channel_id: tuple(sorted(user_id for user_id, subscription in by_user.items() if subscription.active))
        for channel_id, by_user in subscriptions.items()
    }
    _leave(unit, [channel for channel in channels if leaving[channel.id]], leaving)
    for channel_id, user_ids in leaving.items():
        others = [user_id for user_id in user_ids if user_id != me.user_id]
        if others:
            unit.record(AuditKind.OTHERS_UNSUBSCRIBED, channel_id, before={"user_ids": others})
    guest_visibility.announce()
    removed, not_removed = list[str](), list[str]()
    for channel in channels:
        number = len(leaving[channel.id])
        removed += [channel.name] * number
        not_removed += [channel.name] * (len(people) - number)
    return UnsubscribeResult(removed, not_removed)


def _find_channels(tx: Transaction, actor: Actor, channel_names: Sequence[str]) -> list[Channel]:
    """Return the channels with these names, all of which the actor must be able to see."""
    by_name = tx.channels.by_names(channel_names)
    mine = tx.subscriptions.of_user(actor.user_id)
    visible = {
        key
        for key, channel in by_name.items()
        if rules.has_metadata_access(channel, actor, subscribed=is_subscribed(mine.get(channel.id)))
    }
    missing = [name for name in channel_names if rules.channel_key(name) not in visible]
    if missing:
        raise BadRequest(f"Channel(s) ({', '.join(missing)}) do not exist")
    return [by_name[key] for key in dict.fromkeys(map(rules.channel_key, channel_names))]


def _require_may_remove(
    tx: Transaction, actor: Actor, people: Sequence[User], channels: Sequence[Channel]
) -> None:
    if all(actor.user_id in (user.id, user.bot_owner_id) for user in people):
        return
    mine = tx.subscriptions.of_user(actor.user_id)
    for channel in channels:
        if not rules.may_remove_subscribers(channel, actor, subscribed=is_subscribed(mine.get(channel.id))):
            raise InsufficientPermission


def _leave(
    unit: Unit,
    channels: Sequence[Channel],
    leaving: Mapping[ChannelId, tuple[UserId, ...]],
) -> None:
    """End the subscriptions, and notify each channel's subscribers and viewers, channel by channel.

    The subscriptions end at a position after these events, none of which notifies the leaving users of
    themselves: a user who returns before anything else happens in a channel continues the old period.
    """
    if not channels:
        return
    channels_by_user: defaultdict[UserId, list[ChannelId]] = defaultdict(list)
    for channel in channels:
        for user_id in leaving[channel.id]:
            channels_by_user[user_id].append(channel.id)
    announce_read_in(unit, channels_by_user)
    actors = unit.tx.users.actors(frozenset().union(*leaving.values()), unit.now)
    for channel in channels:
        user_ids = leaving[channel.id]
        knows_archived = requires_archived(channel)
        unsubscribed = Unsubscribed(channels=((channel.id, channel.name),), knows_archived=knows_archived)
        unit.tx.announce(unsubscribed, Users(user_ids))
        strangers = [
            user_id
            for user_id in user_ids
            if user_id in actors and not rules.has_metadata_access(channel, actors[user_id], subscribed=False)
        ]
        withdraw_channels(unit, [channel], strangers)
        # Limited guests may still see the channel, but only its subscribers see who else is subscribed.
        guests = limited_guests(unit.tx, channel, user_ids)
        if guests:
            staying = sorted(set(unit.tx.subscriptions.subscribers(channel.id)).difference(user_ids))
            to = Users(tuple(sorted(guests)))
            announce_peers(unit.tx, "peer_remove", channel, staying, to, knows_archived=knows_archived)
        # Those who still see the channel are told of the others who leave with them.
        without = sorted(guests.union(strangers))
        announce_peers(
            unit.tx, "peer_remove", channel, user_ids, without=without, knows_archived=knows_archived
        )
    unit.tx.subscriptions.end(leaving, unit.tx.draw())
