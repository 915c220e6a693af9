"""Statuses of users in the forms that other users receive."""

from typing import Any

from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.statuses import PARTS, Status
from chatcore.domain.people.users import User


def wire(user: User, status: Status | None) -> dict[str, Any]:
    """Return a status as clients read it: only the parts that are set."""
    shape: dict[str, Any] = {}
    if not setting_values.value(user, PRESENCE_ENABLED):
        shape["away"] = True
    if status is not None:
        shape.update({part: value for part in PARTS if (value := getattr(status, part))})
    return shape


def shown(user: User, status: Status | None) -> dict[str, Any]:
    """Return a status for lists of users; it is empty for deactivated accounts and bots."""
    return wire(user, status) if user.is_active and not user.is_bot else {}
