"""Whom a move of messages concerns: who keeps sight of them, who gains it and who loses it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.application.changeable import Told, received_by_each, who_is_told
from chatcore.application.services import Services
from chatcore.domain.access import has_member_access
from chatcore.domain.channels import Channel
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.moving import Move
from chatcore.events.audience import Audience, SubscribersOf, Users
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Those whom a move concerns. Nobody is told twice."""

    told: Sequence[Told]
    newcomers: Sequence[Told] = ()
    """Who can read the messages now, and could not where they were."""
    lost: Sequence[Told] = ()
    """Who could read the messages and cannot any more."""
    keeping: frozenset[UserId] = frozenset()
    """Who can read the messages in the new channel without being subscribed to it."""


def readers_of_move(svc: Services, tx: Transaction, move: Move, messages: Sequence[Message]) -> Readers:
    """Whom the move concerns, by what is true before it."""
    source, target = move.source, move.target
    if not move.changes_channel:
        return Readers(told=who_is_told(svc, tx, source, messages))
    message_ids = frozenset(message.id for message in messages)
    had = _had(tx, source, messages)
    in_source, in_target = (frozenset(tx.subscriptions.subscribers(c.id)) for c in (source, target))
    actors = tx.users.actors(had.keys() | in_target, svc.now)
    old: set[UserId] = set()
    new: set[UserId] = set()
    keeping: set[UserId] = set()
    lost: defaultdict[frozenset[MessageId], list[UserId]] = defaultdict(list)
    for user_id, one in sorted(actors.items()):
        could = has_member_access(source, one, subscribed=user_id in in_source)
        could_all = could and (source.history_public_to_subscribers or had.get(user_id) == message_ids)
        can = has_member_access(target, one, subscribed=user_id in in_target) and (
            target.history_public_to_subscribers or user_id in in_target
        )
        if not can:
            if could and had.get(user_id):
                lost[had[user_id]].append(user_id)
            continue
        (old if could_all else new).add(user_id)
        if user_id not in in_target:
            keeping.add(user_id)

    def among(user_ids: set[UserId]) -> Audience:
        return SubscribersOf(
            target.id,
            private=target.invite_only,
            only=tuple(sorted(user_ids & in_target)),
            also=tuple(sorted(user_ids - in_target)),
        )

    every = sorted(message_ids)
    return Readers(
        told=[(every, among(old))] if old else [],
        newcomers=[(every, among(new))] if new else [],
        lost=[(sorted(mine), Users(tuple(user_ids))) for mine, user_ids in lost.items()],
        keeping=frozenset(keeping),
    )


def _had(tx: Transaction, source: Channel, messages: Sequence[Message]) -> dict[UserId, frozenset[MessageId]]:
    """Who has which of the messages in the history, before they are moved."""
    every = frozenset(message.id for message in messages)
    if source.history_public_to_subscribers:
        had = dict.fromkeys(tx.subscriptions.subscribers(source.id), every)
    else:
        had = received_by_each(tx, source, messages)
    for user_id, mine in tx.edits.taken_in(every).items():
        had[user_id] = had.get(user_id, frozenset()) | mine
    return had
