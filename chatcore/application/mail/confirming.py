"""Mails with a link that proves that their reader reads the mail of an address."""

from collections.abc import Mapping
from typing import Final

from chatcore.application.mail import outbox
from chatcore.application.services import Services
from chatcore.domain.ids import InvitationId
from chatcore.domain.mail.confirmations import LIFETIMES, Confirmation, Proof
from chatcore.domain.mail.mails import MailKind
from chatcore.domain.people.users import User
from chatcore.storage import Snapshot, Transaction

MAILS: Final[Mapping[Proof, MailKind]] = {
    Proof.JOIN: MailKind.JOIN,
    Proof.ADDRESS: MailKind.NEW_ADDRESS,
    Proof.PASSWORD: MailKind.NEW_PASSWORD,
}


def ask(
    svc: Services,
    tx: Transaction,
    proof: Proof,
    email: str,
    *,
    user: User | None = None,
    invitation_id: InvitationId | None = None,
) -> None:
    """Write a mail with a new link; links of the same proof for the account or the address end.

    :raises BadRequest: no mail can be sent to this address
    """
    tx.confirmations.forget_expired(svc.now)
    if user is None:
        tx.confirmations.remove_of_address(proof, email)
    else:
        tx.confirmations.remove_of_user(proof, user.id)
    nonce, token_hash = outbox.new_link(svc, proof)
    tx.confirmations.add(
        Confirmation(
            token_hash=token_hash,
            proof=proof,
            nonce=nonce,
            email=email,
            user_id=None if user is None else user.id,
            key_version=0 if user is None else user.key_version,
            invitation_id=invitation_id,
            expires_at=svc.now + LIFETIMES[proof],
        )
    )
    outbox.put(svc, tx, MAILS[proof], email, nonce=nonce)


def find(svc: Services, snapshot: Snapshot, proof: Proof, token: str) -> Confirmation | None:
    """Return what a link of this proof confirms, if the link is valid."""
    found = snapshot.confirmations.find(outbox.token_hash(token))
    return None if found is None or found.proof != proof or svc.now >= found.expires_at else found


def find_with_account(
    svc: Services, snapshot: Snapshot, proof: Proof, token: str
) -> tuple[Confirmation, User] | None:
    """Return what a link confirms, and its account; None also if the account is deactivated, or has another
    key than when the link was made.
    """
    found = find(svc, snapshot, proof, token)
    if found is None or found.user_id is None:
        return None
    user = snapshot.users.find(found.user_id)
    if user is None or not user.is_active or user.key_version != found.key_version:
        return None
    return found, user
