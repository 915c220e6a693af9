"""Changes of addresses that were confirmed by a link in a mail to the new address."""

from chatcore.application import units
from chatcore.application.arguments import NetworkAddress
from chatcore.application.invitations.links import follow
from chatcore.application.mail import confirming, outbox
from chatcore.application.people.identity import change_address
from chatcore.application.people.settings import require_may_change_address
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, require_open
from chatcore.domain.invitations.invitations import NoSuchLink
from chatcore.domain.mail.confirmations import Confirmation, Proof
from chatcore.domain.mail.mails import MailKind, is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.people.users import User


def look_at_new_address(svc: Services, token: str, *, network_address: NetworkAddress = "") -> str:
    """Return the new address that the link with a token confirms.

    :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key since
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    confirmation, _ = follow(svc, _find_confirmation, token, network_address)
    return confirmation.email


def confirm_new_address(svc: Services, token: str, *, network_address: NetworkAddress = "") -> str:
    """Change the address of the link's account, notify the old address by mail, and return the new one.

    :raises NoSuchLink: as `look_at_new_address` does
    :raises BadRequest: the address is taken or refused by the organization meanwhile, or may not be changed
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    look_at_new_address(svc, token, network_address=network_address)
    return units.write(svc, _confirm_address, token)


def _confirm_address(unit: Unit, token: str) -> str:
    require_open(unit)
    if (confirmed := _find_confirmation(unit, token)) is None:
        raise NoSuchLink
    confirmation, user = confirmed
    actor = unit.tx.users.actors([user.id], unit.now)[user.id]
    require_may_change_address(unit.tx, actor)
    changed = change_address(unit, user, confirmation.email)
    unit.tx.confirmations.remove(confirmation.token_hash)
    if is_mailable(ascii_address(user.email)):
        outbox.put(unit, MailKind.ADDRESS_CHANGED, user.email, new=changed.email)
    return changed.email


def _find_confirmation(view: View, token: str) -> tuple[Confirmation, User] | None:
    return confirming.find_with_account(view, Proof.ADDRESS, token)
