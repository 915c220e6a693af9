"""Mails with a link that proves that their reader reads the mail of an address."""

from collections.abc import Mapping
from typing import Final

from chatcore.application.mail import outbox
from chatcore.application.units import Unit, View
from chatcore.domain.ids import InvitationId
from chatcore.domain.mail.confirmations import LIFETIMES, Confirmation, Proof
from chatcore.domain.mail.mails import MailKind
from chatcore.domain.people.users import User

MAILS: Final[Mapping[Proof, MailKind]] = {
    Proof.JOIN: MailKind.JOIN,
    Proof.ADDRESS: MailKind.NEW_ADDRESS,
    Proof.PASSWORD: MailKind.NEW_PASSWORD,
}


def ask(
    unit: Unit,
    proof: Proof,
    email: str,
    *,
    user: User | None = None,
    invitation_id: InvitationId | None = None,
) -> None:
    """Write a mail with a new link; links of the same proof for the account or the address end.

    :raises BadRequest: no mail can be sent to this address
    """
    confirmations = unit.tx.confirmations
    confirmations.forget_expired(unit.now)
    if user is None:
        confirmations.remove_of_address(proof, email)
    else:
        confirmations.remove_of_user(proof, user.id)
    nonce, token_hash = outbox.new_link(unit.svc, proof)
    confirmations.add(
        Confirmation(
            token_hash=token_hash,
            proof=proof,
            nonce=nonce,
            email=email,
            user_id=None if user is None else user.id,
            key_version=0 if user is None else user.key_version,
            invitation_id=invitation_id,
            expires_at=unit.now + LIFETIMES[proof],
        )
    )
    outbox.put(unit, MAILS[proof], email, nonce=nonce)


def find(view: View, proof: Proof, token: str) -> Confirmation | None:
    """Return what a link of this proof confirms, if the link is valid."""
    confirmation = view.snapshot.confirmations.find(outbox.token_hash(token))
    if confirmation is None or confirmation.proof != proof or view.now >= confirmation.expires_at:
        return None
    return confirmation


def find_with_account(view: View, proof: Proof, token: str) -> tuple[Confirmation, User] | None:
    """Return what a link confirms, and its account; None also if the account is deactivated, or has another
    key than when the link was made.
    """
    confirmation = find(view, proof, token)
    if confirmation is None or confirmation.user_id is None:
        return None
    user = view.snapshot.users.find(confirmation.user_id)
    if user is None or not user.is_active or user.key_version != confirmation.key_version:
        return None
    return confirmation, user
