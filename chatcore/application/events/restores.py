"""Restores from a backup: clients have received events that the database does not have.

The restored log would issue the positions of these events again, for other events and messages.
"""

import logging

from chatcore.application import units
from chatcore.application.queue_closing import close_queues
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.ids import Position
from chatcore.domain.organization.audit import AuditKind
from chatcore.storage import Storage, Transaction

log = logging.getLogger("chatcore.events")

LEAP = 1_000_000
"""Positions that are skipped, so that no id is issued twice: more than are used between two backups."""


def begin_anew(tx: Transaction) -> Position:
    """Skip positions of the log and drop all event queues, so that every client registers anew; return the
    new head.
    """
    tx.draw(LEAP)
    close_queues(tx, [queue.id for queue in tx.queues.all()])
    tx.log.adopt()
    return tx.log.head()


def declare_restored(svc: Services) -> Position:
    """Call `begin_anew` because somebody says that the database was restored, and note that in the audit log;
    return the new head.
    """
    return units.write(svc, _begin_anew_as_declared)


def _begin_anew_as_declared(unit: Unit) -> Position:
    unit.record(AuditKind.RESTORE_DECLARED)
    return begin_anew(unit.tx)


def begin_anew_if_restored(storage: Storage) -> None:
    """Call `begin_anew` if the database was restored from a backup, or is a copy of another database; also
    when it becomes one later, as by a failover to a replica that lacks the last commits.

    If the log was never marked as the original, mark it now (see `EventLog.is_copied` and `adopt`).
    """
    storage.on_another_log(_begin_anew_in_copy)
    storage.check_log()
    if storage.read(lambda snapshot: snapshot.log.is_copied()) is None:
        storage.write(lambda tx: tx.log.adopt())


def _begin_anew_in_copy(tx: Transaction) -> None:
    log.warning(
        "the database was restored from a backup, is a copy, or has failed over: all clients register anew"
    )
    begin_anew(tx)
