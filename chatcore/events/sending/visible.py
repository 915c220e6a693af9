"""Fields without users who are not visible to the listener."""

from collections.abc import Iterable
from typing import Any

from chatcore.domain.ids import UserId
from chatcore.events.sending.event import Fields
from chatcore.events.sending.listener import Knows


def visible_users(user_ids: Iterable[UserId], knows: Knows | None) -> list[UserId]:
    return [user_id for user_id in user_ids if knows is None or knows(user_id)]


def visible_values(fields: Fields, knows: Knows | None) -> Fields:
    """Return fields with group-setting values restricted to visible users. *knows* None: all are visible."""
    if knows is None:
        return fields

    def visible(value: Any) -> Any:
        if not isinstance(value, dict) or "direct_members" not in value:
            return value
        return {**value, "direct_members": visible_users(value["direct_members"], knows)}

    return {name: visible(value) for name, value in fields.items()}
