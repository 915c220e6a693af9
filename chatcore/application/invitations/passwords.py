"""New passwords for people who have forgotten theirs, by a link in a mail."""

from chatcore.application import units
from chatcore.application.arguments import NetworkAddress
from chatcore.application.invitations.links import count_mail, follow
from chatcore.application.mail import confirming, outbox
from chatcore.application.people import login_attempts
from chatcore.application.people.credentials import store_password
from chatcore.application.people.passwords import (
    check_passwords_enabled,
    hash_of_password,
    require_passwords,
)
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, require_open
from chatcore.domain.invitations.invitations import NoSuchLink
from chatcore.domain.mail.confirmations import Confirmation, Proof
from chatcore.domain.mail.mails import is_mailable
from chatcore.domain.mail_addresses import ascii_address
from chatcore.domain.people.users import User
from chatcore.domain.rate_limits import PASSWORD_RESET_FORM_BY_EMAIL

MAX_LENGTH = 254


def ask_for_new_password(svc: Services, email: str, *, network_address: NetworkAddress = "") -> None:
    """Send a mail with a link to a new password, if an active account of a person has this address. The
    caller does not learn whether one has.

    :raises NoMail: the server sends no mail
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many mails to the address, or because of requests from one network
    """
    outbox.require_mail(svc)
    check_passwords_enabled(svc)
    wanted = email.strip()[:MAX_LENGTH]
    count_mail(svc, PASSWORD_RESET_FORM_BY_EMAIL, wanted, network_address)
    if not is_mailable(ascii_address(wanted)):  # may also be no text that a store takes
        return
    units.write(svc, _ask_holder, wanted)


def _ask_holder(unit: Unit, email: str) -> None:
    """Put the mail into the outbox, if an active account of a person has the address."""
    require_open(unit)
    user = unit.tx.users.find_by_email(email)
    if user is not None and user.is_active and not user.is_bot and is_mailable(ascii_address(user.email)):
        confirming.ask(unit, Proof.PASSWORD, user.email, user=user)


def look_at_account(svc: Services, token: str, *, network_address: NetworkAddress = "") -> str:
    """Return the address of the account whose password the link with a token can change.

    :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key or address
        since
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    return follow(svc, _find_email, token, network_address)


def _find_email(view: View, token: str) -> str | None:
    if (confirmed := _find_confirmation(view, token)) is None:
        return None
    require_passwords(view.snapshot)
    _, user = confirmed
    return user.email


def choose_password(
    svc: Services, token: str, password: str, *, network_address: NetworkAddress = ""
) -> None:
    """Set the password of the link's account; its API key and its sessions end.

    :raises NoSuchLink: as `look_at_account` does
    :raises BadRequest: an invalid password
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    look_at_account(svc, token, network_address=network_address)
    units.write(svc, _replace_password, token, hash_of_password(svc, password))


def _replace_password(unit: Unit, token: str, password_hash: str) -> None:
    require_open(unit)
    require_passwords(unit.tx)
    if (confirmed := _find_confirmation(unit, token)) is None:
        raise NoSuchLink
    confirmation, user = confirmed
    unit.tx.confirmations.remove(confirmation.token_hash)
    store_password(unit, user, password_hash)
    login_attempts.forgive(unit.tx, user.email)
    login_attempts.forget_failed_proofs(unit, user.id)


def _find_confirmation(view: View, token: str) -> tuple[Confirmation, User] | None:
    """Return what a link confirms, and its account; None also if the account has another address since."""
    confirmed = confirming.find_with_account(view, Proof.PASSWORD, token)
    if confirmed is None:
        return None
    confirmation, user = confirmed
    return confirmed if confirmation.email == user.email else None
