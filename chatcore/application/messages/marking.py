"""Marking unread messages as read: in a topic, in a channel, from a sender, or everywhere.

`chatcore.application.messages.flags` changes the flags of single messages.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from chatcore.application.messages.fetching import read_narrow
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, unit_of_work
from chatcore.application.visibility.known_channels import readable_channel
from chatcore.application.visibility.reading import BATCH, announce_read
from chatcore.domain.channels.channels import Channel, is_subscribed
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.topics import read_topic, topic_key
from chatcore.events.audience import Users
from chatcore.events.happened import FlagsChanged
from chatcore.storage import Transaction
from chatcore.storage.slices import let_others


def mark_topic_as_read(svc: Services, actor: Actor, channel_id: int, topic: str) -> None:
    """Mark all messages of a topic as read, in steps between which other writers run.

    :raises BadRequest: no such channel for the actor, or the actor never received a message of the topic
    """
    _run_in_steps(lambda after: _mark_some_of_topic(svc, actor, channel_id, topic, after))


@unit_of_work
def _mark_some_of_topic(
    unit: Unit, me: Actor, channel_id: int, topic: str, after: MessageId | None
) -> MessageId | None:
    channel = readable_channel(unit.tx, me, channel_id)
    name = read_topic(topic, unit.tx.organization.get().empty_topic_display_name)
    terms = [_channel_term(channel), {"operator": "topic", "operand": name}]
    message_ids = next(_unread_batches(unit, me, terms, after), ())
    has_no_unread = after is None and not message_ids
    if has_no_unread and unit.tx.messages.newest_in_topic(channel.id, topic_key(name), me.user_id) is None:
        raise BadRequest(f"No such topic '{name}'")
    return _mark_some(unit.tx, me, message_ids)


def mark_sender_as_read(svc: Services, actor: Actor, sender_id: UserId, until: Position) -> None:
    """Mark all messages that a user sent before *until* as read, in steps."""
    _run_in_steps(lambda after: _mark_some_of_sender(svc, actor, sender_id, until, after))


@unit_of_work
def _mark_some_of_sender(
    unit: Unit, me: Actor, sender_id: UserId, until: Position, after: MessageId | None
) -> MessageId | None:
    message_ids = next(_unread_batches(unit, me, [{"operator": "sender", "operand": sender_id}], after), ())
    return _mark_some(unit.tx, me, [message_id for message_id in message_ids if message_id < until])


def _run_in_steps(step: Callable[[MessageId | None], MessageId | None]) -> None:
    """Run *step*, a unit of work, again and again, with the result of the run before, until it returns
    None.
    """
    after: MessageId | None = None
    while (after := step(after)) is not None:
        let_others()


def _mark_some(tx: Transaction, actor: Actor, message_ids: Sequence[MessageId]) -> MessageId | None:
    """Mark messages, ascending, as read; return where to continue, or None at the end."""
    if message_ids:
        tx.flags.set(actor.user_id, tx.messages.outlines(message_ids), Flag.READ)
        announce_read(tx, [actor.user_id], message_ids)
    return message_ids[-1] if len(message_ids) == BATCH else None


@unit_of_work
def mark_channel_as_read(unit: Unit, me: Actor, channel_id: int) -> None:
    """Mark all messages of a channel as read.

    :raises BadRequest: no such channel for the actor
    """
    tx = unit.tx
    channel = readable_channel(tx, me, channel_id)
    batches = list(_unread_batches(unit, me, [_channel_term(channel)]))
    for message_ids in batches:
        announce_read(tx, [me.user_id], message_ids)
    subscription = tx.subscriptions.find(me.user_id, channel.id)
    # Without a subscription, nothing is unread but messages in which a bot is mentioned.
    if batches and is_subscribed(subscription):
        tx.flags.mark_all_read([me.user_id], [channel.id], tx.log.head())
    else:
        tx.flags.mark_mentions_of_bots_read(user_ids=[me.user_id], channel_ids=[channel.id])


@unit_of_work
def mark_all_as_read(unit: Unit, me: Actor) -> None:
    """Mark all messages as read. The cost does not depend on their number: watermarks move."""
    tx = unit.tx
    subscriptions = tx.subscriptions.of_user(me.user_id)
    recipients: list[RecipientId] = [
        channel_id for channel_id, subscription in subscriptions.items() if subscription.active
    ]
    recipients += [talk.conversation_id for talk in tx.conversations.of_user(me.user_id)]
    tx.flags.mark_all_read([me.user_id], recipients, tx.log.head())
    if me.is_bot:
        tx.flags.mark_mentions_of_bots_read(user_ids=[me.user_id])
    tx.announce(FlagsChanged(flag="read", op="add", messages=(), all=True), Users((me.user_id,)))


Term = Mapping[str, object]


def _channel_term(channel: Channel) -> Term:
    return {"operator": "channel", "operand": channel.id}


def _unread_batches(
    view: View, actor: Actor, terms: Sequence[Term], after: MessageId | None = None
) -> Iterator[Sequence[MessageId]]:
    """Yield the unread messages of a narrow, ascending, in batches; with *after*, only those with greater
    ids.
    """
    terms = [*terms, {"operator": "is", "operand": "unread"}]
    narrow, viewer, channels = read_narrow(view, actor, terms)
    anchor = after or MessageId(0)
    while True:
        search = view.snapshot.search
        batch = search.around(narrow, viewer, channels, anchor=anchor, before=0, after=BATCH).after
        if batch:
            yield batch
        if len(batch) < BATCH:
            return
        anchor = batch[-1]
