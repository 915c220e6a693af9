"""The limit for scheduled messages and reminders of one account."""

from chatcore.application.units import Unit
from chatcore.domain.choices import require_room
from chatcore.domain.ids import UserId


def require_room_to_wait(unit: Unit, user_id: UserId, size_before: int) -> None:
    """Refuse a change after which the user's scheduled messages and reminders are too large together. A
    change that makes them smaller is never refused.

    :raises BadRequest:
    """
    size, limit = unit.tx.scheduled_messages.size(user_id), unit.limits.max_scheduled_size
    require_room("scheduled messages and reminders", before=size_before, now=size, limit=limit)
