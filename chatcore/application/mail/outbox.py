"""Writing mails, in the unit of work of the change that causes them; and the tokens of links.

The store holds no link: it has the nonce of each, from which only the server's secret makes the token, and
the hash of the token, by which it is looked up.
"""

import hashlib
import secrets
from typing import Final

from chatcore.application.services import Services
from chatcore.application.signing import link_token
from chatcore.application.units import Unit, View
from chatcore.domain.errors import ChatError
from chatcore.domain.mail.mails import Mail, MailKind, require_mailable
from chatcore.domain.mail_addresses import ascii_address

NONCE_BYTES: Final = 16
KEY_BYTES: Final = 16


class NoMail(ChatError):
    """The server sends no mail, which this request needs."""

    code = "MAIL_DISABLED"

    def __init__(self, instead: str = "") -> None:
        super().__init__(f"This server sends no mail.{instead and ' '}{instead}")


def require_mail(svc: Services, instead: str = "") -> None:
    """Check that the server sends mails; *instead* says what else can be done.

    :raises NoMail:
    """
    if not svc.settings.sends_mail:
        raise NoMail(instead)


def new_link(svc: Services, path: str) -> tuple[str, str]:
    """Return the nonce of a new link with this beginning of its path, and the hash of its token."""
    nonce = secrets.token_hex(NONCE_BYTES)
    return nonce, token_hash(link_token(svc, path, nonce))


def token_hash(token: str) -> str:
    """Return the hash of a token in hexadecimal digits, by which the store finds its link."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def link(svc: Services, path: str, nonce: str, organization_url: str | None = None) -> str:
    """Return the link with this nonce, at the URL by which a client has connected, if given."""
    return f"{organization_url or svc.settings.external_url}/{path}/{link_token(svc, path, nonce)}"


def put(unit: Unit, /, kind: MailKind, to: str, *, nonce: str | None = None, **facts: str) -> None:
    """Write a mail, which is sent once the unit of work is stored.

    :raises BadRequest: no mail can be sent to this address
    """
    recipient = ascii_address(to)
    require_mailable(recipient)
    unit.tx.mails.add(
        Mail(
            message_key=secrets.token_hex(KEY_BYTES),
            recipient=recipient,
            kind=kind,
            facts={**_facts_about_organization(unit), **facts},
            nonce=nonce,
            written_at=unit.now,
            due=unit.now,
        )
    )


def _facts_about_organization(view: View) -> dict[str, str]:
    return {"organization": view.snapshot.organization.get().name, "address": view.svc.settings.external_url}
