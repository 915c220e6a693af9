"""Replacing the secret of the organization: everything that was derived from the old one ends."""

from dataclasses import replace
from typing import Final

from chatcore.application import units
from chatcore.application.mail import outbox
from chatcore.application.queue_closing import close_queues
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.errors import ChatcoreError
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.mail.mails import Mail
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.api_keys import secret_fingerprint

END_OF_TIME: Final = 2**40
"""Seconds since 1970 that are later than any time in the store."""


class SecretReplaced(ChatcoreError):
    """Another process has replaced the secret since these services were opened; nothing was changed."""


def replace_secret(svc: Services, secret: bytes) -> Services:
    """Replace the secret, all or nothing; return the services with the new one.

    All API keys, sessions of browsers and links change or end, and all event queues: an old secret, with a
    copy of the database, gives access to nothing. Passwords stay. Processes that still have the old secret
    refuse all requests (see `units.is_open`).

    :raises SecretReplaced: the organization has another secret than these services
    """
    renewed = replace(svc, settings=replace(svc.settings, secret_key=secret))
    units.write(renewed, _store_fingerprint, secret_fingerprint(svc.settings.secret_key))
    return renewed


def _store_fingerprint(unit: Unit, old: str) -> None:
    tx = unit.tx
    organization = tx.organization.get()
    if organization.secret_fingerprint not in ("", old):
        raise SecretReplaced("The secret was replaced meanwhile; nothing was changed.")
    fingerprint = secret_fingerprint(unit.svc.settings.secret_key)
    tx.organization.put(replace(organization, secret_fingerprint=fingerprint))
    tx.browser_sessions.forget_unused(END_OF_TIME)
    tx.push_subscriptions.remove_all()  # they are for the old key
    close_queues(tx, [queue.id for queue in tx.queues.all()])
    for user in tx.users.all():
        if user.key_holder_id is not None:
            tx.users.update(user.id, key_holder_id=None)
    _renew_links(unit)
    unit.record(AuditKind.SECRET_REPLACED)


def _renew_links(unit: Unit) -> None:
    """Give new links to invitations, also to those in mails that wait, and end all links that confirm."""
    tx = unit.tx
    new_nonces: dict[str, str] = {}
    tx.confirmations.forget_expired(END_OF_TIME)
    for invitation in tx.invitations.all():
        nonce, token_hash = outbox.new_link(unit.svc, Proof.JOIN)
        tx.invitations.change_link(invitation.id, nonce, token_hash)
        new_nonces[invitation.nonce] = nonce
    waiting: list[Mail] = []
    while (mail := tx.mails.first_due(END_OF_TIME)) is not None:
        tx.mails.remove(mail.id)
        waiting.append(mail)
    for mail in waiting:
        if mail.nonce is None:
            tx.mails.add(mail)
        elif mail.nonce in new_nonces:
            tx.mails.add(replace(mail, nonce=new_nonces[mail.nonce]))
