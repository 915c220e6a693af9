"""Unread messages of a reader, grouped by topic and conversation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.viewer import Viewer


@dataclass(frozen=True, slots=True)
class UnreadMessages:
    """The ids of unread messages by their places, ascending in each."""

    topics: Mapping[tuple[ChannelId, str], tuple[str, list[MessageId]]]
    """By channel and key of the topic: the topic, spelled as in its first unread message, and the ids."""
    conversations: Mapping[frozenset[UserId], list[MessageId]]
    """By all people of the conversation; the one with the oldest unread message comes first."""
    naming: Collection[MessageId] = ()
    """Ids of messages that mention the reader by name, or by a group."""
    to_all: Collection[MessageId] = ()
    """Ids of messages that mention everybody in the channel, topic or conversation."""

    @property
    def message_ids(self) -> list[MessageId]:
        """All of them, ascending."""
        in_topics = (ids for _, ids in self.topics.values())
        return sorted(chain(*in_topics, *self.conversations.values()))


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


def unread_for(viewer: Viewer, messages: UnreadMessages, *, limit: int) -> Unread:
    """Return the unread messages of the viewer, topics by channel and key; *limit* have been looked for."""
    topics = [
        UnreadTopic(channel_id, topic, viewer.has_muted(channel_id, key), message_ids)
        for (channel_id, key), (topic, message_ids) in sorted(messages.topics.items())
    ]
    conversations = [UnreadConversation(people, ids) for people, ids in messages.conversations.items()]
    count = sum(len(one.message_ids) for one in topics) + sum(len(one.message_ids) for one in conversations)
    muted = [topic.message_ids for topic in topics if topic.is_muted]
    to_all = set(messages.to_all)
    if to_all:
        to_all.difference_update(*muted)
    return Unread(
        count=count - sum(map(len, muted)),
        mentions=sorted(to_all.union(messages.naming)),
        topics=topics,
        conversations=conversations,
        is_complete=count < limit,
    )
