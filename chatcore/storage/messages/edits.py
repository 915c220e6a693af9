"""Editing, moving and deleting messages."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.messages import Brief, Edit, Message


class Destination(NamedTuple):
    """The destination of a move; a channel or topic that stays is None."""

    channel_id: ChannelId | None
    topic: str | None
    topic_links: Sequence[Mapping[str, str]] = ()
    """Links in the new topic, if there is one."""


class Edits(Protocol):
    def change_content(self, message: Message, words: Sequence[str]) -> None:
        """Store the text of a message and the facts about it, findable by the *words* of its content."""

    def note(self, message_id: MessageId, edit: Edit) -> None:
        """Add an edit to the history of a message."""

    def note_move(self, message_ids: Collection[MessageId], edit: Edit, to: Destination) -> None:
        """Add a move to the history of messages before they are moved: *edit*, with the current and the new
        place of each.
        """

    def with_more_edits(self, message_ids: Collection[MessageId], than: int) -> Collection[MessageId]:
        """Return those of the messages that have more edits."""

    def has_longer_texts(self, message_id: MessageId, than: int) -> bool:
        """Whether a message has several edits, and their previous texts and HTML have more characters than
        that together; a single edit is never folded, however long.
        """

    def fold_oldest(self, message_ids: Collection[MessageId]) -> None:
        """Merge the two oldest edits of each message into one that holds the state before both."""

    def of_topic(
        self, channel_id: ChannelId, topic_key: str, *, since: MessageId | None = None, most: int
    ) -> Sequence[Brief]:
        """Return the messages of a topic, ascending, optionally starting at one, and at most so many."""

    def newest_of_topic(
        self, channel_id: ChannelId, topic_key: str, count: int, *, before: MessageId | None = None
    ) -> Sequence[MessageId]:
        """Return the newest messages of a topic, ascending; optionally only those *before* one."""

    def move(self, messages: Sequence[Brief], to: Destination, *, at: Position, moved_at: int | None) -> None:
        """Move messages of one channel to another place, findable there by the words of its topic.

        If it is another channel, they have arrived there *at* that position. *moved_at* None leaves the time
        of the last move of each unchanged.
        """

    def move_flags(
        self,
        message_ids: Collection[MessageId],
        from_channel: ChannelId,
        to_channel: ChannelId,
        *,
        keeping: Collection[UserId],
    ) -> None:
        """Update the flags of messages that are about to be moved; call this before the move.

        Subscribers of the new channel keep all of their flags, and messages that were unread for them stay
        unread; for its other readers the messages count as read. Users in *keeping* may read them there
        without a subscription and keep what they have starred or collapsed. All others lose their flags.
        """

    def marked_by(self, message_ids: Collection[MessageId]) -> frozenset[UserId]:
        """Return the users who have marked any of the messages: starred or collapsed it."""

    def remove(self, message_ids: Collection[MessageId]) -> None:
        """Delete messages with all their data. Files that they link to stay."""
