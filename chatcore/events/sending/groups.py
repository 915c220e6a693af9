"""Payloads of group events, which depend on support for deactivated groups and on the users that are
visible to the listener.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from chatcore.domain.choices import Value
from chatcore.domain.ids import Position, UserId
from chatcore.events import happened
from chatcore.events.payloads.groups import (
    GroupAddEvent,
    GroupMembersEvent,
    GroupRemoveEvent,
    GroupShape,
    GroupUpdateEvent,
    SubgroupsEvent,
)
from chatcore.events.payloads.objects import GroupObject
from chatcore.events.payloads.parts import Payload, SettingShape
from chatcore.events.sending.formatter import Formatter, one_payload, same_client_and_people
from chatcore.events.sending.listener import Knows, Listener
from chatcore.events.sending.visible import visible_users, visible_values

G = TypeVar("G", bound=happened.GroupEvent)


def _format_group_created(
    event: happened.GroupCreated, listener: Listener, position: Position
) -> GroupAddEvent:
    return _format_new_group(event.group, listener.knows, position)


def _format_group_changed(
    event: happened.GroupChanged, listener: Listener, position: Position
) -> GroupUpdateEvent:
    return _format_update(event, visible_values(event.data, listener.knows), position)


def _format_group_deactivated(
    event: happened.GroupDeactivated, listener: Listener, position: Position
) -> GroupRemoveEvent | GroupUpdateEvent:
    if not listener.capabilities.include_deactivated_groups:
        return {"type": "user_group", "group_id": event.group_id, "op": "remove", "id": position}
    return _format_update(event, {"deactivated": True}, position)


def _format_group_reactivated(
    event: happened.GroupReactivated, listener: Listener, position: Position
) -> GroupAddEvent | GroupUpdateEvent:
    if not listener.capabilities.include_deactivated_groups:
        return _format_new_group(event.group, listener.knows, position)
    return _format_update(event, {"deactivated": False}, position)


def _format_group_members_changed(
    event: happened.GroupMembersChanged, listener: Listener, position: Position
) -> GroupMembersEvent | None:
    """Return the members who come or leave, as far as the listener sees them. Those who leave may be out of
    sight since: the client still has them in the group.
    """
    user_ids: list[int] = [*visible_users(event.user_ids, None if event.out_of_sight else listener.knows)]
    if event.op == "remove_members":
        user_ids = sorted({*user_ids, *listener.knew.intersection(event.user_ids)})
    if not user_ids:
        return None
    return {
        "type": "user_group",
        "group_id": event.group_id,
        "op": event.op,
        "user_ids": user_ids,
        "id": position,
    }


def _format_subgroups_changed(
    event: happened.SubgroupsChanged, listener: Listener, position: Position
) -> SubgroupsEvent:
    return {
        "type": "user_group",
        "group_id": event.group_id,
        "op": event.op,
        "direct_subgroup_ids": list(event.subgroup_ids),
        "id": position,
    }


def _format_update(
    event: happened.GroupEvent, data: Mapping[str, Value | SettingShape], position: Position
) -> GroupUpdateEvent:
    return {
        "type": "user_group",
        "group_id": event.group_id,
        "op": "update",
        "data": {**data},
        "id": position,
    }


def _format_new_group(group: GroupShape, knows: Knows | None, position: Position) -> GroupAddEvent:
    new: GroupObject = visible_values(msgspec.to_builtins(group), knows)
    if knows is not None:
        new["members"] = [user_id for user_id in new["members"] if knows(UserId(user_id))]
    return {"type": "user_group", "op": "add", "group": new, "id": position}


def _of_active(
    event_class: type[G],
    format_event: Callable[[G, Listener, Position], Payload | None],
    *,
    also_inactive: bool = False,
) -> Formatter[G]:
    """Return a formatter that notifies clients without support for deactivated groups only of active groups.

    With *also_inactive* they are also notified of others, as of the deactivation itself.
    """

    def format_for_client(event: G, listener: Listener, position: Position) -> Payload | None:
        if event.deactivated and not also_inactive and not listener.capabilities.include_deactivated_groups:
            return None
        return format_event(event, listener, position)

    return one_payload(event_class, format_for_client, same_client_and_people)


FORMATTERS = (
    _of_active(happened.GroupCreated, _format_group_created),
    _of_active(happened.GroupChanged, _format_group_changed),
    _of_active(happened.GroupDeactivated, _format_group_deactivated, also_inactive=True),
    _of_active(happened.GroupReactivated, _format_group_reactivated, also_inactive=True),
    _of_active(happened.GroupMembersChanged, _format_group_members_changed),
    _of_active(happened.SubgroupsChanged, _format_subgroups_changed),
)
