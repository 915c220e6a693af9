"""Receipts of mails that became messages, kept for a while, so that a mail that comes again posts nothing.

They are kept for each channel that has an address, and for each person who answers by mail.
"""

from typing import Protocol, TypeVar

HolderId = TypeVar("HolderId", contravariant=True)
"""A channel that receives mails, or a person who sends them."""


class Receipts(Protocol[HolderId]):
    def has(self, holder_id: HolderId, key: str) -> bool:
        """Whether the holder has a receipt of the mail."""

    def count(self, holder_id: HolderId, since: int) -> int:
        """Return the number of the holder's mails that were received after a time."""

    def add(self, holder_id: HolderId, key: str, now: int, forget_before: int) -> None:
        """Add a mail, and remove all receipts, of whomever, from before a time."""
