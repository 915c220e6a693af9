"""A message that is to be changed, and who is told of what happens to it."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from chatcore.application.gather import viewer_of, with_flags
from chatcore.application.services import Services
from chatcore.domain.access import has_member_access, may_read
from chatcore.domain.channels import Channel, Period, require_can_post
from chatcore.domain.errors import invalid_message
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.viewer import Viewer
from chatcore.events.audience import Audience, SubscribersOf, Users, channel_viewers
from chatcore.events.types import ChannelUpdated
from chatcore.storage import Snapshot, Transaction


@dataclass(frozen=True, slots=True)
class Changeable:
    """A message that its reader may read, with its channel, where it is in one."""

    message: Message
    channel: Channel | None
    viewer: Viewer


def readable_message(snapshot: Snapshot, actor: Actor, message_id: int) -> Changeable:
    """A message by its id.

    :raises BadRequest: there is none, or the actor may not read it; one answer for both
    """
    viewer, _ = viewer_of(snapshot, actor)
    message = snapshot.messages.find(message_id)
    if message is None:
        raise invalid_message()
    viewer = with_flags(snapshot, viewer, [message])
    channels: Mapping[ChannelId, Channel] = {}
    if message.channel_id is not None:
        channels = snapshot.channels.by_ids([message.channel_id])
    if not may_read(message, viewer, channels):
        raise invalid_message()
    return Changeable(message, next(iter(channels.values()), None), viewer)


def changeable_message(snapshot: Snapshot, actor: Actor, message_id: int) -> Changeable:
    """The same, where something about it is to be changed.

    :raises BadRequest: it is in an archived channel; the same answer
    """
    found = readable_message(snapshot, actor, message_id)
    if found.channel is not None and found.channel.is_archived:
        raise invalid_message()
    return found


def require_can_post_in(tx: Transaction, actor: Actor, channel: Channel) -> None:
    """Refuse who could not send a message to the channel.

    :raises BadRequest:
    """
    asked = [actor.user_id] if actor.owner is None else [actor.user_id, actor.owner.user_id]
    subscribed = tx.subscriptions.subscribed_among(channel.id, asked)
    require_can_post(
        channel,
        actor,
        subscribed=actor.user_id in subscribed,
        owner_subscribed=actor.owner is not None and actor.owner.user_id in subscribed,
    )


Told = tuple[Sequence[MessageId], Audience]
"""Messages, and those who may be told of them."""


def who_is_told(
    svc: Services, tx: Transaction, channel: Channel | None, messages: Sequence[Message]
) -> list[Told]:
    """Whom something that happens to messages of one place concerns.

    Nobody is in two of the audiences. Where the history is protected, each is told only of those messages
    that they have received.
    """
    message_ids = [message.id for message in messages]
    if channel is None:
        people = {
            user_id for m in messages if m.conversation is not None for user_id in m.conversation.user_ids
        }
        return [(message_ids, Users(tuple(sorted(people))))]
    own_copies = tx.edits.taken_in(message_ids)
    subscribed = tx.subscriptions.subscribed_among(channel.id, own_copies.keys())
    others = with_access(svc, tx, channel, own_copies.keys() - subscribed)
    if channel.history_public_to_subscribers:
        arrived = [message.arrived for message in messages]
        audience = SubscribersOf(
            channel.id,
            private=channel.invite_only,
            also=tuple(sorted(others)),
            received=(min(arrived), max(arrived)),
        )
        return [(message_ids, audience)]
    seen = received_by_each(tx, channel, messages)
    for user_id, mine in own_copies.items():
        if user_id in seen or user_id in others:
            seen[user_id] = seen.get(user_id, frozenset()) | mine
    told: defaultdict[frozenset[MessageId], list[UserId]] = defaultdict(list)
    for user_id, mine in sorted(seen.items()):
        if mine:
            told[mine].append(user_id)
    return [
        (
            sorted(mine),
            SubscribersOf(
                channel.id,
                private=channel.invite_only,
                only=tuple(user_id for user_id in user_ids if user_id not in others),
                also=tuple(user_id for user_id in user_ids if user_id in others),
            ),
        )
        for mine, user_ids in told.items()
    ]


def received_by_each(
    tx: Transaction, channel: Channel, messages: Sequence[Message]
) -> dict[UserId, frozenset[MessageId]]:
    """Which of the messages each subscriber has received."""
    by_arrival = sorted(messages, key=attrgetter("arrived"))
    arrived = [message.arrived for message in by_arrival]
    known: dict[tuple[tuple[int, int], ...], frozenset[MessageId]] = {}

    def received(periods: Sequence[Period]) -> frozenset[MessageId]:
        ends = [len(arrived) if p.until is None else bisect_left(arrived, p.until) for p in periods]
        parts = tuple(zip([bisect_left(arrived, p.start) for p in periods], ends, strict=True))
        if parts not in known:  # most subscribers have received the same
            known[parts] = frozenset(m.id for start, end in parts for m in by_arrival[start:end])
        return known[parts]

    subscribers = tx.subscriptions.subscribers(channel.id)
    periods = tx.subscriptions.periods(channel.id, subscribers)
    return {user_id: received(periods.get(user_id, ())) for user_id in subscribers}


def with_access(
    svc: Services, tx: Transaction, channel: Channel, user_ids: Collection[UserId]
) -> frozenset[UserId]:
    """Those of the users who can read the channel without being subscribed."""
    if not user_ids:
        return frozenset()
    actors = tx.users.actors(user_ids, svc.now)
    return frozenset(
        user_id for user_id, one in actors.items() if has_member_access(channel, one, subscribed=False)
    )


def announce_first_message(tx: Transaction, *before: Channel) -> None:
    """Tell of channels that begin with another message than before."""
    after = tx.channels.by_ids([channel.id for channel in before])
    for channel in before:
        first = after[channel.id].first_message_id
        if first != channel.first_message_id:
            event = ChannelUpdated(
                channel_id=channel.id, name=channel.name, property="first_message_id", value=first
            )
            tx.announce(event, channel_viewers(channel))
