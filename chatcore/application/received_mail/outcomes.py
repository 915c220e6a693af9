"""The answer to a mail server about a mail or an address: accepted, refused, or to be tried again."""

import logging
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from chatcore.application.received_mail.posting import MailTooLarge
from chatcore.application.received_mail.receiving import (
    NoSuchLetterbox,
    receive_mail,
    require_letterbox,
)
from chatcore.application.received_mail.replies import receive_reply, require_reply_place
from chatcore.application.services import Services
from chatcore.domain.channels.email_addresses import MAX_LENGTH
from chatcore.domain.errors import ChatError, RateLimited
from chatcore.domain.mail_addresses import ascii_domain
from chatcore.domain.received_mail.reply_addresses import is_reply_address
from chatcore.storage import StorageNotReady

log = logging.getLogger("chatcore.mail")


class DeliveryOutcome(Enum):
    """Each with its reply code, its enhanced status code (RFC 3463), and the exit code of a command
    (sysexits.h).
    """

    TAKEN = (250, "2.0.0", 0)
    UNKNOWN_ADDRESS = (550, "5.1.1", 67)
    TOO_LARGE = (552, "5.3.4", 69)
    NOT_TAKEN = (550, "5.7.1", 69)
    TRY_AGAIN = (451, "4.3.0", 75)

    @property
    def exit_code(self) -> int:
        _, _, exit_code = self.value
        return exit_code


class Result(NamedTuple):
    outcome: DeliveryOutcome
    reason: str

    @property
    def reply(self) -> str:
        """Return the line of the protocol of mail servers."""
        code, status, _ = self.outcome.value
        words = " ".join(self.reason.encode("ascii", "replace").decode().split())
        return f"{code} {status} {words}"


LATER = Result(DeliveryOutcome.TRY_AGAIN, "Mail cannot be taken just now")


OrganizationAt = Callable[[str], Services | None]
"""Returns the organization at a host, or None; raises a StorageNotReady if that cannot be used now."""


def outcome_of_address(organization_at: OrganizationAt, address: str) -> Result:
    """Say whether mail to the address is taken by the organization at its host."""
    return _try_address(organization_at, address, None)


def outcome_of_mail(organization_at: OrganizationAt, address: str, data: bytes) -> Result:
    """Post a mail in the channel or conversation of its address, and say what became of it."""
    return _try_address(organization_at, address, data)


def _try_address(organization_at: OrganizationAt, address: str, data: bytes | None) -> Result:
    """Take a mail; without *data*, only look whether the address takes mails. Errors become results."""
    try:
        host = ascii_domain(address[:MAX_LENGTH].rpartition("@")[2]).lower()
        svc = organization_at(host)
        if svc is None:
            raise NoSuchLetterbox
        is_reply = is_reply_address(address)
        if data is None:
            (require_reply_place if is_reply else require_letterbox)(svc, address)
            return Result(DeliveryOutcome.TAKEN, "OK")
        posted = (receive_reply if is_reply else receive_mail)(svc, address, data)
        return Result(DeliveryOutcome.TAKEN, "OK" if posted else "Dropped")
    except NoSuchLetterbox as error:
        return Result(DeliveryOutcome.UNKNOWN_ADDRESS, error.message)
    except MailTooLarge as error:
        return Result(DeliveryOutcome.TOO_LARGE, error.message)
    except RateLimited as error:
        return Result(DeliveryOutcome.TRY_AGAIN, error.message)
    except ChatError as error:
        return Result(DeliveryOutcome.NOT_TAKEN, error.message)
    except StorageNotReady as error:
        log.warning("mail cannot be taken: %s", error)
        return LATER
    except Exception:
        log.exception("a mail could not be taken")
        return LATER
