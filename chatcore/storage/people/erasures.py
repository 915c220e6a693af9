"""People who are being erased, and what is to be found and changed for that."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from chatcore.domain.ids import AuditId, MessageId, UserId
from chatcore.domain.people.erasure import Erasure


class Texts(StrEnum):
    """The stored texts, beside messages, in which people can be mentioned."""

    EDITS = "edits"
    """Earlier versions of messages."""
    SCHEDULED = "scheduled"
    """Messages that wait for their time."""


class StoredText(NamedTuple):
    """A text with its HTML, by the id of its row."""

    id: int
    content: str
    html: str
    message_id: MessageId | None
    """The message of which it is an earlier version."""


class IdsToSearch(NamedTuple):
    """The ids among which rows are looked for: above the first, and up to the second; so many at most."""

    after: int
    until: int
    limit: int


class Erasures(Protocol):
    def find(self, user_id: int) -> Erasure | None: ...

    def unfinished(self) -> Sequence[Erasure]:
        """Return the erasures that are not done, by the id of the account."""

    def put(self, erasure: Erasure) -> None:
        """Store an erasure, in place of the one of the same account."""

    def remove_rows(self, user_id: UserId, limit: int) -> int:
        """Remove up to *limit* rows that are the account's alone; return how many there were."""

    def forget_addresses(self, emails: Collection[str]) -> None:
        """Remove what is about these addresses, in any spelling: mails to them, mails that name one, links in
        mails to them, and invitations of others to them.
        """

    def expire_uploads(self, owner_id: UserId) -> None:
        """Let unfinished uploads of an account expire at once."""

    def messages_of(self, sender_id: UserId, within: IdsToSearch) -> Sequence[MessageId]:
        """Return messages that an account has sent, ascending."""

    def messages_with(self, html: str, within: IdsToSearch) -> Sequence[MessageId]:
        """Return messages whose HTML contains a text, ascending."""

    def texts_with(self, texts: Texts, html: str, within: IdsToSearch) -> Sequence[StoredText]:
        """Return texts whose HTML contains a text, by ascending id."""

    def last_text(self, texts: Texts) -> int:
        """Return the highest id of such a text, 0 without any."""

    def change_text(self, texts: Texts, changed: StoredText) -> None: ...

    def empty_audit(self, addresses_of: Collection[AuditId], names_of: Collection[AuditId]) -> None:
        """Empty entries of the audit log: of the network address, and of names and e-mail addresses."""
