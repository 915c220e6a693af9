"""Sending the mails that wait, by whichever process comes first.

A process claims a mail in one unit of work, sends it, and removes it in another. A mail that a killed process
has claimed is due again when that attempt must be over; so none is lost, and at most the one that was being
sent is sent twice, with the same Message-ID.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from math import inf
from typing import TYPE_CHECKING, Final, Protocol

from chatcore.application import units
from chatcore.application.due import run_due
from chatcore.application.mail import transport
from chatcore.application.mail.outbox import link
from chatcore.application.mail.texts import WORDINGS
from chatcore.application.mail.transport import MailRefused
from chatcore.application.sent_mail.composing import compose_digest, compose_missed
from chatcore.application.sent_mail.unsubscribing import MailList, unsubscribe_headers, unsubscribe_link
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.attempts import pause_after
from chatcore.domain.characters import isolate
from chatcore.domain.ids import UserId
from chatcore.domain.mail.mails import MAX_ATTEMPTS, PAUSES, Mail, MailKind
from chatcore.runtime.measures import MAILS
from chatcore.storage import StorageNotReady

if TYPE_CHECKING:
    from email.message import EmailMessage

log = logging.getLogger("chatcore.mail")


class Composed(Protocol):
    """The words of a mail that is composed when it is sent."""

    @property
    def subject(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str: ...


COMPOSED: Final[Mapping[MailKind, Callable[[View, Mail], tuple[Composed, dict[str, str]] | None]]] = {
    MailKind.MISSED: compose_missed,
    MailKind.DIGEST: compose_digest,
}
"""Functions that return what a mail of a kind says, and its further headers; None if there is no reason any
more to send it. `WORDINGS` has the texts of all other kinds.
"""


def send_due(svc: Services) -> float:
    """Send all mails that are due; return the seconds until one is due again, infinity if none waits.

    After `Chat.deliver_on_time` this happens by itself.
    """
    if not svc.settings.sends_mail:
        return inf

    def work(first: Mail) -> None:
        if (mail := units.write(svc, _claim_mail, first)) is not None:
            _send_mail(svc, mail)

    def longest(mail: Mail) -> float:
        return max(transport.longest_attempt(svc.settings), pause_after(PAUSES, mail.attempts or 1) or 0)

    return run_due(svc, svc.alarms.mail, lambda snapshot: snapshot.mails.first_due(svc.now), work, longest)


def _claim_mail(unit: Unit, first: Mail) -> Mail | None:
    """Put the mail off while it is sent; None if another process has claimed it.

    :raises StorageNotReady: the secret, from which its link is made, was replaced meanwhile
    """
    units.find_with_secret(unit)
    if unit.tx.mails.find(first.id) != first:
        return None
    until = unit.now + transport.longest_attempt(unit.svc.settings)
    unit.tx.mails.put_off(first.id, due=until, attempts=first.attempts + 1)
    return unit.tx.mails.find(first.id)


def _send_mail(svc: Services, mail: Mail) -> None:
    """Send a mail and remove it; if that fails, put it off or give it up."""
    if mail.attempts > MAX_ATTEMPTS:
        log.warning(
            "mail %d (%s) is given up after %d attempts that had no end", mail.id, mail.kind, MAX_ATTEMPTS
        )
        svc.measures.add(MAILS, 1, "given_up")
        units.write(svc, _remove_mail, mail)
        return
    outcome = "given_up"
    try:
        message = _message_of(svc, mail)
        if message is None:
            outcome = "outdated"
        else:
            transport.deliver(svc.settings, message, mail.recipient, mail.message_key)
            outcome = "sent"
    except MailRefused as error:
        log.warning("mail %d (%s) is given up: %s", mail.id, mail.kind, error)
    except StorageNotReady:
        raise
    except Exception as error:
        # Only class and code of the error: its text may name the recipient.
        what = f"{type(error).__name__} {getattr(error, 'smtp_code', '')}".strip()
        if (pause := pause_after(PAUSES, mail.attempts)) is not None:
            log.warning("mail %d (%s) is tried again in %d s: %s", mail.id, mail.kind, pause, what)
            svc.measures.add(MAILS, 1, "failed")
            units.write(svc, _put_off_mail, mail, pause)
            return
        log.warning("mail %d (%s) is given up after %d attempts: %s", mail.id, mail.kind, mail.attempts, what)
    svc.measures.add(MAILS, 1, outcome)
    units.write(svc, _remove_mail, mail)


def _remove_mail(unit: Unit, mail: Mail) -> None:
    """Remove a mail that was sent or given up, unless it has waited anew with another link since."""
    present = unit.tx.mails.find(mail.id)
    if present is not None and present.nonce == mail.nonce:
        unit.tx.mails.remove(mail.id)


def _put_off_mail(unit: Unit, mail: Mail, pause: int) -> None:
    """Put a mail off, unless another process has it now."""
    if unit.tx.mails.find(mail.id) == mail:
        unit.tx.mails.put_off(mail.id, due=unit.now + pause, attempts=mail.attempts)


def _message_of(svc: Services, mail: Mail) -> "EmailMessage | None":
    """Return a mail with its headers; None if there is no reason any more to send it. The library refuses
    line ends in headers, and encodes everything else.
    """
    if mail.kind not in COMPOSED:
        wording, facts = WORDINGS[mail.kind], dict(mail.facts)
        if mail.nonce is not None:
            facts["link"] = link(svc, wording.path, mail.nonce)
        headers = {}
        if mail.kind is MailKind.NEW_LOGIN:
            facts["unsubscribe"] = unsubscribe_link(svc, UserId(int(mail.facts["user"])), MailList.LOGINS)
            headers = unsubscribe_headers(facts["unsubscribe"])
        message = _begin(svc, mail, wording.subject.format(**facts), headers)
        message.set_content(wording.text.format(**{name: isolate(fact) for name, fact in facts.items()}))
        return message
    composed = units.read(svc, COMPOSED[mail.kind], mail)
    if composed is None:
        return None
    says, headers = composed
    message = _begin(svc, mail, says.subject, headers)
    message.set_content(says.text)
    message.add_alternative(says.html, subtype="html")
    return message


def _begin(svc: Services, mail: Mail, subject: str, headers: Mapping[str, str]) -> "EmailMessage":
    """Return a mail without a text."""
    from email.headerregistry import Address
    from email.message import EmailMessage
    from email.utils import format_datetime

    from chatcore.application.sent_mail.policy import MAIL

    message = EmailMessage(policy=MAIL)
    message["From"] = Address(_one_line(mail.facts["organization"]), addr_spec=svc.settings.sender)
    message["To"] = Address(addr_spec=mail.recipient)
    message["Subject"] = _one_line(subject)
    message["Date"] = format_datetime(datetime.fromtimestamp(mail.written_at, UTC))
    message["Message-ID"] = f"<{mail.message_key}@{svc.settings.sender.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    for name, value in headers.items():
        message[name] = value
    return message


def _one_line(text: str) -> str:
    """Return a text without line ends and other control characters, as headers need it."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())
