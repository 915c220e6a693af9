"""Links in mails that end mails of their kind (RFC 8058), for whoever has the mail."""

from enum import StrEnum
from typing import Final

from chatcore.application import units
from chatcore.application.channels.subscription_settings import switch_off
from chatcore.application.people.settings import change_settings
from chatcore.application.services import Services
from chatcore.application.signing import sign, signed_text
from chatcore.application.units import Unit, View
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import UserId
from chatcore.domain.people.devices import LOGIN_MAILS
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.digests import DIGESTS
from chatcore.domain.sent_mail.missed import MAILS

PURPOSE: Final = "unsubscribe"


class MailList(StrEnum):
    """The kinds of mails that a person can end."""

    MISSED = "missed"
    LOGINS = "logins"
    DIGESTS = "digests"


WORDS: Final = {
    MailList.MISSED: "mails about missed messages",
    MailList.LOGINS: "mails about logins from new devices",
    MailList.DIGESTS: "summaries by mail after a long absence",
}
SETTINGS: Final = {
    MailList.MISSED: MAILS.switches,
    MailList.LOGINS: (LOGIN_MAILS,),
    MailList.DIGESTS: (DIGESTS,),
}
"""The settings that are off without mails of a kind."""


def unsubscribe_link(svc: Services, user_id: UserId, mails: MailList) -> str:
    """Return the link by which a person gets no more mails of a kind; it does not end."""
    return f"{svc.settings.external_url}/unsubscribe/{sign(svc, PURPOSE, f'{user_id} {mails}')}"


def unsubscribe_headers(link: str) -> dict[str, str]:
    """Return the headers by which mail programs offer to end mails of a kind."""
    return {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def look_at_unsubscribing(svc: Services, token: str) -> str:
    """Return the words for the mails that the link with this token ends; it changes nothing.

    :raises BadRequest: the link was not made by this server, or its account is gone
    """
    _, mails = units.read(svc, _read_token, token)
    return WORDS[mails]


def unsubscribe(svc: Services, token: str) -> str:
    """Switch off the mails of a link's kind for the link's person; return the words for these mails. A second
    call changes nothing.

    :raises BadRequest: as `look_at_unsubscribing` does
    """
    return units.write(svc, _end_mails, token)


def _end_mails(unit: Unit, token: str) -> str:
    user, mails = _read_token(unit, token)
    change_settings(unit, user, dict.fromkeys(SETTINGS[mails], False))
    if mails is MailList.MISSED:
        switch_off(unit, user.id, MAILS.of_channel)
    return WORDS[mails]


def _read_token(view: View, token: str) -> tuple[User, MailList]:
    """Return the person and the kind of mails of a link."""
    user_id, _, mails = (signed_text(view.svc, PURPOSE, token) or "").partition(" ")
    user = view.snapshot.users.find(int(user_id)) if user_id else None
    if user is None or not user.is_active:
        raise BadRequest("This link is not valid.")
    return user, MailList(mails)
