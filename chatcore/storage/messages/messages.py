"""Messages, conversations, and searches by narrow."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import ChannelId, ConversationId, MessageId, RecipientId, UserId
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.terms import Narrow


class FoundIds(NamedTuple):
    """The matching ids around an anchor, at most as many as requested: each list nearest first."""

    before: Sequence[MessageId]
    at_anchor: bool
    after: Sequence[MessageId]


class Revision(NamedTuple):
    """One state of a message. Its number is random: it is drawn anew with every change of the message, its
    reactions, edits or submessages.
    """

    number: int
    size: int
    """The approximate bytes of the message in an answer, with everything sent along with it."""
    message: Message | None = None
    """The message, if the store remembers it."""


class Messages(Protocol):
    def find(self, message_id: int) -> Message | None: ...

    def by_ids(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        """Return those of the messages that exist, by ascending id."""

    def outlines(self, message_ids: Collection[MessageId]) -> Sequence[Message]:
        """Return the existing messages by ascending id, without texts, reactions and edits."""

    def revisions(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, Revision]:
        """Return the present revisions of those of the messages that exist."""

    def of_revisions(self, revisions: Mapping[MessageId, Revision]) -> Sequence[Message]:
        """Return the messages by ascending id; *revisions* are those that `revisions` has returned in this
        transaction.
        """

    def newest_id(self) -> MessageId | None:
        """Return the highest id of any message."""

    def add(self, message: Message, words: Sequence[str]) -> None:
        """Store a message under its drawn id, findable by its topic and the *words* of its text."""

    def add_many(self, messages: Sequence[tuple[Message, Sequence[str]]]) -> None:
        """Store many messages at once, each as `add` does."""

    def newest_in_topic(
        self, channel_id: ChannelId, topic_key: str, received_by: UserId | None
    ) -> MessageId | None:
        """Return the newest message of a topic; with *received_by*, only of those that arrived while that
        user was subscribed.
        """

    def newest_in_topics(
        self, channel_id: ChannelId, topic_keys: Collection[str], received_by: UserId | None
    ) -> Mapping[str, MessageId]:
        """Return the newest messages of topics, by key, as `newest_in_topic` does for one; topics without
        messages are omitted.
        """

    def participants(self, channel_id: ChannelId, topic_key: str) -> frozenset[UserId]:
        """Return the users who have sent messages or reacted in a topic."""

    def newest_from(self, recipient_id: RecipientId, sender_id: UserId, limit: int) -> Sequence[MessageId]:
        """Return the latest *limit* messages of a sender to this recipient, newest first."""

    def newest_in(
        self, channel_ids: Collection[ChannelId], limit: int, *, since: int = 0
    ) -> Sequence[MessageId]:
        """Return the latest *limit* messages of these channels together, newest first, without those sent
        before *since*. Only the latest *limit* messages of each channel are examined.
        """

    def topics(self, channel_id: ChannelId, received_by: UserId | None) -> Sequence[tuple[str, MessageId]]:
        """Return the newest name and message id of each topic, newest first;
        *received_by* as in `newest_in_topic`.
        """


class MessageSearch(Protocol):
    """Search for messages by narrow. The candidates are those of the API: personal history, or the full
    history of channels if the narrow asks for it (`domain.narrow.history`); access is part of the query.
    """

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
    ) -> FoundIds:
        """Return up to *before* ids of matching messages nearest below the anchor and *after* above it, and
        whether the anchor itself matches.
        """

    def among(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        message_ids: Collection[MessageId],
    ) -> Sequence[MessageId]:
        """Return those of the messages that match the narrow, ascending; they need not be candidates."""


class Conversations(Protocol):
    def find(self, user_ids: frozenset[UserId]) -> DirectRecipient | None: ...

    def get_or_add(self, user_ids: frozenset[UserId]) -> DirectRecipient: ...

    def by_ids(
        self, conversation_ids: Collection[ConversationId]
    ) -> Mapping[ConversationId, DirectRecipient]: ...

    def of_user(self, user_id: UserId) -> Sequence[DirectRecipient]:
        """Return every conversation of the user."""

    def has_messages(self, conversation_id: ConversationId) -> bool: ...

    def recent(self, user_id: UserId, limit: int) -> Sequence[tuple[DirectRecipient, MessageId]]:
        """Return conversations with their newest message, newest first, among the latest *limit* messages."""
