"""Listing subscribers of a channel, and subscribing and unsubscribing in one step."""

from collections.abc import Sequence

from chatcore.application.channels.subscribing import SubscribeResult, prepare, subscribe_in
from chatcore.application.channels.subscription_plans import Subscribe, Wanted
from chatcore.application.channels.unsubscribing import UnsubscribeResult, unsubscribe_in
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.known_channels import known_channel
from chatcore.application.visibility.known_users import known_to
from chatcore.application.visibility.users import find_known
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.storage import Snapshot, Transaction


def subscribers(svc: Services, actor: Actor, channel_id: int) -> list[UserId]:
    """Return the active subscribers of a channel that the actor may know of, ascending by id.

    :raises BadRequest: no such channel for the actor
    """

    def read(snapshot: Snapshot) -> list[UserId]:
        me = refresh_actor(snapshot, actor, svc.now)
        channel = known_channel(snapshot, me, channel_id)
        knows = known_to(snapshot, snapshot.organization.get(), me)
        found = snapshot.subscriptions.subscribers(channel.id)
        return [user_id for user_id in found if knows is None or knows(user_id)]

    return svc.storage.read(read)


def is_subscriber(svc: Services, actor: Actor, user_id: int, channel_id: int) -> bool:
    """Whether a user is an active subscriber of a channel.

    :raises BadRequest: no such channel or user for the actor
    """

    def read(snapshot: Snapshot) -> bool:
        me = refresh_actor(snapshot, actor, svc.now)
        user = find_known(svc, snapshot, me, user_id)
        channel = known_channel(snapshot, me, channel_id)
        return user.is_active and bool(snapshot.subscriptions.subscribed_among(channel.id, [user.id]))

    return svc.storage.read(read)


def change_subscriptions(
    svc: Services, actor: Actor, add: Sequence[Wanted], delete: Sequence[str]
) -> tuple[SubscribeResult, UnsubscribeResult]:
    """Subscribe the actor to some channels and unsubscribe from others: all requested changes, or none.

    :raises BadRequest: nothing to do, or a reason for which `subscribe` or `unsubscribe` is refused
    """
    if not add and not delete:
        raise BadRequest('Nothing to do. Specify at least one of "add" or "delete".')
    cmd = Subscribe(channels=add)
    rendered = prepare(svc, actor, cmd) if add else {}

    def write(tx: Transaction) -> tuple[SubscribeResult, UnsubscribeResult]:
        me = refresh_actor(tx, actor, svc.now)
        joined = SubscribeResult({}, {}, (), False, ())
        if add:
            joined = subscribe_in(svc, tx, me, cmd, rendered)
        return joined, unsubscribe_in(svc, tx, me, delete)

    return svc.storage.write(write)
