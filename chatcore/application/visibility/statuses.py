"""Statuses of users in the forms that other users receive."""

from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.statuses import PARTS, Status, StatusParts
from chatcore.domain.people.users import User


def wire(user: User, status: Status | None) -> StatusParts:
    """Return a status as clients read it: only the parts that are set."""
    shape: StatusParts = {}
    if not setting_values.value(user, PRESENCE_ENABLED):
        shape["away"] = True
    if status is not None:
        for part in PARTS:
            if value := getattr(status, part):
                shape[part] = value
    return shape


def shown_status(user: User, status: Status | None) -> StatusParts:
    """Return a status for lists of users; it is empty for deactivated accounts and bots."""
    return wire(user, status) if user.is_active and not user.is_bot else {}
