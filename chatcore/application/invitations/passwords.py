"""New passwords for people who have forgotten theirs, by a link in a mail."""

from chatcore.application.invitations.links import count_mail, followed
from chatcore.application.mail import confirming, outbox
from chatcore.application.people import login_attempts
from chatcore.application.people.credentials import store_password
from chatcore.application.people.passwords import hashed, require_passwords
from chatcore.application.services import Services
from chatcore.application.units import require_open
from chatcore.domain.invitations.invitations import NoSuchLink
from chatcore.domain.mail.confirmations import Confirmation, Proof
from chatcore.domain.mail.mails import is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.people.users import User
from chatcore.domain.rate_limits import PASSWORD_RESET_FORM_BY_EMAIL
from chatcore.storage import Snapshot, Transaction

MAX_LENGTH = 254


def ask_for_new_password(svc: Services, email: str, *, network_address: str = "") -> None:
    """Send a mail with a link to a new password, if an active account of a person has this address. The
    caller does not learn whether one has.

    :raises NoMail: the server sends no mail
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many mails to the address, or because of requests from *network_address*
    """
    outbox.require_mail(svc)
    svc.storage.read(require_passwords)
    wanted = email.strip()[:MAX_LENGTH]
    count_mail(svc, PASSWORD_RESET_FORM_BY_EMAIL, wanted, network_address)
    if not is_mailable(ascii_address(wanted)):  # may also be no text that a store takes
        return

    def write(tx: Transaction) -> None:
        require_open(tx)
        user = tx.users.find_by_email(wanted)
        if user is not None and user.is_active and not user.is_bot and is_mailable(ascii_address(user.email)):
            confirming.ask(svc, tx, Proof.PASSWORD, user.email, user=user)

    svc.storage.write(write)


def look_at_account(svc: Services, token: str, *, network_address: str = "") -> str:
    """Return the address of the account whose password a link can change, which was followed from a network
    *address*.

    :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key or address
        since
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated:
    """

    def find(snapshot: Snapshot) -> str | None:
        found = _found(svc, snapshot, token)
        return None if found is None else found[1].email

    return followed(svc, network_address, find)


def choose_password(svc: Services, token: str, password: str, *, network_address: str = "") -> None:
    """Set the password of the link's account; its API key and its sessions end.

    :raises NoSuchLink: as `look_at_account` does
    :raises BadRequest: an invalid password
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated:
    """
    look_at_account(svc, token, network_address=network_address)
    password_hash = hashed(svc, password)

    def write(tx: Transaction) -> None:
        require_open(tx)
        require_passwords(tx)
        found = _found(svc, tx, token)
        if found is None:
            raise NoSuchLink
        confirmation, user = found
        tx.confirmations.remove(confirmation.token_hash)
        store_password(svc, tx, user, password_hash)
        login_attempts.forgive(tx, user.email)
        login_attempts.proved(tx, user.id)

    svc.storage.write(write)


def _found(svc: Services, snapshot: Snapshot, token: str) -> tuple[Confirmation, User] | None:
    found = confirming.find_with_account(svc, snapshot, Proof.PASSWORD, token)
    return None if found is None or found[0].email != found[1].email else found
