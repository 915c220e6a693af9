"""Mails that wait to be sent, and the addresses to which mails can be sent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import MailId
from chatcore.domain.mail_addresses import DOMAIN

NOT_STORED: Final = MailId(0)
"""The id before a mail is stored."""
PAUSES: Final = (60, 300, 1800, 7200, 21_600, 43_200, 86_400)
"""Seconds after each failed attempt until the next one; after the last of them the mail is given up."""
MAX_ATTEMPTS: Final = len(PAUSES) + 1
"""Attempts at a mail, with those that ended without any result."""


class MailKind(StrEnum):
    """The kinds of mails. `chatcore.application.mail.texts` has the texts of all but `MISSED` and `DIGEST`,
    which are composed when they are sent.
    """

    INVITATION = "invitation"
    JOIN = "join"
    NEW_ADDRESS = "new_address"
    ADDRESS_CHANGED = "address_changed"
    NEW_PASSWORD = "new_password"
    NEW_LOGIN = "new_login"
    MISSED = "missed"
    DIGEST = "digest"


SENT_IN_MASSES: Final = frozenset({MailKind.INVITATION, MailKind.MISSED, MailKind.DIGEST})
"""Kinds of which there can be many at once; for a mail of another kind somebody waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail that waits. *facts* are the words of its text; from *nonce* its link is derived, so that the
    store holds no link. All attempts have the same *message_key*.
    """

    id: MailId = NOT_STORED
    message_key: str
    recipient: str
    kind: MailKind
    facts: Mapping[str, str] = field(default_factory=dict)
    nonce: str | None = None
    written_at: int
    due: int
    attempts: int = 0
    """Attempts that have begun."""

    @property
    def is_urgent(self) -> bool:
        return self.kind not in SENT_IN_MASSES


_IN_LINKS = re.compile(r"([.:/@])(?=[^\s.:/@])")


def without_links(name: str) -> str:
    """Return a name that somebody has chosen, for a mail to strangers: their programs make no link of a part.

    A space follows each sign that an address needs, as in 'J. R. Fox'.
    """
    return _IN_LINKS.sub(r"\1 ", name)


_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_ADDRESS: Final = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{DOMAIN}")
MAX_LOCAL_PART: Final = 64


def is_mailable(email: str) -> bool:
    """Whether mails can be sent to an address: it is ASCII without quotes, as all mail servers accept it, and
    so it cannot be anything else in a header or a command.
    """
    return bool(_ADDRESS.fullmatch(email)) and len(email) <= 254 and email.index("@") <= MAX_LOCAL_PART


def require_mailable(email: str) -> None:
    """Check that mails can be sent to an address.

    :raises BadRequest:
    """
    if not is_mailable(email):
        raise BadRequest("No mail can be sent to this address.")
