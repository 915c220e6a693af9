"""Messages, conversations, and finding messages by a narrow."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.channels import Channel
from chatcore.domain.ids import ChannelId, ConversationId, MessageId, RecipientId, UserId
from chatcore.domain.messages import Message
from chatcore.domain.narrow.terms import Narrow
from chatcore.domain.recipients import DirectRecipient
from chatcore.domain.viewer import Viewer


class Found(NamedTuple):
    """The matching ids around an anchor, at most as many as asked for: each list nearest first."""

    before: Sequence[MessageId]
    at_anchor: bool
    after: Sequence[MessageId]


class Messages(Protocol):
    def find(self, message_id: int) -> Message | None: ...

    def by_ids(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        """Those of the messages that exist, by ascending id."""

    def outlines(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        """The same without texts, reactions and edits, for who asks only where messages are."""

    def sizes(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, int]:
        """About how many bytes each of them takes in an answer, with all that is shown beside it."""

    def newest_id(self) -> MessageId | None:
        """The highest id of any message."""

    def add(self, message: Message, words: Sequence[str]) -> None:
        """Store a message under the id that was drawn, findable by its topic and the *words* of its text."""

    def add_many(self, messages: Sequence[tuple[Message, Sequence[str]]]) -> None:
        """The same for many at once."""

    def newest_in_topic(
        self, channel_id: ChannelId, topic_key: str, received_by: UserId | None
    ) -> MessageId | None:
        """The newest message of a topic; with *received_by*, of those that arrived while that user was
        subscribed.
        """

    def newest_in_topics(
        self, channel_id: ChannelId, topic_keys: Collection[str], received_by: UserId | None
    ) -> Mapping[str, MessageId]:
        """The same for some topics of a channel, by key; those without a message are left out."""

    def participants(self, channel_id: ChannelId, topic_key: str) -> frozenset[UserId]:
        """Who has sent to or reacted in a topic."""

    def newest_from(self, recipient_id: RecipientId, sender_id: UserId, limit: int) -> Sequence[MessageId]:
        """The latest *limit* messages that somebody has sent there, newest first."""

    def newest_in(
        self, channel_ids: Collection[ChannelId], limit: int, *, since: int = 0
    ) -> Sequence[MessageId]:
        """The latest *limit* messages of these channels together, newest first, without those that were sent
        before *since*. In each channel only its latest *limit* messages are looked at.
        """

    def topics(self, channel_id: ChannelId, received_by: UserId | None) -> Sequence[tuple[str, MessageId]]:
        """Each topic's newest name and message id, newest first; *received_by* as in `newest_in_topic`."""


class MessageSearch(Protocol):
    """Messages by narrow. The candidates are those of the API: personal history, or the full history
    of channels where the narrow asks for it (`domain.narrow.history`); access is part of the query."""

    def around(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        *,
        anchor: int,
        before: int,
        after: int,
        with_anchor: bool = True,
    ) -> Found:
        """The *before* nearest ids below the anchor, the *after* above it, and whether it matches itself."""

    def among(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        message_ids: Collection[MessageId],
    ) -> Sequence[MessageId]:
        """Which of the messages the narrow lets through, ascending; candidates or not."""


class Conversations(Protocol):
    def find(self, user_ids: frozenset[UserId]) -> DirectRecipient | None: ...

    def get_or_add(self, user_ids: frozenset[UserId]) -> DirectRecipient: ...

    def by_ids(
        self, conversation_ids: Collection[ConversationId]
    ) -> Mapping[ConversationId, DirectRecipient]: ...

    def of_user(self, user_id: UserId) -> Sequence[DirectRecipient]:
        """Every conversation the user is in."""

    def has_messages(self, conversation_id: ConversationId) -> bool: ...

    def recent(self, user_id: UserId, limit: int) -> Sequence[tuple[DirectRecipient, MessageId]]:
        """Conversations with their newest message, newest first, among the latest *limit* messages."""
