"""Flags of messages, which differ between readers, and watermarks."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.unread import UnreadMessages


class Flags(Protocol):
    """Flags of readers, derived from periods, watermarks, message facts and sparse rows."""

    def of(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        subscriptions: Mapping[ChannelId, Subscription],
    ) -> Mapping[MessageId, Flag]:
        """Return the flags of those messages that are in the reader's history: received, or added later.

        Other messages appear with `domain.messages.flags.NEVER_RECEIVED` to users who may read them.
        """

    def set(
        self,
        user_id: UserId,
        messages: Sequence[Message],
        flag: Flag,
        *,
        historical: Collection[MessageId] = (),
    ) -> None:
        """Set *flag* on messages, none of which has it.

        Messages in *historical* were never received; this adds them to the reader's history, as read ones.
        They count as read before, so it is never the flag "read" that adds them.
        """

    def clear(self, user_id: UserId, messages: Sequence[Message], flag: Flag) -> None:
        """Clear *flag* on messages that have it."""

    def on_arrival(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        """Store the flags of a new message that do not follow from rules: mentions, alert words, read."""

    def on_arrivals(self, arrived: Sequence[tuple[Message, Mapping[UserId, Flag]]]) -> None:
        """Store the flags of many new messages at once, each as `on_arrival` does."""

    def keep_unread(self, message: Message, user_ids: Collection[UserId]) -> None:
        """Make a message that arrives read unread for these users. They receive it and have not muted its
        sender.
        """

    def readers(self, message: Message) -> frozenset[UserId]:
        """Return the users with flags of a message: those who received it or have it as historical."""

    def of_readers(self, message: Message, user_ids: Collection[UserId]) -> Mapping[UserId, Flag]:
        """Return the flags of one message by reader, of those of the users who have it in their history."""

    def on_edit(self, message: Message, flags: Mapping[UserId, Flag]) -> None:
        """Replace the flags that follow from the text (`domain.messages.flags.OF_TEXT`): these readers get
        them, all others lose them. All of these readers must have the message in their history.
        """

    def mark_all_read(
        self, user_ids: Collection[UserId], recipient_ids: Collection[RecipientId], to: Position
    ) -> None:
        """Mark everything up to *to* in these channels and conversations as read for those users."""

    def mark_mentions_of_bots_read(
        self,
        *,
        user_ids: Collection[UserId] | None = None,
        channel_ids: Collection[ChannelId] | None = None,
    ) -> None:
        """Mark messages that mentioned a bot without a subscription as read: for some bots or all, in some
        channels or all.
        """

    def pass_over_muted(self, user_id: UserId) -> None:
        """Advance watermarks past messages that were read on arrival, where nothing before them is unread.

        No flag changes. Call it occasionally for users who have muted somebody: nobody marks the messages of
        muted senders as read, so they would slow down every search for unread messages.
        """

    def unread(
        self, user_id: UserId, subscriptions: Mapping[ChannelId, Subscription], limit: int
    ) -> UnreadMessages:
        """Return the newest unread messages, at most *limit*; those in channels only if the user is
        subscribed.
        """

    def maybe_unread(
        self, user_ids: Collection[UserId], channel_id: ChannelId, message_ids: Collection[MessageId]
    ) -> Mapping[UserId, MessageId]:
        """Return those of the users for whom any of these messages in the channel may be unread; each with an
        id before which none of these is. Only some of the messages from there on may be unread, or none: no
        message is looked at. Users who have read all of the channel are left out.
        """

    def with_flag(self, user_id: UserId, flag: Flag, limit: int) -> Sequence[MessageId]:
        """Return the newest messages with *flag*, which rows store, ascending, at most *limit*."""

    def keepers(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        """Return, by message, the users who have it in their history without having received it; messages
        without such users are omitted.
        """

    def starred_by(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, frozenset[UserId]]:
        """Return, by message, the users who have starred it; messages without such users are omitted."""

    def historical_channels(self, user_id: UserId) -> frozenset[ChannelId]:
        """Return the channels of messages that are in the reader's history without having been received."""
