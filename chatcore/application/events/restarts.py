"""Starts of another version of the server: event queues survive them, and an event has the new version."""

from dataclasses import replace

from chatcore.application.services import Services
from chatcore.domain.organization.organization import ServerStart
from chatcore.events.audience import Everyone
from chatcore.events.types import ServerRestarted, WebClientOutdated
from chatcore.settings import SERVICE_FEATURE_LEVEL, SERVICE_VERSION
from chatcore.storage import Snapshot, Transaction


def note_start(svc: Services) -> None:
    """Note that this version serves the organization, and announce it to clients of another version.

    Any further start of the same version, also of another process, changes nothing.
    """
    start = ServerStart(SERVICE_VERSION, SERVICE_FEATURE_LEVEL, at=svc.now)

    def is_new(snapshot: Snapshot) -> bool:
        before = snapshot.organization.get().served_by
        return before is None or replace(before, at=start.at) != start

    def write(tx: Transaction) -> None:
        if not is_new(tx):
            return
        organization = tx.organization.get()
        tx.organization.put(replace(organization, served_by=start))
        if organization.served_by is not None or tx.queues.all():
            event = ServerRestarted(version=start.version, feature_level=start.feature_level, at=start.at)
            tx.announce(event, Everyone())
            tx.announce(WebClientOutdated(), Everyone())

    if svc.storage.read(is_new):
        svc.storage.write(write)
