"""Statuses of users as they are sent."""

from collections.abc import Iterable, Mapping

from chatcore.domain.ids import UserId
from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.statuses import PARTS, Status, StatusParts
from chatcore.domain.people.users import User


def status_as_sent(user: User, status: Status | None) -> StatusParts:
    """Return a status as it is sent: only the parts that are set."""
    sent: StatusParts = {}
    if _is_away(user):
        sent["away"] = True
    if status is not None:
        for part in PARTS:
            if value := getattr(status, part):
                sent[part] = value
    return sent


def _is_away(user: User) -> bool:
    return not setting_values.value(user, PRESENCE_ENABLED)


def shown_status(user: User, status: Status | None) -> StatusParts:
    """Return a status for lists of users; it is empty for deactivated accounts and bots."""
    return status_as_sent(user, status) if user.is_active and not user.is_bot else {}


def shown_statuses(users: Iterable[User], stored: Mapping[UserId, Status]) -> dict[UserId, StatusParts]:
    """Return the statuses of those users who have one, for lists of users."""
    candidates = (user for user in users if user.id in stored or _is_away(user))  # few of many
    shown = {user.id: shown_status(user, stored.get(user.id)) for user in candidates}
    return {user_id: status for user_id, status in shown.items() if status}
