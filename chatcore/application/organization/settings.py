"""The settings of the organization: read, and changed by administrators or its own tools."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from chatcore.application.delivery.rendering import render_alone
from chatcore.application.groups import system_members
from chatcore.application.organization.setting_fields import announced_settings
from chatcore.application.services import Services
from chatcore.application.visibility.group_changes import access_before, announce_access
from chatcore.application.visibility.viewers import refresh_actor
from chatcore.domain.choices import Value, require_one_of
from chatcore.domain.errors import invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.nesting import closure
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.settings import SETTINGS
from chatcore.domain.roles import Role
from chatcore.events.audience import Everyone
from chatcore.events.types import OrganizationChanged
from chatcore.storage import Transaction


def organization_settings(svc: Services) -> Mapping[str, Value]:
    """Return the settings, by the names of `chatcore.domain.organization.settings.SETTINGS`.

    For numbers of seconds or of MiB, None is no limit; for a channel, no channel.
    """
    organization = svc.storage.read(lambda snapshot: snapshot.organization.get())
    return {name: getattr(organization, name) for name in SETTINGS}


def change_organization(svc: Services, changes: Mapping[str, object], *, by: Actor | None = None) -> None:
    """Change settings of the organization, as an administrator: everything requested, or nothing.

    *changes* has names and values of `chatcore.domain.organization.settings.SETTINGS`. With None for *by*,
    the organization's own tools change them, without a check of permissions.

    :raises InsufficientRole: the actor is no administrator, or no owner for settings that only owners change
    :raises InvalidParameter: no such setting, or an invalid value
    :raises BadRequest: an invalid name, or no such channel
    """
    if by is not None:
        require_administrator(by)  # check this before names and values
    for name in changes:
        require_one_of("name", name, SETTINGS)
    wanted: dict[str, Any] = {name: SETTINGS[name].read(name, raw) for name, raw in changes.items()}
    if "description" in wanted:
        text = wanted["description"]
        wanted["rendered_description"] = render_alone(svc, [text])[text] if text else ""

    def write(tx: Transaction) -> None:
        if by is not None:
            now_actor = refresh_actor(tx, by, svc.now)
            require_administrator(now_actor)
            for name in changes:
                SETTINGS[name].require_may_change(now_actor)
        if "new_stream_announcements_stream_id" in wanted:
            _require_channel(tx, wanted["new_stream_announcements_stream_id"])
        _store(svc, tx, replace(tx.organization.get(), **wanted))

    svc.storage.write(write)


def _require_channel(tx: Transaction, number: int | None) -> None:
    """Refuse an unknown or archived channel.

    :raises BadRequest: no such channel, or it is archived
    """
    channel = None if number is None else tx.channels.find(number)
    if number is not None and (channel is None or channel.is_archived):
        raise invalid_channel()


def _store(svc: Services, tx: Transaction, after: Organization) -> None:
    """Store and announce the settings, and the fields for older clients that follow from them."""
    before = tx.organization.get()
    sees = None
    if after.waiting_period_threshold != before.waiting_period_threshold:
        sees = access_before(svc, tx, _groups_with_full_members(tx), lambda: _members(tx))
    tx.organization.put(after)
    old_values = announced_settings(svc, before)
    for name, value in announced_settings(svc, after).items():
        if value != old_values[name]:
            tx.announce(OrganizationChanged(name=name.removeprefix("realm_"), value=value), Everyone())
    system_members.waiting_period_changed(
        tx, before.waiting_period_threshold, after.waiting_period_threshold, svc.now
    )
    announce_access(svc, tx, sees)


def _groups_with_full_members(tx: Transaction) -> Collection[GroupId]:
    full_members = [SystemGroup.FULL_MEMBERS.group_id]
    return closure(full_members, tx.groups.above(full_members))


def _members(tx: Transaction) -> Collection[UserId]:
    return [user.id for user in tx.users.active_with_roles([Role.MEMBER])]
