"""Deactivating the whole organization: it refuses all requests, and keeps everything it has."""

from dataclasses import replace

from chatcore.application import units
from chatcore.application.organization_changes import put_organization
from chatcore.application.services import Services
from chatcore.application.units import Unit, require_open, unit_of_work
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_owner
from chatcore.events.audience import Everyone
from chatcore.events.happened import OrganizationDeactivation


@unit_of_work
def deactivate_organization(unit: Unit, me: Actor) -> None:
    """Deactivate the whole organization; it refuses all requests until its operators reactivate it.

    :raises InsufficientRole: the actor is not an owner
    """
    require_owner(me)
    # polls that wait now are the last to be answered
    unit.tx.announce(OrganizationDeactivation(), Everyone())
    _set_deactivated(unit, is_deactivated=True)


def reactivate_organization(svc: Services) -> None:
    """Reactivate the organization, as it was; for its own tools, as nobody can log in."""
    units.write(svc, _set_deactivated, is_deactivated=False)


def require_active(svc: Services) -> None:
    """Refuse a request without an account if the organization is deactivated.

    :raises OrganizationDeactivated:
    """
    units.read(svc, require_open)


def _set_deactivated(unit: Unit, *, is_deactivated: bool) -> None:
    put_organization(unit, replace(unit.tx.organization.get(), is_deactivated=is_deactivated))
