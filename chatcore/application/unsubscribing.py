"""Taking people out of channels."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chatcore.application.channel_sight import announce_lost, concerned
from chatcore.application.channels import is_subscribed
from chatcore.application.gather import current
from chatcore.application.people_sight import GuestsSight
from chatcore.application.services import Services
from chatcore.application.subscription_plans import principals_of
from chatcore.domain import channels as rules
from chatcore.domain.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.users import User
from chatcore.events.audience import Users, channel_viewers
from chatcore.events.types import PeersChanged, Unsubscribed
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True)
class UnsubscribeResult:
    """Channel names, one for each person: who was subscribed, and who was not."""

    removed: Sequence[str]
    not_removed: Sequence[str]


def unsubscribe(
    svc: Services,
    actor: Actor,
    channel_names: Sequence[str],
    principals: Sequence[int] | Sequence[str] | None = None,
) -> UnsubscribeResult:
    """Take people out of channels; without *principals*, the actor.

    :raises BadRequest: an unknown channel or person, or no right to take others out
    """
    return svc.storage.write(
        lambda tx: unsubscribe_in(svc, tx, current(tx, actor, svc.now), channel_names, principals)
    )


def unsubscribe_in(
    svc: Services,
    tx: Transaction,
    actor: Actor,
    channel_names: Sequence[str],
    principals: Sequence[int] | Sequence[str] | None = None,
) -> UnsubscribeResult:
    """The same in a unit of work, for an actor as of now."""
    if max(len(channel_names), len(principals or ())) > svc.limits.max_ids_per_request:
        raise BadRequest("Too many channels or principals")
    people = [tx.users.get(actor.user_id)]
    if principals is not None:
        people = principals_of(svc, tx, actor, principals)
    channels = _existing(tx, actor, channel_names)
    _require_may_remove(tx, actor, people, channels)
    removed, not_removed = [], []
    sight = GuestsSight(svc, tx, (), [channel.id for channel in channels])
    for channel in channels:
        leaving = tx.subscriptions.subscribed_among(channel.id, [user.id for user in people])
        removed += [channel.name] * len(leaving)
        not_removed += [channel.name] * (len(people) - len(leaving))
        if leaving:
            _leave(svc, tx, channel, leaving)
    sight.announce()
    return UnsubscribeResult(removed, not_removed)


def _existing(tx: Transaction, actor: Actor, channel_names: Sequence[str]) -> list[Channel]:
    """The channels with these names, all of which the actor must be able to see."""
    found = tx.channels.by_names(channel_names)
    mine = tx.subscriptions.of_user(actor.user_id)
    visible = {
        key
        for key, channel in found.items()
        if rules.has_metadata_access(channel, actor, subscribed=is_subscribed(mine, channel))
    }
    missing = [name for name in channel_names if rules.channel_key(name) not in visible]
    if missing:
        raise BadRequest(f"Channel(s) ({', '.join(missing)}) do not exist")
    return [found[key] for key in dict.fromkeys(map(rules.channel_key, channel_names))]


def _require_may_remove(
    tx: Transaction, actor: Actor, people: Sequence[User], channels: Sequence[Channel]
) -> None:
    if all(actor.user_id in (user.id, user.bot_owner_id) for user in people):
        return
    mine = tx.subscriptions.of_user(actor.user_id)
    for channel in channels:
        if not rules.may_remove_subscribers(channel, actor, subscribed=is_subscribed(mine, channel)):
            raise BadRequest("Insufficient permission")


def _leave(svc: Services, tx: Transaction, channel: Channel, user_ids: Collection[UserId]) -> None:
    leaving = tuple(sorted(user_ids))
    at = tx.draw()
    tx.subscriptions.end(channel.id, leaving, at)
    actors = tx.users.actors(leaving, svc.now)
    gone = Unsubscribed(channels=((channel.id, channel.name),), knows_archived=concerned(channel))
    tx.announce(gone, Users(leaving))
    strangers = tuple(
        user_id
        for user_id, one in actors.items()
        if not rules.has_metadata_access(channel, one, subscribed=False)
    )
    announce_lost(tx, [channel], strangers)
    tx.announce(
        PeersChanged(
            op="peer_remove",
            channel_ids=(channel.id,),
            user_ids=leaving,
            knows_archived=concerned(channel),
        ),
        channel_viewers(channel, without=leaving),
    )
