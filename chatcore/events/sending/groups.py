"""Forms of group events, which depend on support for deactivated groups and on the users that are
visible to the listener.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from chatcore.events import happened
from chatcore.events.payloads.groups import GroupShape
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import Formatter, form, same_client_and_people
from chatcore.events.sending.listener import Knows, Listener
from chatcore.events.sending.visible import visible_users, visible_values

G = TypeVar("G", bound=happened.GroupEvent)


def _created(event: happened.GroupCreated, listener: Listener) -> Fields:
    return _added(event.group, listener.knows)


def _changed(event: happened.GroupChanged, listener: Listener) -> Fields:
    return {**_about(event), "op": "update", "data": visible_values(event.data, listener.knows)}


def _deactivated(event: happened.GroupDeactivated, listener: Listener) -> Fields:
    if not listener.capabilities.include_deactivated_groups:
        return {**_about(event), "op": "remove"}
    return {**_about(event), "op": "update", "data": {"deactivated": True}}


def _reactivated(event: happened.GroupReactivated, listener: Listener) -> Fields:
    if not listener.capabilities.include_deactivated_groups:
        return _added(event.group, listener.knows)
    return {**_about(event), "op": "update", "data": {"deactivated": False}}


def _members(event: happened.GroupMembersChanged, listener: Listener) -> Fields | None:
    """Return the members who come or leave. Late polls are told who has left, also of people who are out of
    sight since: the client has them in the group.
    """
    user_ids = visible_users(event.user_ids, None if event.out_of_sight else listener.knows)
    if event.op == "remove_members":
        user_ids = sorted({*user_ids, *(one for one in event.user_ids if one in listener.knew)})
    return {**_about(event), "op": event.op, "user_ids": user_ids} if user_ids else None


def _subgroups(event: happened.SubgroupsChanged, listener: Listener) -> Fields:
    return {**_about(event), "op": event.op, "direct_subgroup_ids": event.subgroup_ids}


def _about(event: happened.GroupEvent) -> Fields:
    return {"type": event.type, "group_id": event.group_id}


def _added(group: GroupShape, knows: Knows | None) -> Fields:
    fields = msgspec.structs.asdict(group)
    fields["members"] = visible_users(fields["members"], knows)
    return {"type": happened.GroupEvent.type, "op": "add", "group": visible_values(fields, knows)}


def _group(
    event_class: type[G], fields: Callable[[G, Listener], Fields | None], *, ends: bool = False
) -> Formatter[G]:
    """Return a formatter that notifies clients without support for deactivated groups only of active groups.

    *ends* is for events that deactivate or reactivate a group, of which these clients are notified, too.
    """

    def for_client(event: G, listener: Listener) -> Fields | None:
        if event.deactivated and not ends and not listener.capabilities.include_deactivated_groups:
            return None
        return fields(event, listener)

    return form(event_class, for_client, same_client_and_people)


FORMATTERS = (
    _group(happened.GroupCreated, _created),
    _group(happened.GroupChanged, _changed),
    _group(happened.GroupDeactivated, _deactivated, ends=True),
    _group(happened.GroupReactivated, _reactivated, ends=True),
    _group(happened.GroupMembersChanged, _members),
    _group(happened.SubgroupsChanged, _subgroups),
)
