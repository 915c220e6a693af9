"""Events about messages that become read, for clients, which keep them as unread until they are told.

Messages become read without their reader's doing in a channel that the reader leaves or that is archived, and
by moves. Then only people with an event queue are told, before the change: others read their state anew, and
lists for very many people would be long. `application.events.queues` looks after clients that register
meanwhile.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from chatcore.application.units import Unit
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.events.audience import Users
from chatcore.events.happened import (
    AnyEvent,
    ChannelsDeleted,
    ChannelUpdated,
    FlagsChanged,
    MessageEdited,
    Unreadable,
    Unsubscribed,
)
from chatcore.storage import Transaction
from chatcore.storage.slices import in_slices

BATCH = 500
"""Maximum number of messages in one event, and of those that one of several steps changes while other writers
wait.
"""


def announce_read(tx: Transaction, user_ids: Sequence[UserId], message_ids: Sequence[MessageId]) -> None:
    """Notify users that messages, at most `BATCH`, are read for them."""
    tx.announce(FlagsChanged(flag="read", op="add", messages=tuple(message_ids)), Users(tuple(user_ids)))


def announce_read_in(unit: Unit, places: Mapping[UserId, Collection[ChannelId]]) -> None:
    """Notify users of the messages that are still unread for them in these channels, and are about to become
    read: as many of the newest as a registration lists.
    """
    unread: dict[UserId, Sequence[MessageId]] = {}
    for user_id in in_slices(sorted(unit.tx.queues.owners_among(places))):
        channel_ids = frozenset(places[user_id])
        all_subscriptions = unit.tx.subscriptions.of_user(user_id)
        subscriptions = {key: value for key, value in all_subscriptions.items() if key in channel_ids}
        topics = unit.tx.flags.unread(user_id, subscriptions, unit.limits.max_unread_in_register).topics
        by_topic = [ids for (channel_id, _), (_, ids) in topics.items() if channel_id in channel_ids]
        unread[user_id] = sorted(chain.from_iterable(by_topic))
    _announce_each(unit.tx, unread)


def announce_read_by_move(
    unit: Unit,
    user_ids: Collection[UserId],
    channel_id: ChannelId,
    message_ids: Sequence[MessageId],
) -> None:
    """Notify users that messages in the channel, which were unread for them, become read by a move: each of
    the newest ones, as many as a registration lists. *message_ids* are ascending.

    Only users of event queues who may have unread ones are looked at, since others cannot write meanwhile.
    """
    unread: dict[UserId, Sequence[MessageId]] = {}
    if first := unit.tx.flags.maybe_unread(unit.tx.queues.owners_among(user_ids), channel_id, message_ids):
        messages = unit.tx.messages.outlines(message_ids[bisect_left(message_ids, min(first.values())) :])
        for user_id in in_slices(sorted(first)):
            later = messages[bisect_left(messages, first[user_id], key=attrgetter("id")) :]
            flags = unit.tx.flags.of(user_id, later, unit.tx.subscriptions.of_user(user_id))
            unread_ids = [message_id for message_id, mine in flags.items() if not mine & Flag.READ]
            unread[user_id] = unread_ids[-unit.limits.max_unread_in_register :]
    _announce_each(unit.tx, unread)


def _announce_each(tx: Transaction, unread: Mapping[UserId, Sequence[MessageId]]) -> None:
    """Announce what becomes read for each of the users, in batches that are counted from the newest message:
    most people have read up to somewhere, so that many share these batches.
    """
    together: defaultdict[tuple[MessageId, ...], list[UserId]] = defaultdict(list)
    for user_id, message_ids in unread.items():
        ascending = sorted(message_ids)
        for end in range(len(ascending), 0, -BATCH):
            together[tuple(ascending[max(end - BATCH, 0) : end])].append(user_id)
    for batch in sorted(together):
        announce_read(tx, together[batch], batch)


def makes_read(event: AnyEvent | Unreadable) -> bool:
    """Whether messages may have become read together with the event, without their reader's doing."""
    match event:
        case Unsubscribed() | ChannelsDeleted():
            return True
        case ChannelUpdated():
            return event.property == "is_archived"
        case MessageEdited():
            return event.new_channel_id is not None
        case _:
            return False


TYPES = frozenset(event.type for event in (Unsubscribed, ChannelsDeleted, ChannelUpdated, MessageEdited))
"""The types of the events for which `makes_read` can hold."""
