"""Flags, computed from what `flags` has read: rows, watermarks and subscriptions; and from the message."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.storage.slices import in_slices
from storage_backends.sql.messages.flag_rows import HISTORICAL, IN_ROWS
from storage_backends.sql.messages.unread import is_read
from storage_backends.sql.messages.watermarks import READ_FOR_EVER, watermark_without_row

# Plain numbers, computed once: enumerations are slow for thousands of rows.
_IN_ROWS, _WILDCARD, _READ = int(IN_ROWS), int(Flag.CHANNEL_WILDCARD), int(Flag.READ)
_as_flag = cache(Flag)

BEFORE_ALL, AFTER_ALL = Position(0), Position(READ_FOR_EVER)
"""Positions before and after those of all messages."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader, with the facts from which the flags of some messages follow."""

    user_id: UserId
    subscriptions: Mapping[ChannelId, Subscription]
    bits: Mapping[MessageId, int]
    watermarks: Mapping[RecipientId, int]
    muted: Collection[MessageId]
    """The messages whose sender the reader had muted."""

    def flags_of(self, messages: Sequence[Message]) -> dict[MessageId, Flag]:
        """Return the flags of those of the messages that are in the reader's history; all are of one
        recipient.
        """
        first, flags = messages[0], {}
        since = self._receives_since(first)
        watermark = self.watermarks.get(first.recipient_id, watermark_without_row(first))
        bits, muted = self.bits, self.muted
        for message in in_slices(messages):
            message_id = message.id
            if (
                message_id >= since
                and message_id not in bits
                and message_id not in muted
                and message.arrived_at is None
                and not message.arrives_read
                and not message.channel_wildcard
            ):
                # Of nearly all messages, the watermark alone says whether they are read.
                flags[message_id] = Flag.READ if message_id <= watermark else Flag.NONE
                continue
            mine = flags_from(
                message,
                bits.get(message_id, 0),
                watermark,
                received=self._has_received(message),
                has_arrived_unread=self._has_arrived_unread(message),
            )
            if mine is not None:
                flags[message_id] = mine
        return flags

    def _receives_since(self, message: Message) -> Position:
        """Return the position from which on the reader has received whatever was sent to the recipient of a
        message.
        """
        if message.channel_id is None:
            return BEFORE_ALL if self._has_received(message) else AFTER_ALL
        subscription = self.subscriptions.get(message.channel_id)
        if subscription is None or not subscription.periods:
            return AFTER_ALL
        last = subscription.periods[-1]
        return last.start if last.until is None else AFTER_ALL

    def _has_received(self, message: Message) -> bool:
        if message.channel_id is None:
            return message.conversation is not None and self.user_id in message.conversation.user_ids
        subscription = self.subscriptions.get(message.channel_id)
        return subscription is not None and subscription.has_received(message.arrived)

    def _has_arrived_unread(self, message: Message) -> bool:
        """Whether the message counts as unread until the reader reads it. One that was moved from another
        channel does so only for those who received the messages of that channel when it was moved.
        """
        if message.arrives_read or message.id in self.muted:
            return False
        if message.moved_from is None:
            return True
        before = self.subscriptions.get(message.moved_from)
        return before is not None and before.has_received(message.arrived)


def flags_from(
    message: Message, bits: int, watermark: int, *, received: bool, has_arrived_unread: bool
) -> Flag | None:
    """Return one reader's flags, or None if the message is not in the reader's history.

    *bits* are those of the reader's row, 0 without one; *watermark* is that of the message's recipient.
    """
    flags = bits & _IN_ROWS
    if not received and not flags & HISTORICAL:
        return None
    if message.channel_wildcard and not flags & HISTORICAL:
        flags |= _WILDCARD
    if is_read(message, bits, watermark, has_arrived_unread=has_arrived_unread):
        flags |= _READ
    return _as_flag(flags)
