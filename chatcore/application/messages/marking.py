"""Marking unread messages as read: in a topic, in a channel, from a sender, or everywhere.

`chatcore.application.messages.flags` changes the flags of single messages.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from chatcore.application.messages.fetching import read_narrow
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.known_channels import readable_channel
from chatcore.application.visibility.reading import BATCH, announce_read
from chatcore.domain.channels.channels import Channel, is_subscribed
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.topics import read_topic, topic_key
from chatcore.events.audience import Users
from chatcore.events.types import FlagsChanged
from chatcore.storage import Transaction
from chatcore.storage.slices import let_others


def mark_topic_as_read(svc: Services, actor: Actor, channel_id: int, topic: str) -> None:
    """Mark all messages of a topic as read, in steps between which other writers run.

    :raises BadRequest: no such channel for the actor, or the actor never received a message of the topic
    """

    def step(after: MessageId | None, tx: Transaction) -> MessageId | None:
        me = refresh_actor(tx, actor, svc.now)
        channel = readable_channel(tx, me, channel_id)
        name = read_topic(topic, tx.organization.get().empty_topic_display_name)
        terms = [_in_channel(channel), {"operator": "topic", "operand": name}]
        found = next(_unread(svc, tx, me, terms, after), ())
        is_first = after is None and not found
        if is_first and tx.messages.newest_in_topic(channel.id, topic_key(name), actor.user_id) is None:
            raise BadRequest(f"No such topic '{name}'")
        return _mark_some(tx, me, found)

    _in_steps(svc, step)


def mark_sender_as_read(svc: Services, actor: Actor, sender_id: UserId, until: Position) -> None:
    """Mark all messages that a user sent before *until* as read, in steps."""
    terms = [{"operator": "sender", "operand": sender_id}]

    def step(after: MessageId | None, tx: Transaction) -> MessageId | None:
        me = refresh_actor(tx, actor, svc.now)
        found = next(_unread(svc, tx, me, terms, after), ())
        return _mark_some(tx, me, [one for one in found if one < until])

    _in_steps(svc, step)


def _in_steps(svc: Services, step: Callable[[MessageId | None, Transaction], MessageId | None]) -> None:
    """Run *step* in successive units of work, each with the result of the previous one, until it returns
    None.
    """
    after: MessageId | None = None
    while True:
        after = svc.storage.write(partial(step, after))
        if after is None:
            return
        let_others()


def _mark_some(tx: Transaction, actor: Actor, found: Sequence[MessageId]) -> MessageId | None:
    """Mark messages, ascending, as read; return where to continue, or None at the end."""
    if found:
        tx.flags.set(actor.user_id, tx.messages.outlines(found), Flag.READ)
        announce_read(tx, [actor.user_id], found)
    return found[-1] if len(found) == BATCH else None


def mark_channel_as_read(svc: Services, actor: Actor, channel_id: int) -> None:
    """Mark all messages of a channel as read.

    :raises BadRequest: no such channel for the actor
    """

    def write(tx: Transaction) -> None:
        me = refresh_actor(tx, actor, svc.now)
        channel = readable_channel(tx, me, channel_id)
        batches = list(_unread(svc, tx, me, [_in_channel(channel)]))
        for message_ids in batches:
            announce_read(tx, [actor.user_id], message_ids)
        mine = tx.subscriptions.find(actor.user_id, channel.id)
        if batches and is_subscribed(mine):
            tx.flags.mark_all_read([actor.user_id], [channel.id], tx.log.head())
        else:
            tx.flags.mark_mentions_of_bots_read(user_ids=[actor.user_id], channel_ids=[channel.id])

    svc.storage.write(write)


def mark_all_as_read(svc: Services, actor: Actor) -> None:
    """Mark all messages as read. The cost does not depend on their number: watermarks move."""

    def write(tx: Transaction) -> None:
        refresh_actor(tx, actor, svc.now)
        subscriptions = tx.subscriptions.of_user(actor.user_id)
        recipients: list[RecipientId] = [
            channel_id for channel_id, subscription in subscriptions.items() if subscription.active
        ]
        recipients += [talk.conversation_id for talk in tx.conversations.of_user(actor.user_id)]
        tx.flags.mark_all_read([actor.user_id], recipients, tx.log.head())
        if actor.is_bot:
            tx.flags.mark_mentions_of_bots_read(user_ids=[actor.user_id])
        tx.announce(FlagsChanged(flag="read", op="add", messages=(), all=True), Users((actor.user_id,)))

    svc.storage.write(write)


Term = Mapping[str, object]


def _in_channel(channel: Channel) -> Term:
    return {"operator": "channel", "operand": channel.id}


def _unread(
    svc: Services, tx: Transaction, actor: Actor, terms: Sequence[Term], after: MessageId | None = None
) -> Iterator[Sequence[MessageId]]:
    """Yield the unread messages of a narrow, ascending, in batches; with *after*, only those with greater
    ids.
    """
    terms = [*terms, {"operator": "is", "operand": "unread"}]
    narrow, viewer, channels = read_narrow(svc, tx, actor, terms)
    anchor = after or MessageId(0)
    while True:
        found = tx.search.around(narrow, viewer, channels, anchor=anchor, before=0, after=BATCH).after
        if found:
            yield found
        if len(found) < BATCH:
            return
        anchor = found[-1]
