"""Changes of addresses that were confirmed by a link in a mail to the new address."""

from chatcore.application.invitations.links import followed
from chatcore.application.mail import confirming, outbox
from chatcore.application.people.identity import change_address
from chatcore.application.people.settings import require_may_change_address
from chatcore.application.services import Services
from chatcore.application.units import require_open
from chatcore.domain.invitations.invitations import NoSuchLink
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.mail.mails import MailKind, is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.storage import Snapshot, Transaction


def look_at_new_address(svc: Services, token: str, *, network_address: str = "") -> str:
    """Return the new address that a link confirms, which was followed from *network_address*.

    :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key since
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated:
    """

    def find(snapshot: Snapshot) -> str | None:
        found = confirming.find_with_account(svc, snapshot, Proof.ADDRESS, token)
        return None if found is None else found[0].email

    return followed(svc, network_address, find)


def confirm_new_address(svc: Services, token: str, *, network_address: str = "") -> str:
    """Change the address of the link's account, notify the old address by mail, and return the new one.

    :raises NoSuchLink: as `look_at_new_address` does
    :raises BadRequest: the address is taken or refused by the organization meanwhile, or may not be changed
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated:
    """
    look_at_new_address(svc, token, network_address=network_address)

    def write(tx: Transaction) -> str:
        require_open(tx)
        found = confirming.find_with_account(svc, tx, Proof.ADDRESS, token)
        if found is None:
            raise NoSuchLink
        confirmation, user = found
        actor = tx.users.actors([user.id], svc.now)[user.id]
        require_may_change_address(tx, actor)
        changed = change_address(svc, tx, user, confirmation.email)
        tx.confirmations.remove(confirmation.token_hash)
        if is_mailable(ascii_address(user.email)):
            outbox.put(svc, tx, MailKind.ADDRESS_CHANGED, user.email, new=changed.email)
        return changed.email

    return svc.storage.write(write)
