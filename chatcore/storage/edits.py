"""Changing, moving and removing messages that were sent."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages import Brief, Edit, Message


class Place(NamedTuple):
    """Where messages are moved to; a channel or topic that stays is None."""

    channel_id: ChannelId | None
    topic: str | None
    topic_links: Sequence[Mapping[str, str]] = ()
    """Those of the topic, where there is a new one."""


class Edits(Protocol):
    def change_content(self, message: Message, words: Sequence[str]) -> None:
        """Store the text of a message and the facts about it, findable by the *words* of its content."""

    def note(self, message_id: MessageId, edit: Edit) -> None:
        """Keep what a message was before a change."""

    def note_move(self, message_ids: Collection[MessageId], edit: Edit, to: Place) -> None:
        """Keep what messages are before they are moved: *edit* with where each of them is, and will be."""

    def with_more_edits(self, message_ids: Collection[MessageId], than: int) -> Collection[MessageId]:
        """Those of the messages that have more edits."""

    def has_longer_texts(self, message_id: MessageId, than: int) -> bool:
        """Whether a message has several edits, whose texts from before them are longer together."""

    def fold_oldest(self, message_ids: Collection[MessageId]) -> None:
        """Of each of the messages, keep one edit instead of its two oldest: what was before both of them."""

    def of_topic(
        self, channel_id: ChannelId, topic_key: str, *, since: MessageId | None = None
    ) -> Sequence[Brief]:
        """The messages of a topic, ascending, from one on where it is given."""

    def newest_of_topic(
        self, channel_id: ChannelId, topic_key: str, count: int, *, before: MessageId | None = None
    ) -> Sequence[MessageId]:
        """The newest messages of a topic, ascending; of those *before* one where it is given."""

    def move(self, messages: Sequence[Brief], to: Place, *, at: Position, moved_at: int | None) -> None:
        """Put messages of one channel elsewhere, findable there by the words of its topic.

        They have arrived there *at* that position, if it is another channel. *moved_at* None leaves the time
        at which each was moved last.
        """

    def move_flags(
        self,
        message_ids: Collection[MessageId],
        from_channel: ChannelId,
        to_channel: ChannelId,
        *,
        keeping: Collection[UserId],
    ) -> None:
        """The flags of messages that are being moved; to be called before they are.

        Who is subscribed to the new channel keeps them all, read or not; for everybody else there the
        messages are read. *keeping* may read them there without being subscribed, and keep what they have
        starred or collapsed. All others lose their flags.
        """

    def kept_by(self, message_ids: Collection[MessageId]) -> frozenset[UserId]:
        """Who has starred or collapsed any of the messages."""

    def remove(self, message_ids: Collection[MessageId]) -> None:
        """Delete messages, with all that there is of them. Files that they link to stay."""
