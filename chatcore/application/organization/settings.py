"""The settings of the organization: read, and changed by administrators or its own tools."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from chatcore.application.delivery.rendering import render_alone
from chatcore.application.groups import system_members
from chatcore.application.organization.setting_fields import settings_as_sent
from chatcore.application.organization.video_calls import providers
from chatcore.application.organization.ways_in import require_way_in
from chatcore.application.organization_changes import put_organization
from chatcore.application.queue_closing import close_queues_of
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_organization, unit_of_work
from chatcore.application.visibility.group_changes import announce_changed_sight, find_sight_before
from chatcore.application.visibility.group_settings import SettingChange, changed_value
from chatcore.domain.choices import Value, given_values, require_one_of
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.nesting import closure
from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS, GroupSetting, Permission
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.settings import (
    CHANNEL_SETTINGS,
    MODERATION_CHANNEL,
    SETTINGS,
    OrganizationSetting,
    in_current_form,
    require_may_change,
)
from chatcore.domain.roles import Role
from chatcore.events.audience import Everyone
from chatcore.events.happened import OrganizationChanged, OrganizationPermissionsChanged, UserDefaultsChanged
from chatcore.storage import Snapshot, Transaction


def organization_settings(svc: Services) -> Mapping[str, Value]:
    """Return the settings, by the names of `chatcore.domain.organization.settings.SETTINGS`.

    For numbers of seconds or of MiB, None is no limit; for a channel, no channel.
    """
    organization = read_organization(svc)
    return {name: getattr(organization, name) for name in SETTINGS}


def organization_permissions(svc: Services) -> Mapping[str, GroupSetting]:
    """Return the permissions, by the names of `domain.groups.permissions.ORGANIZATION_PERMISSIONS`."""
    organization = read_organization(svc)
    return {name: organization.permission_value(name) for name in ORGANIZATION_PERMISSIONS}


def change_organization(
    svc: Services,
    changes: Mapping[str, object],
    permissions: Mapping[str, SettingChange] = {},
    *,
    by: Actor | None = None,
) -> None:
    """Change settings and permissions of the organization, as an administrator: all requested changes, or
    none.

    *changes* has names and values of `chatcore.domain.organization.settings.SETTINGS`, *permissions* those of
    `chatcore.domain.groups.permissions.ORGANIZATION_PERMISSIONS`. *by* is None for the organization's own
    tools, which need no permission.

    :raises InsufficientRole: the actor is not an administrator, or not an owner for settings of owners
    :raises InvalidParameter: no such setting, or an invalid value
    :raises BadRequest: an invalid name, no such channel, an invalid value of a permission, or an actor leaves
        people no way to log in
    :raises ExpectationMismatch: a permission does not have the old value that the client expects
    """
    if by is not None:
        require_administrator(by)  # check this before names and values
    for name in changes:
        require_one_of("name", name, SETTINGS)
    for name in permissions:
        require_one_of("permissions", name, ORGANIZATION_PERMISSIONS)
    affected: list[OrganizationSetting | Permission] = [SETTINGS[name] for name in changes]
    affected += [ORGANIZATION_PERMISSIONS[name] for name in permissions]
    wanted = in_current_form({name: SETTINGS[name].read(name, raw) for name, raw in changes.items()})
    if "video_chat_provider" in wanted:
        require_one_of("video_chat_provider", wanted["video_chat_provider"], providers(svc.settings))
    if "description" in wanted:
        text = wanted["description"]
        wanted["rendered_description"] = render_alone(svc, [text])[text] if text else ""
    _store_changes(svc, by, wanted, permissions, affected)


@unit_of_work
def _store_changes(
    unit: Unit,
    me: Actor | None,
    wanted: Mapping[str, Any],
    permissions: Mapping[str, SettingChange],
    affected: Collection[OrganizationSetting | Permission],
) -> None:
    if me is not None:
        require_may_change(me, affected)
    for name in CHANNEL_SETTINGS.intersection(wanted):
        _require_channel(unit.tx, name, wanted[name])
    before = unit.tx.organization.get()
    changed = _changed_permissions(unit, before, permissions)
    after = replace(before, **wanted, permissions={**before.permissions, **changed})
    # Without an actor a program changes it: the program may log people in by ways of its own.
    if me is not None and after.password_auth_enabled != before.password_auth_enabled:
        require_way_in(unit, me, after)
    store_organization(unit, after)
    _announce_permissions(unit.tx, before, changed)


def _require_channel(snapshot: Snapshot, name: str, number: int | None) -> None:
    """Refuse a channel that a setting cannot have.

    :raises BadRequest: no such channel, it is archived, or it is public and has to be private
    """
    if number is None:
        return
    channel = snapshot.channels.find(number)
    if channel is None or channel.is_archived:
        raise invalid_channel()
    if name == MODERATION_CHANNEL and not channel.invite_only:
        raise BadRequest("Moderation request channel must be private.")


def _changed_permissions(
    view: View, before: Organization, changes: Mapping[str, SettingChange]
) -> Mapping[str, GroupSetting]:
    """Return the new values of permissions, without those that would stay as they are."""
    values = {}
    for name, change in changes.items():
        permission = ORGANIZATION_PERMISSIONS[name]
        values[name] = changed_value(view, permission, before.permission_value(name), change)
    return given_values(**values)


def _announce_permissions(tx: Transaction, before: Organization, changed: Mapping[str, GroupSetting]) -> None:
    """Announce changed permissions.

    Guests for whom the known people change register anew, because almost everything changes for their
    clients.
    """
    if changed:
        data = {name: value.as_sent() for name, value in changed.items()}
        tx.announce(OrganizationPermissionsChanged(data=data), Everyone())
    if tx.organization.get().hides_users_from_guests != before.hides_users_from_guests:
        for guest in tx.users.active_with_roles([Role.GUEST]):
            close_queues_of(tx, guest.id)


def store_organization(unit: Unit, after: Organization) -> None:
    """Store and announce the settings, and the fields for older clients that follow from them.

    Unchanged settings are not stored: that would make every process read them again.
    """
    svc, tx = unit.svc, unit.tx
    before = tx.organization.get()
    if after == before:
        return
    sight_before = None
    if after.waiting_period_threshold != before.waiting_period_threshold:
        sight_before = find_sight_before(unit, _groups_with_full_members(tx), lambda: _member_ids(tx))
    put_organization(unit, after)
    old_values = settings_as_sent(svc, before)
    for name, value in settings_as_sent(svc, after).items():
        if value != old_values[name]:
            tx.announce(OrganizationChanged(name=name.removeprefix("realm_"), value=value), Everyone())
    if after.default_language != before.default_language:
        tx.announce(UserDefaultsChanged(name="default_language", value=after.default_language), Everyone())
    system_members.announce_changed_waiting_period(
        tx, before.waiting_period_threshold, after.waiting_period_threshold, unit.now
    )
    announce_changed_sight(unit, sight_before)


def _groups_with_full_members(snapshot: Snapshot) -> Collection[GroupId]:
    """Return the group of full members, and all groups that contain it."""
    full_members = [SystemGroup.FULL_MEMBERS.group_id]
    return closure(full_members, snapshot.groups.edges_above(full_members))


def _member_ids(snapshot: Snapshot) -> Collection[UserId]:
    """Return the accounts of which the waiting period decides whether they are full members."""
    return [user.id for user in snapshot.users.active_with_roles([Role.MEMBER])]
