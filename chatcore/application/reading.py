"""Marking as read what is unread: in a topic, in a channel, or everywhere.

Changing the flags of single messages is in `chatcore.application.flags`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from chatcore.application.fetching import read_narrow
from chatcore.application.gather import current
from chatcore.application.known_channels import readable_channel
from chatcore.application.services import Services
from chatcore.application.turns import let_others
from chatcore.domain.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.flags import Flag
from chatcore.domain.groups import Actor
from chatcore.domain.ids import MessageId, RecipientId
from chatcore.domain.topics import read_topic, topic_key
from chatcore.events.audience import Users
from chatcore.events.types import FlagsChanged
from chatcore.storage import Transaction

BATCH = 5000
"""Messages that one event names at most."""


def mark_topic_as_read(svc: Services, actor: Actor, channel_id: int, topic: str) -> None:
    """Everything unread in a topic becomes read, some of it at a time, so that others get their turn.

    :raises BadRequest: no such channel for the actor, or no message of the topic was ever received
    """
    after: MessageId | None = None
    while True:
        step = partial(_mark_some, svc, actor, channel_id, topic, after)
        after = svc.storage.write(step)
        if after is None:
            return
        let_others()


def _mark_some(
    svc: Services, actor: Actor, channel_id: int, topic: str, after: MessageId | None, tx: Transaction
) -> MessageId | None:
    """Mark what is unread of a topic *after* one of its messages; where to go on, or None at the end."""
    now_actor = current(tx, actor, svc.now)
    channel = readable_channel(tx, now_actor, channel_id)
    name = read_topic(topic, tx.organization.get().empty_topic_display_name)
    mine = tx.subscriptions.find(actor.user_id, channel.id)
    periods = () if mine is None else mine.periods
    if after is None and tx.messages.newest_in_topic(channel.id, topic_key(name), periods) is None:
        raise BadRequest(f"No such topic '{name}'")
    in_topic = {"operator": "topic", "operand": name}
    found = next(_unread(svc, tx, now_actor, [_in_channel(channel), in_topic], after), ())
    if found:
        _mark(tx, now_actor, found)
    return found[-1] if len(found) == BATCH else None


def mark_channel_as_read(svc: Services, actor: Actor, channel_id: int) -> None:
    """Everything unread in a channel becomes read.

    :raises BadRequest: no such channel for the actor
    """

    def write(tx: Transaction) -> None:
        now_actor = current(tx, actor, svc.now)
        channel = readable_channel(tx, now_actor, channel_id)
        batches = list(_unread(svc, tx, now_actor, [_in_channel(channel)]))
        for message_ids in batches:
            _announce(tx, actor, message_ids)
        if batches:
            tx.flags.read_all([actor.user_id], [channel.id], tx.log.head())

    svc.storage.write(write)


def mark_all_as_read(svc: Services, actor: Actor) -> None:
    """Everything unread becomes read: watermarks move, so it costs the same for any number of messages."""

    def write(tx: Transaction) -> None:
        current(tx, actor, svc.now)
        subscriptions = tx.subscriptions.of_user(actor.user_id)
        recipients: list[RecipientId] = [
            channel_id for channel_id, mine in subscriptions.items() if mine.active
        ]
        recipients += [talk.conversation_id for talk in tx.conversations.of_user(actor.user_id)]
        tx.flags.read_all([actor.user_id], recipients, tx.log.head())
        tx.announce(FlagsChanged(flag="read", op="add", messages=(), all=True), Users((actor.user_id,)))

    svc.storage.write(write)


Term = Mapping[str, object]


def mark_unread_as_read(svc: Services, tx: Transaction, actor: Actor, terms: Sequence[Term]) -> None:
    """Everything unread of a narrow becomes read."""
    for message_ids in _unread(svc, tx, actor, terms):
        _mark(tx, actor, message_ids)


def _mark(tx: Transaction, actor: Actor, message_ids: Sequence[MessageId]) -> None:
    tx.flags.set(actor.user_id, tx.messages.outlines(message_ids), Flag.READ)
    _announce(tx, actor, message_ids)


def _in_channel(channel: Channel) -> Term:
    return {"operator": "channel", "operand": channel.id}


def _unread(
    svc: Services, tx: Transaction, actor: Actor, terms: Sequence[Term], after: MessageId | None = None
) -> Iterator[Sequence[MessageId]]:
    """The unread messages of a narrow, ascending, in batches; those *after* one where it is given."""
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


def _announce(tx: Transaction, actor: Actor, message_ids: Sequence[MessageId]) -> None:
    tx.announce(FlagsChanged(flag="read", op="add", messages=tuple(message_ids)), Users((actor.user_id,)))
