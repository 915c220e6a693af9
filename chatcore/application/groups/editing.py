"""Creating, changing and deactivating user groups.

`chatcore.application.groups.listing` reads groups, `chatcore.application.groups.members` changes their
members, and `chatcore.application.groups.system_members` announces the consequences of changed accounts.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from chatcore.application.daily_use import count_daily_use
from chatcore.application.groups.listing import GroupNumber, known_group
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.group_changes import announce_changed_sight, find_sight_of_members
from chatcore.application.visibility.group_settings import (
    SettingChange,
    active_users,
    changed_value,
    check_group_setting,
    require_fits,
    usable_groups,
)
from chatcore.application.visibility.groups import shapes_of_groups
from chatcore.domain.channels.channels import has_metadata_access, is_subscribed
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest, InsufficientPermission
from chatcore.domain.groups import groups as rules
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.groups import Group
from chatcore.domain.groups.permissions import (
    CHANNEL_PERMISSIONS,
    GROUP_PERMISSIONS,
    ORGANIZATION_PERMISSIONS,
    GroupSetting,
)
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.organization.administration import require_no_guest
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.audit_values import difference
from chatcore.domain.people.daily_use import Daily
from chatcore.events.audience import Everyone
from chatcore.events.happened import GroupChanged, GroupCreated, GroupDeactivated, GroupReactivated
from chatcore.events.happened.groups import AnyGroupEvent
from chatcore.events.payloads.parts import SettingShape
from chatcore.storage import Snapshot, Transaction

# -- creating and changing --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGroup:
    """A group to create; settings that are not specified have their defaults."""

    name: str
    description: str
    members: Collection[int]
    subgroups: Collection[int] = ()
    settings: Mapping[str, GroupSetting] = field(default_factory=dict)


def create(svc: Services, actor: Actor, new: NewGroup) -> GroupId:
    """Create a group. The creator is a member only if listed among the members.

    :raises BadRequest: no permission, an invalid or taken name, a user, group or value that cannot be used,
        or too many groups
    :raises InvalidParameter: no such setting
    :raises RateLimited: more groups than the actor may create on one day
    """
    name = rules.checked_group_name(new.name, svc.limits)
    description = rules.checked_group_description(new.description, svc.limits)
    return store_group(svc, actor, replace(new, name=name, description=description))


@unit_of_work
def store_group(unit: Unit, me: Actor, new: NewGroup) -> GroupId:
    require_no_guest(me)
    if not unit.tx.organization.get().permits("can_create_groups", me):
        raise InsufficientPermission
    _require_free(unit.tx, new.name)
    if unit.tx.groups.count() >= unit.limits.max_groups:
        raise BadRequest("There are too many user groups.")
    count_daily_use(unit, me, Daily.GROUPS)
    people = active_users(unit, map(UserId, new.members))
    subgroup_ids = [subgroup.id for subgroup in usable_groups(unit, map(GroupId, new.subgroups))]
    for setting_name, value in new.settings.items():
        require_one_of("settings", setting_name, GROUP_PERMISSIONS)
        check_group_setting(unit, GROUP_PERMISSIONS[setting_name], value)
    group = unit.tx.groups.add(
        {
            "name": new.name,
            "description": new.description,
            "creator_id": me.user_id,
            "date_created": unit.now,
            "settings": {**rules.default_settings(me.user_id), **new.settings},
        }
    )
    unit.tx.groups.add_members(group.id, [user.id for user in people])
    require_fits(unit, group, subgroup_ids)
    unit.tx.groups.add_subgroups(group.id, subgroup_ids)
    facts = {"name": group.name, "members": new.members, "subgroups": new.subgroups, **group.settings}
    unit.record(AuditKind.GROUP_CREATED, group.id, after=facts)
    (shape,) = shapes_of_groups(unit.tx, [group], unit.now)
    announce_group(unit.tx, GroupCreated(group_id=group.id, group=shape))
    return group.id


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChanges:
    """The requested changes of a group; None leaves a property unchanged. `deactivated` can only reactivate
    the group.
    """

    name: str | None = None
    description: str | None = None
    deactivated: bool | None = None
    settings: Mapping[str, SettingChange] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        given = (self.name, self.description, self.deactivated)
        return given == (None, None, None) and not self.settings


def update(svc: Services, actor: Actor, group_id: int, changes: GroupChanges) -> None:
    """Change a group, active or not: all requested changes, or none. Each change has its own event.

    :raises BadRequest: nothing to change, no permission, or an invalid value
    :raises InvalidParameter: no such setting
    :raises ExpectationMismatch: a setting does not have the old value that the client expects
    """
    if changes.is_empty:
        raise BadRequest("No new data supplied")
    for setting_name in changes.settings:
        require_one_of("settings", setting_name, GROUP_PERMISSIONS)
    name, description = changes.name, changes.description
    if name is not None:
        name = rules.checked_group_name(name, svc.limits)
    if description is not None:
        description = rules.checked_group_description(description, svc.limits)
    store_changes(svc, actor, group_id, replace(changes, name=name, description=description))


@unit_of_work
def store_changes(unit: Unit, me: Actor, group_id: int, changes: GroupChanges) -> None:
    name, description = changes.name, changes.description
    before = _managed_group(unit.tx, me, group_id)
    group = before
    if name is not None and name != group.name:
        _require_free(unit.tx, name)
        unit.tx.groups.update(group.id, name=name)
        group = replace(group, name=name)
        _announce_changed(unit.tx, group, {"name": name})
    if description is not None and description != group.description:
        unit.tx.groups.update(group.id, description=description)
        group = replace(group, description=description)
        _announce_changed(unit.tx, group, {"description": description})
    if changes.deactivated is False and group.deactivated:
        group = _reactivate(unit, group)
    group = _change_settings(unit, group, changes.settings)
    old, new = difference(before, group, without={"deactivated"}, absent=before.setting)
    if new:
        unit.record(AuditKind.GROUP_CHANGED, group.id, before=old, after=new)
    if before.deactivated and not group.deactivated:
        _require_active_parts(unit.tx, group)


def _reactivate(unit: Unit, deactivated: Group) -> Group:
    sight = find_sight_of_members(unit, deactivated.id)
    group = replace(deactivated, deactivated=False)
    unit.tx.groups.update(group.id, deactivated=False)
    (shape,) = shapes_of_groups(unit.tx, [group], unit.now)
    announce_group(unit.tx, GroupReactivated(group_id=group.id, group=shape))
    announce_changed_sight(unit, sight)
    unit.record(AuditKind.GROUP_REACTIVATED, group.id)
    return group


def _change_settings(unit: Unit, group: Group, changes: Mapping[str, SettingChange]) -> Group:
    for name, permission in GROUP_PERMISSIONS.items():
        if name not in changes:
            continue
        value = changed_value(unit, permission, group.setting(name), changes[name])
        if value is not None:
            group = replace(group, settings={**group.settings, name: value})
            unit.tx.groups.update(group.id, settings=group.settings)
            _announce_changed(unit.tx, group, {name: value.as_sent()})
    return group


def _announce_changed(tx: Transaction, group: Group, data: Mapping[str, str | SettingShape]) -> None:
    announce_group(tx, GroupChanged(group_id=group.id, deactivated=group.deactivated, data=data))


def _require_active_parts(tx: Transaction, group: Group) -> None:
    """Refuse an active group that has deactivated subgroups, or deactivated groups in its settings: these
    have to be reactivated first.
    """
    used_ids = {used_id for value in group.settings.values() for used_id in value.groups}
    used_ids.update(tx.groups.direct_subgroups([group.id])[group.id])
    deactivated = sorted(used.name for used in tx.groups.by_ids(used_ids).values() if used.deactivated)
    if deactivated:
        raise BadRequest(f"This group uses a deactivated group: {', '.join(deactivated)}")


def _require_free(tx: Transaction, name: str) -> None:
    if tx.groups.by_names([name]):
        raise BadRequest(f"User group '{name}' already exists.")


def _managed_group(tx: Transaction, actor: Actor, group_id: int) -> Group:
    """Return a group that the actor may change in every way."""
    group = known_group(tx, actor, group_id)
    if not rules.is_manager(group, actor, manages_all=manages_all(tx, actor)):
        raise InsufficientPermission
    return group


def manages_all(snapshot: Snapshot, actor: Actor) -> bool:
    return snapshot.organization.get().permits("can_manage_all_groups", actor)


def announce_group(tx: Transaction, event: AnyGroupEvent) -> None:
    tx.announce(event, Everyone())


# -- deactivating -----------------------------------------------------------------------------------


class GroupInUse(BadRequest):
    """The group cannot be deactivated: `objections` names the visible settings and groups that use it."""

    code = "CANNOT_DEACTIVATE_GROUP_IN_USE"

    def __init__(self, objections: list[dict[str, object]]) -> None:
        super().__init__("Cannot deactivate user group in use.", objections=objections)


@unit_of_work
def deactivate(unit: Unit, me: Actor, group_id: GroupNumber) -> None:
    """Deactivate a user group.

    :effect: the group keeps its name, members and settings
    :raises BadRequest: no permission, or it is deactivated already
    :raises GroupInUse: an active setting or group uses it
    """
    group = _managed_group(unit.tx, me, group_id)
    if group.deactivated:
        raise BadRequest("User group is already deactivated.")
    objections = _objections(unit.tx, me, group.id)
    if objections:
        raise GroupInUse([objection for objection, is_visible in objections if is_visible])
    sight = find_sight_of_members(unit, group.id)
    unit.tx.groups.update(group.id, deactivated=True)
    unit.record(AuditKind.GROUP_DEACTIVATED, group.id)
    announce_group(unit.tx, GroupDeactivated(group_id=group.id))
    announce_changed_sight(unit, sight)


def _objections(tx: Transaction, actor: Actor, group_id: GroupId) -> list[tuple[dict[str, object], bool]]:
    """Return the uses of the group, and for each whether the actor may know of it."""

    def naming(values: Mapping[str, GroupSetting]) -> list[str]:
        return [name for name, value in values.items() if group_id in value.groups]

    objections: list[tuple[dict[str, object], bool]] = []
    supergroups = tx.groups.by_ids(tx.groups.direct_supergroups(group_id)).values()
    active = sorted(group.id for group in supergroups if not group.deactivated)
    if active:
        objections.append(({"type": "subgroup", "supergroup_ids": active}, True))
    mine = tx.subscriptions.of_user(actor.user_id)
    for channel in sorted(tx.channels.all(), key=lambda channel: channel.id):
        settings = naming({name: channel.permission_value(name) for name in CHANNEL_PERMISSIONS})
        if settings and not channel.is_archived:
            subscribed = is_subscribed(mine.get(channel.id))
            is_visible = has_metadata_access(channel, actor, subscribed=subscribed)
            objection = {"type": "channel", "channel_id": channel.id, "settings": settings}
            objections.append((objection, is_visible))
    for group in tx.groups.all():
        settings = naming({name: group.setting(name) for name in GROUP_PERMISSIONS})
        if settings and not group.deactivated:
            objections.append(({"type": "user_group", "group_id": group.id, "settings": settings}, True))
    organization = tx.organization.get()
    settings = naming({name: organization.permission_value(name) for name in ORGANIZATION_PERMISSIONS})
    if settings:
        objections.append(({"type": "realm", "settings": settings}, True))
    return objections
