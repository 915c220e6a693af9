"""Statuses of users as they are sent."""

from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.statuses import PARTS, Status, StatusParts
from chatcore.domain.people.users import User


def status_as_sent(user: User, status: Status | None) -> StatusParts:
    """Return a status as it is sent: only the parts that are set."""
    sent: StatusParts = {}
    if not setting_values.value(user, PRESENCE_ENABLED):
        sent["away"] = True
    if status is not None:
        for part in PARTS:
            if value := getattr(status, part):
                sent[part] = value
    return sent


def shown_status(user: User, status: Status | None) -> StatusParts:
    """Return a status for lists of users; it is empty for deactivated accounts and bots."""
    return status_as_sent(user, status) if user.is_active and not user.is_bot else {}
