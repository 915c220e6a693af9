"""Mails that wait to be sent."""

from typing import Protocol

from chatcore.domain.ids import MailId
from chatcore.domain.mail.mails import Mail, MailKind


class Mails(Protocol):
    def find(self, mail_id: MailId) -> Mail | None: ...

    def first_due(self, now: int) -> Mail | None:
        """Return the mail to send next: the first one of the urgent mails that are due, or else of all.

        Cheap enough to be called every second.
        """

    def count(self) -> int: ...

    def count_to(self, recipient: str, kind: MailKind) -> int:
        """Return the number of mails of a kind that wait for an address."""

    def add(self, mail: Mail) -> Mail:
        """Store it; return it with its id."""

    def put_off(self, mail_id: MailId, *, due: int, attempts: int) -> None: ...

    def remove(self, mail_id: MailId) -> bool:
        """Remove a mail; return whether it existed."""
