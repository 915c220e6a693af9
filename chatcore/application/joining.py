"""People in a channel from now on: their subscriptions begin, and those whom it concerns are told.

Whether they may is decided before, by whoever calls these in a unit of work.
"""

from collections.abc import Sequence

from chatcore.application.channel_sight import concerned, plain_shape
from chatcore.application.services import Services
from chatcore.domain.channels import Channel, pick_color
from chatcore.domain.user_settings import channel_notification_defaults
from chatcore.domain.users import User
from chatcore.events.audience import Users, channel_viewers
from chatcore.events.shapes.channels import personal_fields
from chatcore.events.types import PeersChanged, Subscribed
from chatcore.storage import Transaction


def start(tx: Transaction, channel: Channel, users: Sequence[User], *, color: str | None = None) -> None:
    """Subscribe people who are not in the channel; without a colour each gets one of the palette."""
    if not users:
        return
    at = tx.draw()
    used = tx.subscriptions.colors([user.id for user in users])
    colors = {user.id: color or pick_color(used.get(user.id, ())) for user in users}
    tx.subscriptions.start(channel.id, colors, at, read_to=at)


def announce(
    svc: Services, tx: Transaction, channel: Channel, users: Sequence[User], weekly_traffic: int | None
) -> None:
    """Tell new subscribers of their channel, and the others who can see it of them."""
    announce_subscriptions(svc, tx, channel, users, weekly_traffic, knows_archived=concerned(channel))
    user_ids = tuple(user.id for user in users)
    tx.announce(
        PeersChanged(
            op="peer_add", channel_ids=(channel.id,), user_ids=user_ids, knows_archived=concerned(channel)
        ),
        channel_viewers(channel, without=user_ids),
    )


def announce_subscriptions(
    svc: Services,
    tx: Transaction,
    channel: Channel,
    users: Sequence[User],
    weekly_traffic: int | None,
    *,
    knows_archived: bool | None,
) -> None:
    """Tell subscribers of their channel."""
    user_ids = tuple(user.id for user in users)
    mine = tx.subscriptions.among(channel.id, user_ids)
    tx.announce(
        Subscribed(
            channel=plain_shape(svc, tx, channel, weekly_traffic),
            subscribers=tuple(tx.subscriptions.subscribers(channel.id)),
            personal={user_id: personal_fields(sub) for user_id, sub in mine.items()},
            notification_defaults={user.id: channel_notification_defaults(user) for user in users},
            knows_archived=knows_archived,
        ),
        Users(user_ids),
    )
