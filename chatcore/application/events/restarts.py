"""Starts of another version of the server: event queues survive them, and an event has the new version."""

from dataclasses import replace

from chatcore.application import units
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.organization.organization import ServerStart
from chatcore.events.audience import Everyone
from chatcore.events.happened import ServerRestarted, WebClientOutdated
from chatcore.settings import SERVICE_FEATURE_LEVEL, SERVICE_VERSION


def note_start(svc: Services) -> None:
    """Note that this version serves the organization, and announce it to clients of another version.

    Any further start of the same version, also of another process, changes nothing.
    """
    start = ServerStart(SERVICE_VERSION, SERVICE_FEATURE_LEVEL, at=svc.now)
    if units.read(svc, _is_new, start):
        units.write(svc, _store_start, start)


def _is_new(view: View, start: ServerStart) -> bool:
    before = view.snapshot.organization.get().served_by
    return before is None or replace(before, at=start.at) != start


def _store_start(unit: Unit, start: ServerStart) -> None:
    if not _is_new(unit, start):
        return
    organization = unit.tx.organization.get()
    unit.tx.organization.put(replace(organization, served_by=start))
    if organization.served_by is not None or unit.tx.queues.all():
        event = ServerRestarted(version=start.version, feature_level=start.feature_level, at=start.at)
        unit.tx.announce(event, Everyone())
        unit.tx.announce(WebClientOutdated(), Everyone())
