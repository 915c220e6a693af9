"""Setting something for oneself for channels that one is subscribed to."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId
from chatcore.domain.subscription_settings import read_setting
from chatcore.events.audience import Users
from chatcore.events.types import SubscriptionChanged
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True)
class Change:
    """One property, by the API's name and with the value that a client sends."""

    channel_id: int
    property: str
    value: object


def change_settings(svc: Services, actor: Actor, changes: Sequence[Change]) -> None:
    """Set properties of the actor's subscriptions: all of them, in their order, or none.

    :raises BadRequest: a property or value that there is not, or a channel that is not subscribed to
    """
    if len(changes) > svc.limits.max_ids_per_request:
        raise BadRequest("Too many properties")
    wanted = [(change.channel_id, *read_setting(change.property, change.value)) for change in changes]

    def write(tx: Transaction) -> None:
        mine = tx.subscriptions.of_user(current(tx, actor, svc.now).user_id)
        active = {int(channel_id): one for channel_id, one in mine.items() if one.active}
        for number, name, value in wanted:
            if number not in active:
                raise BadRequest(f"Not subscribed to channel id {number}")
            before = active[number]
            if getattr(before, name) != value:
                active[number] = replace(before, **{name: value})  # type: ignore[arg-type]
                tx.subscriptions.update(actor.user_id, before.channel_id, **{name: value})
                _announce(tx, actor, before.channel_id, name, value)

    svc.storage.write(write)


def _announce(tx: Transaction, actor: Actor, channel_id: ChannelId, name: str, value: bool | str) -> None:
    """Older clients know whether a channel is muted by the inverse."""
    told = {"in_home_view": not value, name: value} if name == "is_muted" else {name: value}
    for told_name, told_value in told.items():
        changed = SubscriptionChanged(channel_id=channel_id, property=told_name, value=told_value)
        tx.announce(changed, Users((actor.user_id,)))
