"""Deactivating the whole organization: it refuses all requests, and keeps everything it has."""

from dataclasses import replace

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor, require_open
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_owner
from chatcore.events.audience import Everyone
from chatcore.events.types import OrganizationDeactivation
from chatcore.storage import Transaction


def deactivate_organization(svc: Services, actor: Actor) -> None:
    """Deactivate the organization, as an owner. Polls that wait now are the last to be answered.

    :raises InsufficientRole: the actor is not an owner
    """

    def write(tx: Transaction) -> None:
        require_owner(refresh_actor(tx, actor, svc.now))
        tx.announce(OrganizationDeactivation(), Everyone())
        _put(tx, is_deactivated=True)

    svc.storage.write(write)


def reactivate_organization(svc: Services) -> None:
    """Reactivate the organization, as it was; for its own tools, as nobody can log in."""
    svc.storage.write(lambda tx: _put(tx, is_deactivated=False))


def require_active(svc: Services) -> None:
    """Refuse a request without an account if the organization is deactivated.

    :raises OrganizationDeactivated:
    """
    svc.storage.read(require_open)


def _put(tx: Transaction, *, is_deactivated: bool) -> None:
    tx.organization.put(replace(tx.organization.get(), is_deactivated=is_deactivated))
