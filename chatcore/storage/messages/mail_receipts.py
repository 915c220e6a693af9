"""Receipts of mails to channels, kept for a while, so that a second delivery of a mail posts nothing."""

from typing import Protocol

from chatcore.domain.ids import ChannelId


class MailReceipts(Protocol):
    def has(self, channel_id: ChannelId, key: str) -> bool:
        """Whether the channel has received the mail."""

    def count(self, channel_id: ChannelId, since: int) -> int:
        """Return the number of mails that the channel has received after a time."""

    def add(self, channel_id: ChannelId, key: str, now: int, forget_before: int) -> None:
        """Add a mail, and remove all that were received before a time."""
