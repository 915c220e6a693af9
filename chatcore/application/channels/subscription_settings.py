"""Personal settings of subscriptions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.channel_changes import requires_archived
from chatcore.domain.channels.channels import Channel
from chatcore.domain.channels.subscription_settings import read_setting
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.events.audience import Users
from chatcore.events.happened import SubscriptionChanged
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True)
class SubscriptionChange:
    """One property, by the API's name and with the value that a client sends."""

    channel_id: int
    property: str
    value: object


def change_settings(svc: Services, actor: Actor, changes: Sequence[SubscriptionChange]) -> None:
    """Set properties of the actor's subscriptions: all of them or none.

    :raises BadRequest: an unknown property or value, or a channel to which the actor is not subscribed
    """
    if len(changes) > svc.limits.max_subscription_settings_per_request:
        raise BadRequest("Too many properties")
    # Clients may send a property twice; only the last value counts, and only that value is announced.
    wanted: defaultdict[int, dict[str, bool | str]] = defaultdict(dict)
    for change in changes:
        name, value = read_setting(change.property, change.value)
        wanted[change.channel_id][name] = value
    _store_settings(svc, actor, wanted)


@unit_of_work
def _store_settings(unit: Unit, me: Actor, wanted: Mapping[int, Mapping[str, bool | str]]) -> None:
    mine = unit.tx.subscriptions.of_user(me.user_id)
    active = {
        int(channel_id): subscription for channel_id, subscription in mine.items() if subscription.active
    }
    channels = unit.tx.channels.by_ids(mine.keys() & wanted.keys())
    for channel_id, values in wanted.items():
        before = active.get(channel_id)
        if before is None:
            raise BadRequest(f"Not subscribed to channel id {channel_id}")
        differing = {name: value for name, value in values.items() if getattr(before, name) != value}
        if differing:
            unit.tx.subscriptions.update(me.user_id, before.channel_id, **differing)
        for name, value in differing.items():
            _announce(unit.tx, me.user_id, channels[before.channel_id], name, value)


def switch_off(unit: Unit, user_id: UserId, name: str) -> None:
    """Set a property to false in all subscriptions of a person that have it as true."""
    mine = unit.tx.subscriptions.of_user(user_id)
    on = [
        subscription.channel_id
        for subscription in mine.values()
        if subscription.active and getattr(subscription, name) is True
    ]
    for channel in unit.tx.channels.by_ids(on).values():
        unit.tx.subscriptions.update(user_id, channel.id, **{name: False})
        _announce(unit.tx, user_id, channel, name, False)


def _announce(tx: Transaction, user_id: UserId, channel: Channel, name: str, value: bool | str) -> None:
    """Announce a changed property; `is_muted` also by `in_home_view`, its inverse, for older clients."""
    properties = {"in_home_view": not value, name: value} if name == "is_muted" else {name: value}
    for property_name, property_value in properties.items():
        changed = SubscriptionChanged(
            channel_id=channel.id,
            property=property_name,
            value=property_value,
            knows_archived=requires_archived(channel),
        )
        tx.announce(changed, Users((user_id,)))
