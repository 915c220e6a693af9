"""The texts of mails: plain, short, and in one place. Those about missed messages and summaries have more
parts (`chatcore.domain.sent_mail`).

The words in braces are the facts of a mail; `{link}` is made when the mail is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from chatcore.domain.mail.mails import MailKind


@dataclass(frozen=True, slots=True)
class Wording:
    subject: str
    text: str
    path: str = ""
    """The beginning of the link's path; empty for a mail without a link."""


_IGNORE = "If you did not expect this mail, ignore it: nothing happens then."

WORDINGS: Final[Mapping[MailKind, Wording]] = {
    MailKind.INVITATION: Wording(
        "{inviter} has invited you to {organization}",
        "{inviter} has invited you to join {organization}, a team chat at {address}.\n\n"
        f"To join, follow this link:\n\n{{link}}\n\n{_IGNORE}\n",
        "join",
    ),
    MailKind.JOIN: Wording(
        "Join {organization}",
        "Somebody, probably you, wants to join {organization} at {address} with this address.\n\n"
        f"To join, follow this link within a day:\n\n{{link}}\n\n{_IGNORE}\n",
        "join",
    ),
    MailKind.NEW_ADDRESS: Wording(
        "Confirm your new address for {organization}",
        "Somebody, probably you, wants to use this address for an account of {organization} at {address}.\n\n"
        f"To confirm it, follow this link within a day:\n\n{{link}}\n\n{_IGNORE}\n",
        "confirm",
    ),
    MailKind.ADDRESS_CHANGED: Wording(
        "Your address for {organization} has changed",
        "The address of your account of {organization} at {address} has changed. The new one is {new}.\n\n"
        "If you did not do this, write to an administrator of the organization.\n",
    ),
    MailKind.NEW_PASSWORD: Wording(
        "Choose a new password for {organization}",
        "Somebody, probably you, has forgotten the password of your account of {organization} at"
        f" {{address}}.\n\nTo choose a new one, follow this link within an hour:\n\n{{link}}\n\n{_IGNORE}\n",
        "reset",
    ),
    MailKind.NEW_LOGIN: Wording(
        "New login to {organization}",
        "Somebody, probably you, has logged in to your account of {organization} at {address} from a device"
        " that is new here:\n\n{device}\n\nIf it was not you, choose a new password: that ends"
        " all logins.\n\nNo more such mails: {unsubscribe}\n",
    ),
}
