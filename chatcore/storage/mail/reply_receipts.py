"""Receipts of mails by which people answer mails, kept for a while, so that each posts one message."""

from typing import Protocol

from chatcore.domain.ids import UserId


class ReplyReceipts(Protocol):
    def has(self, user_id: UserId, key: str) -> bool:
        """Whether the person's mail was received."""

    def count(self, user_id: UserId, since: int) -> int:
        """Return the number of mails that the person has sent after a time."""

    def add(self, user_id: UserId, key: str, now: int, forget_before: int) -> None:
        """Add a mail, and remove all that were received before a time."""
