"""What people say of themselves, as others see it."""

from typing import Any

from chatcore.domain import user_settings
from chatcore.domain.presence import PRESENCE_ENABLED
from chatcore.domain.statuses import PARTS, Status
from chatcore.domain.users import User


def wire(user: User, status: Status | None) -> dict[str, Any]:
    """A status as clients read it: only the parts that are set."""
    shape: dict[str, Any] = {}
    if not user_settings.value(user, PRESENCE_ENABLED):
        shape["away"] = True
    if status is not None:
        shape.update({part: value for part in PARTS if (value := getattr(status, part))})
    return shape


def shown(user: User, status: Status | None) -> dict[str, Any]:
    """The same where others are listed; deactivated accounts and bots are left out there."""
    return wire(user, status) if user.is_active and not user.is_bot else {}
