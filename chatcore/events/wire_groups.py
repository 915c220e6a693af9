"""Forms of group events, which depend on support for deactivated groups and on the users that are
visible to the listener.
"""

from collections.abc import Callable
from typing import Any, assert_never

from chatcore.domain.ids import UserId
from chatcore.events import types as happened

Knows = Callable[[UserId], bool]
AnyGroupEvent = (
    happened.GroupCreated
    | happened.GroupChanged
    | happened.GroupDeactivated
    | happened.GroupReactivated
    | happened.GroupMembersChanged
    | happened.SubgroupsChanged
)


def group_fields(
    event: AnyGroupEvent, *, with_deactivated: bool, knows: Knows | None
) -> dict[str, Any] | None:
    """Return the event's fields; None to not notify the client. *knows* None: all users are visible.

    *with_deactivated* is the capability `include_deactivated_groups`.
    """
    fields: dict[str, Any] = {"type": event.type, "group_id": event.group_id}
    match event:
        case happened.GroupDeactivated():
            if not with_deactivated:
                return {**fields, "op": "remove"}
            return {**fields, "op": "update", "data": {"deactivated": True}}
        case happened.GroupReactivated():
            if not with_deactivated:
                return _added(event.group, knows)
            return {**fields, "op": "update", "data": {"deactivated": False}}
    if event.deactivated and not with_deactivated:
        return None
    match event:
        case happened.GroupCreated():
            return _added(event.group, knows)
        case happened.GroupChanged():
            return {**fields, "op": "update", "data": _known_only(event.data, knows)}
        case happened.GroupMembersChanged():
            user_ids = event.user_ids if event.out_of_sight else _known(event.user_ids, knows)
            return {**fields, "op": event.op, "user_ids": user_ids} if user_ids else None
        case happened.SubgroupsChanged():
            return {**fields, "op": event.op, "direct_subgroup_ids": event.subgroup_ids}
        case _:
            assert_never(event)


def _added(group: dict[str, Any], knows: Knows | None) -> dict[str, Any]:
    return {"type": "user_group", "op": "add", "group": _known_only(group, knows)}


def _known(user_ids: Any, knows: Knows | None) -> list[UserId]:
    return [user_id for user_id in user_ids if knows is None or knows(user_id)]


def _known_only(group: dict[str, Any], knows: Knows | None) -> dict[str, Any]:
    """Return the fields of a group without users who are not visible to the reader."""
    if knows is None:
        return group
    fields = dict(group)
    if "members" in fields:
        fields["members"] = _known(fields["members"], knows)
    return known_values(fields, knows)


def known_values(fields: dict[str, Any], knows: Knows) -> dict[str, Any]:
    """Return fields of a group or channel with group-setting values restricted to visible users."""

    def known(value: Any) -> Any:
        if not isinstance(value, dict) or "direct_members" not in value:
            return value
        return {**value, "direct_members": _known(value["direct_members"], knows)}

    return {name: known(value) for name, value in fields.items()}
