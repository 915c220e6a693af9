"""The limit of what one account may let wait."""

from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import UserId
from chatcore.storage import Transaction


def require_room(svc: Services, tx: Transaction, user_id: UserId, before: int) -> None:
    """Refuse a change after which the user's texts here are too large together; one that makes them smaller
    is never refused.

    *before* is their size before the change.

    :raises BadRequest:
    """
    now = tx.scheduled_messages.size(user_id)
    if now > svc.limits.max_scheduled_size and now > before:
        raise BadRequest("Your scheduled messages and reminders are too large together.")
