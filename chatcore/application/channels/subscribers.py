"""Listing subscribers of a channel, and subscribing and unsubscribing in one step."""

from collections.abc import Mapping, Sequence

from chatcore.application.arguments import ChannelNumber, UserNumber
from chatcore.application.channels.subscribing import SubscribeResult, prepare, subscribe_prepared
from chatcore.application.channels.subscription_plans import Subscribe, WantedChannel
from chatcore.application.channels.unsubscribing import UnsubscribeResult, unsubscribe
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.known_channels import known_channel
from chatcore.application.visibility.known_users import known_to
from chatcore.application.visibility.users import find_known
from chatcore.domain.errors import nothing_to_add_or_delete
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId


@read_only
def subscribers(view: View, me: Actor, channel_id: ChannelNumber) -> list[UserId]:
    """List the subscribers of a channel.

    :returns: ids of the active subscribers, ascending
    :raises BadRequest: no such channel for the actor
    """
    channel = known_channel(view.snapshot, me, channel_id)
    knows = known_to(view.snapshot, view.snapshot.organization.get(), me)
    user_ids = view.snapshot.subscriptions.subscribers(channel.id)
    return [user_id for user_id in user_ids if knows is None or knows(user_id)]


@read_only
def is_subscriber(view: View, me: Actor, user_id: UserNumber, channel_id: ChannelNumber) -> bool:
    """Get whether a user is subscribed to a channel.

    :returns: whether the user is an active subscriber
    :raises BadRequest: no such channel or user for the actor
    """
    user = find_known(view, me, user_id)
    channel = known_channel(view.snapshot, me, channel_id)
    return user.is_active and bool(view.snapshot.subscriptions.subscribed_among(channel.id, [user.id]))


def change_subscriptions(
    svc: Services, actor: Actor, add: Sequence[WantedChannel], delete: Sequence[str]
) -> tuple[SubscribeResult, UnsubscribeResult]:
    """Subscribe the actor to some channels and unsubscribe from others: all requested changes, or none.

    :raises BadRequest: nothing to do, or a reason for which `subscribe` or `unsubscribe` is refused
    """
    if not add and not delete:
        raise nothing_to_add_or_delete()
    cmd = Subscribe(channels=add)
    rendered = prepare(svc, actor, cmd) if add else {}
    return _change_subscriptions(svc, actor, cmd, rendered, delete)


@unit_of_work
def _change_subscriptions(
    unit: Unit, me: Actor, cmd: Subscribe, rendered: Mapping[str, str], delete: Sequence[str]
) -> tuple[SubscribeResult, UnsubscribeResult]:
    nothing_added = SubscribeResult({}, {}, (), False, ())
    added = subscribe_prepared.within(unit, me, cmd, rendered) if cmd.channels else nothing_added
    return added, unsubscribe.within(unit, me, delete)
