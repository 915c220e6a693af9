"""Unread messages of a reader, grouped by topic and conversation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.viewer import Viewer

_MENTIONED, _WILDCARD = int(Flag.MENTIONED), int(Flag.WILDCARD)


class UnreadMessage(msgspec.Struct, frozen=True, gc=False):
    """Place and flags of an unread message. There can be very many, so they cost no garbage collection."""

    id: MessageId
    channel_id: ChannelId | None
    topic: str
    topic_key: str | None
    user_ids: frozenset[UserId]
    """The participants of a direct message."""
    flags: int
    """A `Flag`, as a number."""


@dataclass(frozen=True, slots=True)
class UnreadTopic:
    """Unread messages of one topic, ascending; `topic` is spelled as in the first of them."""

    channel_id: ChannelId
    topic: str
    is_muted: bool
    message_ids: list[MessageId] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class UnreadConversation:
    """Unread direct messages of one conversation, ascending; `user_ids` includes the reader."""

    user_ids: frozenset[UserId]
    message_ids: list[MessageId] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Unread:
    """Unread messages of a reader.

    `count` leaves out muted topics. `mentions` are messages that mention the reader; in muted topics, those
    by name only. `is_complete` is false if there are older ones, which are neither listed nor counted.
    """

    count: int
    mentions: Sequence[MessageId]
    topics: Sequence[UnreadTopic]
    conversations: Sequence[UnreadConversation]
    is_complete: bool


def group_unread(messages: Iterable[UnreadMessage], viewer: Viewer, *, is_complete: bool) -> Unread:
    """Group the unread messages of the viewer, which are ascending."""
    count = 0
    mentions: list[MessageId] = []
    topics: dict[tuple[ChannelId, str], UnreadTopic] = {}
    conversations: dict[frozenset[UserId], UnreadConversation] = {}
    for message in messages:
        muted = False
        if message.channel_id is None or message.topic_key is None:
            people = message.user_ids
            if (conversation := conversations.get(people)) is None:
                conversation = conversations[people] = UnreadConversation(people)
            conversation.message_ids.append(message.id)
        else:
            key = (message.channel_id, message.topic_key)
            if (topic := topics.get(key)) is None:
                topic = topics[key] = UnreadTopic(key[0], message.topic, viewer.has_muted(*key))
            topic.message_ids.append(message.id)
            muted = topic.is_muted
        count += not muted
        if message.flags & _MENTIONED or (message.flags & _WILDCARD and not muted):
            mentions.append(message.id)
    in_order = [topics[key] for key in sorted(topics)]
    return Unread(count, mentions, in_order, list(conversations.values()), is_complete)
