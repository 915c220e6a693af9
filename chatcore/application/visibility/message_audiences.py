"""Who is told of what happens to messages: always a rule, which costs the same for any number of readers.

A list is made only of direct messages, whose people are few, and of who has taken single messages in.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chatcore.domain.channels import Channel
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages import Brief, Message
from chatcore.domain.moving import Move
from chatcore.domain.roles import Role
from chatcore.events.audience import Audience, ReadersOf, ReadersOfMove, Users, readers_of
from chatcore.storage import Transaction

Told = tuple[Sequence[MessageId], Audience]
"""Messages, and those who may be told of them."""


def who_is_told(
    tx: Transaction, channel: Channel | None, messages: Sequence[Message], *, also: Collection[UserId] = ()
) -> Sequence[Told]:
    """Whom something that happens to messages of one place concerns, and *also* these where they may read it.

    Nobody is told of a message twice.
    """
    if channel is not None:
        return _readers(tx, channel, messages, also)
    people = {user_id for m in messages if m.conversation is not None for user_id in m.conversation.user_ids}
    return [([message.id for message in messages], Users(tuple(sorted(people))))]


def _readers(
    tx: Transaction, channel: Channel, messages: Sequence[Message | Brief], also: Collection[UserId] = ()
) -> list[tuple[list[MessageId], ReadersOf]]:
    """The messages in parts, of which each reader may read either everything or nothing."""
    keepers = tx.flags.keepers([message.id for message in messages])
    parts: defaultdict[tuple[int, frozenset[UserId]], list[Message | Brief]] = defaultdict(list)
    if channel.history_public_to_subscribers:
        everybody = frozenset[UserId]().union(*keepers.values(), also)
        # Subscribers hear anyway; without them the event does not grow with who has reacted.
        others = (
            everybody - tx.subscriptions.subscribed_among(channel.id, everybody) if everybody else everybody
        )
        parts[0, others] = list(messages)
    else:
        arrived = [message.arrived for message in messages]
        turns = tx.subscriptions.turns(channel.id, min(arrived), max(arrived)) if len(messages) > 1 else ()
        for message in messages:
            mine = keepers.get(message.id, frozenset()).union(also)
            parts[bisect_right(turns, message.arrived), mine].append(message)
    return [
        ([message.id for message in part], readers_of(channel, [m.arrived for m in part], keeping))
        for (_, keeping), part in parts.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldOfMove:
    """Those whom a move concerns. Nobody is told twice."""

    both: Sequence[Told]
    """Who could read the messages and still can."""
    newcomers: Sequence[Told] = ()
    """Who can read the messages now, and could not where they were."""
    lost: Sequence[Told] = ()
    """Who could read the messages and cannot any more."""


def who_is_told_of_move(tx: Transaction, move: Move, messages: Sequence[Brief], at: Position) -> ToldOfMove:
    """Whom a move concerns that is made *at* a position, by what is true before it."""
    parts = _readers(tx, move.source, messages)
    if not move.changes_channel:
        return ToldOfMove(both=parts)
    after = readers_of(move.target, [at], ())

    def who(*, could: bool, can: bool) -> Sequence[Told]:
        return [(ids, ReadersOfMove(before, after, could=could, can=can)) for ids, before in parts]

    return ToldOfMove(
        both=who(could=True, can=True),
        newcomers=who(could=False, can=True),
        lost=who(could=True, can=False) if _may_be_lost(tx, move) else (),
    )


def _may_be_lost(tx: Transaction, move: Move) -> bool:
    """Whether there can be somebody who does not see the messages any more.

    It takes an event for each message to tell them. Into a public channel only guests cannot follow.
    """
    if move.target.invite_only:
        return True
    guests = [user.id for user in tx.users.active_with_roles([Role.GUEST])]
    in_source, in_target = (
        tx.subscriptions.subscribed_among(c.id, guests) for c in (move.source, move.target)
    )
    return bool(in_source - in_target)
