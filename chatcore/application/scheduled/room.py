"""The limit for scheduled messages and reminders of one account."""

from chatcore.application.services import Services
from chatcore.domain.choices import require_room
from chatcore.domain.ids import UserId
from chatcore.storage import Transaction


def require_room_to_wait(svc: Services, tx: Transaction, user_id: UserId, before: int) -> None:
    """Refuse a change after which the user's scheduled messages and reminders are too large together. A
    change that makes them smaller is never refused.

    *before* is the size before the change.

    :raises BadRequest:
    """
    now, limit = tx.scheduled_messages.size(user_id), svc.limits.max_scheduled_size
    require_room("scheduled messages and reminders", before=before, now=now, limit=limit)
