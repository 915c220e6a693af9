"""Removing messages, with the consequences for their readers and their channel."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.application.delivery import file_links
from chatcore.application.units import Unit
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.channels.channels import Activity, Channel
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag, flags_as_sent
from chatcore.domain.messages.messages import Message
from chatcore.domain.retention.holds import require_not_held
from chatcore.events.audience import Audience, Users, channel_viewers
from chatcore.events.happened import ChannelUpdated, FlagsChanged, MessagesDeleted
from chatcore.storage import Transaction


def announce_first_messages(
    unit: Unit, channels: Sequence[Channel], before: Mapping[ChannelId, Activity]
) -> None:
    """Announce those of the channels whose first message is no longer the one *before*."""
    after = unit.tx.channels.activities(channels, unit.now)
    for channel in channels:
        first = after[channel.id].first_message_id
        if first != before[channel.id].first_message_id:
            event = ChannelUpdated(
                channel_id=channel.id, name=channel.name, property="first_message_id", value=first
            )
            unit.tx.announce(event, channel_viewers(channel))


def remove_messages(
    unit: Unit,
    messages: Sequence[Message],
    channel: Channel | None,
    *,
    also: Collection[UserId] = (),
) -> None:
    """Remove messages of one channel or conversation and notify their readers, and the users in *also*, who
    deleted them.

    :raises MustBeKept: one of them is held
    """
    tx = unit.tx
    require_not_held(tx.holds.present(), messages)
    ids = [message.id for message in messages]
    by_topic: defaultdict[str | None, list[Message]] = defaultdict(list)
    for message in messages:
        by_topic[message.topic_key].append(message)
    # Found while the messages exist; a topic is named as its last message writes it.
    audiences_by_topic = [
        (part[-1].topic, audiences_of(tx, channel, part, also=also, names_keepers=True))
        for part in by_topic.values()
    ]
    announce_stars_gone(tx, tx.flags.starred_by(ids))
    file_links.release(unit, ids)
    channels = [] if channel is None else [channel]
    before = tx.channels.activities(channels, unit.now)
    tx.edits.remove(ids)
    channel_id = None if channel is None else channel.id
    for topic, audiences in audiences_by_topic:
        for message_ids, audience in audiences:
            announce_deleted(tx, message_ids, audience, channel_id=channel_id, topic=topic)
    announce_first_messages(unit, channels, before)


def remove_everywhere(unit: Unit, messages: Sequence[Message]) -> None:
    """Remove messages of any channels and conversations; otherwise as `remove_messages`.

    :raises MustBeKept: one of them is held
    """
    by_recipient: defaultdict[RecipientId, list[Message]] = defaultdict(list)
    for message in messages:
        by_recipient[message.recipient_id].append(message)
    channel_ids = {message.channel_id for message in messages if message.channel_id is not None}
    channels = unit.tx.channels.by_ids(channel_ids)
    for part in by_recipient.values():
        channel_id = part[0].channel_id
        remove_messages(unit, part, None if channel_id is None else channels[channel_id])


def announce_deleted(
    tx: Transaction,
    message_ids: Sequence[MessageId],
    audience: Audience,
    *,
    channel_id: ChannelId | None,
    topic: str,
) -> None:
    event = MessagesDeleted(message_ids=tuple(message_ids), channel_id=channel_id, topic=topic)
    tx.announce(event, audience)


def announce_stars_gone(tx: Transaction, starred: Mapping[MessageId, Collection[UserId]]) -> None:
    """Announce that messages are no longer starred, to the users who had starred them.

    A star outlives access to the message, so its owner may not be notified of anything else about the
    message.
    """
    (name,) = flags_as_sent(Flag.STARRED)
    by_users: defaultdict[tuple[UserId, ...], list[MessageId]] = defaultdict(list)
    for message_id, user_ids in sorted(starred.items()):
        by_users[tuple(sorted(user_ids))].append(message_id)
    for users, message_ids in by_users.items():
        if users:
            tx.announce(FlagsChanged(flag=name, op="remove", messages=tuple(message_ids)), Users(users))
