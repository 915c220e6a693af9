"""Audiences of events about messages: always rules, whose cost does not depend on the number of readers.

Lists of users are used only for direct messages, whose people are few, and for users who have single messages
in their history.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.units import View
from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import MessageId, Position, UserId
from chatcore.domain.messages.access import has_member_access
from chatcore.domain.messages.messages import Brief, Message
from chatcore.domain.messages.moving import Move
from chatcore.domain.roles import Role
from chatcore.events.audience import Audience, ReadersOf, ReadersOfMove, Users, readers_of
from chatcore.storage import Snapshot

MessageAudience = tuple[Sequence[MessageId], Audience]
"""Messages, and the audience that may be notified of them."""


def audiences_of(
    snapshot: Snapshot,
    channel: Channel | None,
    messages: Sequence[Message],
    *,
    also: Collection[UserId] = (),
    names_keepers: bool = False,
) -> Sequence[MessageAudience]:
    """Return the audiences of an event about messages of one channel or conversation; they include the users
    in *also* who may read the messages. Nobody is notified of a message twice.

    *names_keepers* is for messages that lose their flags or their channel: the audiences name all users who
    have one of them in their history by its flags, also subscribers, since nothing else says so afterwards.
    """
    if channel is not None:
        return _split_by_readers(snapshot, channel, messages, also, names_keepers=names_keepers)
    people = {user_id for m in messages if m.conversation is not None for user_id in m.conversation.user_ids}
    return [([message.id for message in messages], Users(tuple(sorted(people))))]


def _split_by_readers(
    snapshot: Snapshot,
    channel: Channel,
    messages: Sequence[Message | Brief],
    also: Collection[UserId] = (),
    *,
    names_keepers: bool = False,
) -> list[tuple[list[MessageId], ReadersOf]]:
    """Split messages of a channel into parts, and return each with its readers: a reader may read either all
    messages of a part, or none.

    *also* and *names_keepers* are as for `audiences_of`.
    """
    keepers = snapshot.flags.keepers([message.id for message in messages])
    if channel.history_public_to_subscribers:
        named = frozenset[UserId]().union(*keepers.values(), also)
        if named and not names_keepers:
            # The rule includes subscribers anyway; without them here, the event does not grow with the number
            # of reactions.
            named -= snapshot.subscriptions.subscribed_among(channel.id, named)
        parts = [(messages, named)]
    else:
        parts = _split_protected(snapshot, channel, messages, keepers, also)
    return [
        ([message.id for message in part], readers_of(channel, [message.arrived for message in part], named))
        for part, named in parts
    ]


def _split_protected(
    snapshot: Snapshot,
    channel: Channel,
    messages: Sequence[Message | Brief],
    keepers: Mapping[MessageId, frozenset[UserId]],
    also: Collection[UserId],
) -> list[tuple[Sequence[Message | Brief], frozenset[UserId]]]:
    """Split messages of a channel with protected history into parts: all messages of a part have the same
    keepers, and nobody subscribed or unsubscribed between them. Return each part with the keepers and *also*.
    """
    changes: Sequence[Position] = ()
    if len(messages) > 1:
        arrived = [message.arrived for message in messages]
        changes = snapshot.subscriptions.membership_changes(channel.id, min(arrived), max(arrived))
    parts: defaultdict[tuple[int, frozenset[UserId]], list[Message | Brief]] = defaultdict(list)
    for message in messages:
        changes_before = bisect_right(changes, message.arrived)
        named = keepers.get(message.id, frozenset()).union(also)
        parts[changes_before, named].append(message)
    return [(part, named) for (_, named), part in parts.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAudiences:
    """The audiences of a move. Nobody is notified twice."""

    both: Sequence[MessageAudience]
    """Readers who could read the messages and still can."""
    newcomers: Sequence[MessageAudience] = ()
    """Readers who can read the messages now, and could not where the messages were before."""
    lost: Sequence[MessageAudience] = ()
    """Readers who could read the messages and no longer can."""


def audiences_of_move(
    snapshot: Snapshot, move: Move, messages: Sequence[Brief], at: Position
) -> MoveAudiences:
    """Return the audiences of a move made *at* a position, from the state before it."""
    parts = _split_by_readers(snapshot, move.source, messages, names_keepers=move.changes_channel)
    if not move.changes_channel:
        return MoveAudiences(both=parts)
    after = readers_of(move.target, [at], ())

    def readers(*, could: bool, can: bool) -> Sequence[MessageAudience]:
        return [(ids, ReadersOfMove(before, after, could=could, can=can)) for ids, before in parts]

    return MoveAudiences(
        both=readers(could=True, can=True),
        newcomers=readers(could=False, can=True),
        lost=readers(could=True, can=False) if _may_be_lost(snapshot, move) else (),
    )


def _may_be_lost(snapshot: Snapshot, move: Move) -> bool:
    """Whether a reader can exist who loses access to the messages.

    Such readers need one event for each message. In a move to a public channel only guests can lose access.
    """
    if move.target.invite_only:
        return True
    guests = [user.id for user in snapshot.users.active_with_roles([Role.GUEST])]
    in_source = snapshot.subscriptions.subscribed_among(move.source.id, guests)
    in_target = snapshot.subscriptions.subscribed_among(move.target.id, guests)
    return bool(in_source - in_target)


def with_access(view: View, channel: Channel, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the users who can read the channel without being subscribed."""
    if not user_ids:
        return frozenset()
    actors = view.snapshot.users.actors(user_ids, view.now)
    return frozenset(
        user_id for user_id, reader in actors.items() if has_member_access(channel, reader, subscribed=False)
    )
