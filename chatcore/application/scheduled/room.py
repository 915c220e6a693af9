"""The limit of what one account may let wait."""

from chatcore.application.services import Services
from chatcore.domain.choices import require_room
from chatcore.domain.ids import UserId
from chatcore.storage import Transaction


def require_room_to_wait(svc: Services, tx: Transaction, user_id: UserId, before: int) -> None:
    """Refuse scheduled messages and reminders of a user that are too large together.

    *before* is their size before the change.

    :raises BadRequest:
    """
    now, limit = tx.scheduled_messages.size(user_id), svc.limits.max_scheduled_size
    require_room("scheduled messages and reminders", before=before, now=now, limit=limit)
