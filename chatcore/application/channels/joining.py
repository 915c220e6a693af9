"""Starting subscriptions, and notifying the affected users.

The caller checks permissions before, in the same unit of work. The number of queries does not depend on the
numbers of channels and people.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from chatcore.application.daily_use import count_daily_use_of_each
from chatcore.application.units import Unit
from chatcore.application.visibility.channel_changes import announce_peers, plain_shapes, requires_archived
from chatcore.domain.channels.channels import Channel, is_subscribed, pick_color
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, Position, UserId
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.people.setting_values import channel_notification_defaults
from chatcore.domain.people.users import User
from chatcore.events.audience import Users
from chatcore.events.happened import Subscribed
from chatcore.events.payloads.channels import personal_fields
from chatcore.storage.channels.subscriptions import Start

Newcomers = Mapping[ChannelId, Sequence[User]]


def start(
    unit: Unit,
    people: Collection[User],
    wanted_colors: Mapping[ChannelId, str | None],
    *,
    since: Position | None = None,
) -> Newcomers:
    """Subscribe people to each channel of *wanted_colors*; return the new subscribers by channel, in the same
    order.

    For the colour None, each subscription gets one of the palette; users who return keep their old one. The
    subscriptions of people who were never in these channels can begin in the past, *since* a position of the
    log.

    :raises RateLimited: a user has returned too often on one day
    :raises BadRequest: a user has returned too often
    """
    user_ids = [user.id for user in people]
    before = unit.tx.subscriptions.among(wanted_colors, user_ids)
    newcomers = {
        channel_id: [user for user in people if not is_subscribed(before[channel_id].get(user.id))]
        for channel_id in wanted_colors
    }
    if not any(newcomers.values()):
        return newcomers
    at = unit.tx.draw() if since is None else since
    taken: defaultdict[UserId, list[str]] = defaultdict(list)
    for user_id, used in unit.tx.subscriptions.colors(user_ids).items():
        taken[user_id] += used
    starts = []
    for channel_id, users in newcomers.items():
        for user in users:
            old = before[channel_id].get(user.id)
            new = wanted_colors[channel_id] or pick_color(taken[user.id])
            taken[user.id].append(new if old is None else old.color)
            starts.append(Start(user.id, channel_id, new, at))
    started = unit.tx.subscriptions.start(starts)
    returned = [user_id for user_id, channel_id in started if user_id in before[channel_id]]
    _count_returns(unit, Counter(returned))
    return newcomers


def _count_returns(unit: Unit, returns: Mapping[UserId, int]) -> None:
    """Count how often users return to channels now, and refuse too many returns of one user. Each return adds
    a period, and the history of a user with very many periods is slow to read.

    :raises RateLimited: a user has returned too often on one day
    :raises BadRequest: a user has returned too often
    """
    if not returns:
        return
    count_daily_use_of_each(unit, Daily.RETURNS, returns)
    if max(unit.tx.subscriptions.count_returns(returns).values()) > unit.limits.max_returns_per_user:
        raise BadRequest("This user has left and joined channels too often.")


def announce_newcomers(unit: Unit, channels: Sequence[Channel], newcomers: Newcomers) -> None:
    """Notify new subscribers of their channels, and the other viewers of these channels of the new
    subscribers.
    """
    joined = [channel for channel in channels if newcomers[channel.id]]
    for channel, subscribed in zip(joined, subscribed_events(unit, joined, newcomers), strict=True):
        user_ids = tuple(user.id for user in newcomers[channel.id])
        unit.tx.announce(subscribed, Users(user_ids))
        knows_archived = requires_archived(channel)
        announce_peers(
            unit.tx, "peer_add", channel, user_ids, without=user_ids, knows_archived=knows_archived
        )


def subscribed_events(unit: Unit, channels: Sequence[Channel], newcomers: Newcomers) -> Iterator[Subscribed]:
    """Yield the events that notify new subscribers of their channels."""
    channel_ids = [channel.id for channel in channels]
    shapes = plain_shapes(unit, channels)
    subscribers = unit.tx.subscriptions.subscribers_of(channel_ids)
    people = {user.id: user for channel_id in channel_ids for user in newcomers[channel_id]}
    settings = unit.tx.subscriptions.among(channel_ids, people)
    defaults = {user_id: channel_notification_defaults(user) for user_id, user in people.items()}
    for channel in channels:
        user_ids = [user.id for user in newcomers[channel.id]]
        yield Subscribed(
            channel=shapes[channel.id],
            subscribers=[*subscribers[channel.id]],
            personal={user_id: personal_fields(settings[channel.id][user_id]) for user_id in user_ids},
            notification_defaults={user_id: defaults[user_id] for user_id in user_ids},
            knows_archived=requires_archived(channel),
        )
