"""Default channel groups: listing, creating, changing and removing them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, get_args

from chatcore.application.arguments import about
from chatcore.application.channels.defaults import default_ids
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.channels import default_groups as rules
from chatcore.domain.channels.channels import Channel
from chatcore.domain.channels.default_groups import NOT_STORED, DefaultGroup
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import DefaultGroupId
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.audit_values import difference
from chatcore.events.audience import Everyone
from chatcore.events.happened import DefaultGroupsChanged
from chatcore.events.payloads.channels import DefaultGroupObject, default_group_object
from chatcore.storage import Snapshot, Transaction

Op: TypeAlias = Literal["add", "remove"]
GroupNumber: TypeAlias = Annotated[int, about("The group's id.")]
ChannelNames: TypeAlias = Annotated[
    Sequence[str], about("Names of channels, none of which is private, archived or a default channel.")
]


@read_only
def list_groups(view: View, me: Actor) -> Sequence[DefaultGroupObject]:
    """List the groups, oldest first; guests see none."""
    return default_group_objects(view.snapshot, for_guest=me.is_guest)


def default_group_objects(snapshot: Snapshot, *, for_guest: bool) -> list[DefaultGroupObject]:
    """Return all groups as they are sent; guests see none."""
    return [] if for_guest else [default_group_object(group) for group in snapshot.default_groups.all()]


def create_group(
    svc: Services,
    actor: Actor,
    name: Annotated[str, about("The name, which no other group has.")],
    description: Annotated[str, about("The purpose of the group.")],
    channel_names: ChannelNames,
) -> DefaultGroupId:
    """Create a default channel group.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an invalid or taken name, an invalid description, one group too many, or a channel
        that is unknown, private, archived or a default channel
    """
    name, description = rules.checked_name(name), rules.checked_description(description)
    return _store_group(svc, actor, name, description, channel_names)


@unit_of_work
def _store_group(
    unit: Unit, me: Actor, name: str, description: str, channel_names: Sequence[str]
) -> DefaultGroupId:
    require_administrator(me)
    known = unit.tx.default_groups.all()
    limit = unit.limits.max_default_channel_groups
    rules.require_free_name(known, name)
    if len(known) >= limit:
        raise BadRequest(f"There can be {limit} default channel groups at most.")
    empty = DefaultGroup(id=NOT_STORED, name=name, description=description, channel_ids=())
    channels = _find_channels(unit, channel_names)
    channel_ids = rules.with_channels(empty, channels, default_ids(unit.tx))
    group = unit.tx.default_groups.add(replace(empty, channel_ids=channel_ids))
    unit.record(AuditKind.DEFAULT_CHANNEL_GROUPS_CHANGED, group.id, after=_audited_facts(group))
    _announce(unit.tx)
    return group.id


def update_group(
    svc: Services,
    actor: Actor,
    group_id: GroupNumber,
    *,
    name: Annotated[str | None, about("The name.")] = None,
    description: Annotated[str | None, about("The purpose of the group.")] = None,
) -> None:
    """Change the name or description of a default channel group.

    :param name: None leaves it unchanged, as *description*
    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: nothing to change, no such group, an invalid or taken name, or an invalid description
    """
    if name is None and description is None:
        raise BadRequest('You must pass "new_description" or "new_group_name".')
    name = None if name is None else rules.checked_name(name)
    description = None if description is None else rules.checked_description(description)
    _store_changes(svc, actor, group_id, name=name, description=description)


@unit_of_work
def _store_changes(
    unit: Unit, me: Actor, group_id: int, *, name: str | None, description: str | None
) -> None:
    require_administrator(me)
    known = unit.tx.default_groups.all()
    group = rules.find(known, group_id)
    if name is not None:
        rules.require_free_name([other for other in known if other.id != group.id], name)
    changed = replace(
        group,
        name=group.name if name is None else name,
        description=group.description if description is None else description,
    )
    if changed != group:
        _update_group(unit, group, changed)
        _announce(unit.tx)


def update_channels(
    svc: Services,
    actor: Actor,
    group_id: GroupNumber,
    op: Annotated[Op, about("Whether to add or remove channels.")],
    channel_names: ChannelNames,
) -> None:
    """Add channels to a default channel group, or remove them from it.

    :raises InsufficientRole: the actor is not an administrator
    :raises InvalidParameter: another *op*
    :raises BadRequest: no such group, or a channel that is unknown, or cannot be added or removed
    """
    require_one_of("op", op, get_args(Op))
    _store_channels(svc, actor, group_id, op, channel_names)


@unit_of_work
def _store_channels(unit: Unit, me: Actor, group_id: int, op: Op, channel_names: Sequence[str]) -> None:
    require_administrator(me)
    group = rules.find(unit.tx.default_groups.all(), group_id)
    channels = _find_channels(unit, channel_names)
    if op == "add":
        channel_ids = rules.with_channels(group, channels, default_ids(unit.tx))
    else:
        channel_ids = rules.without_channels(group, channels)
    _update_group(unit, group, replace(group, channel_ids=channel_ids))
    _announce(unit.tx)


@unit_of_work
def remove_group(unit: Unit, me: Actor, group_id: GroupNumber) -> None:
    """Remove a default channel group.

    :effect: the channels of the group stay as they are
    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such group
    """
    require_administrator(me)
    group = rules.find(unit.tx.default_groups.all(), group_id)
    unit.tx.default_groups.remove(group.id)
    unit.record(AuditKind.DEFAULT_CHANNEL_GROUPS_CHANGED, group.id, before=_audited_facts(group))
    _announce(unit.tx)


def exclude(unit: Unit, channel: Channel) -> None:
    """Remove a channel that becomes private or archived from all groups."""
    holders = [group for group in unit.tx.default_groups.all() if channel.id in group.channel_ids]
    for group in holders:
        _update_group(unit, group, replace(group, channel_ids=rules.without_channels(group, [channel])))
    if holders:
        _announce(unit.tx)


def _find_channels(unit: Unit, names: Sequence[str]) -> Sequence[Channel]:
    if len(names) > unit.limits.max_channels_per_default_group:
        raise BadRequest("Too many channels")
    return rules.channels_by_names(names, unit.tx.channels.by_names(names))


def _update_group(unit: Unit, before: DefaultGroup, after: DefaultGroup) -> None:
    """Store a group; record what differs, if anything does."""
    unit.tx.default_groups.update(after)
    old, new = difference(before, after)
    if new:
        unit.record(AuditKind.DEFAULT_CHANNEL_GROUPS_CHANGED, after.id, before=old, after=new)


def _audited_facts(group: DefaultGroup) -> Mapping[str, object]:
    return {"name": group.name, "description": group.description, "channel_ids": group.channel_ids}


def _announce(tx: Transaction) -> None:
    tx.announce(DefaultGroupsChanged(), Everyone(but_guests=True))
