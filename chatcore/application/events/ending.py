"""Ending the event queues of an account, for the organization's own tools."""

from chatcore.application import units
from chatcore.application.queue_closing import close_queues
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.ids import UserId
from chatcore.domain.organization.audit import AuditKind


def end_queues(svc: Services, user_id: UserId) -> int:
    """End all event queues of an account, whose clients register anew; return how many there were."""
    return units.write(svc, _end_queues, user_id)


def _end_queues(unit: Unit, user_id: UserId) -> int:
    queues = unit.tx.queues.of_user(user_id)
    if queues:
        close_queues(unit.tx, [queue.id for queue in queues])
        unit.record(AuditKind.QUEUES_ENDED, user_id)
    return len(queues)
