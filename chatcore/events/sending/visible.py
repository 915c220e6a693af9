"""Values without users who are not visible to the listener."""

from collections.abc import Iterable, Mapping
from typing import TypeVar, cast

from chatcore.domain.ids import UserId
from chatcore.events.sending.listener import Knows

V = TypeVar("V", bound=Mapping[str, object])


def visible_users(user_ids: Iterable[UserId], knows: Knows | None) -> list[UserId]:
    return [user_id for user_id in user_ids if knows is None or knows(user_id)]


def visible_values(values: V, knows: Knows | None) -> V:
    """Return values, or an object with known keys, with group settings restricted to visible users. *knows*
    None: all are visible.
    """
    if knows is None:
        return values

    def visible(value: object) -> object:
        if not isinstance(value, dict) or "direct_members" not in value:
            return value
        return {**value, "direct_members": visible_users(value["direct_members"], knows)}

    return cast(V, {name: visible(value) for name, value in values.items()})
