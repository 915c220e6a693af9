"""Administrators' changes to accounts: name, role, profile and address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chatcore.application import units
from chatcore.application.groups import system_members
from chatcore.application.people.credentials import renew_lent_keys, store_new_key
from chatcore.application.people.identity import (
    announce_changes,
    change_address,
    is_only_owner,
    rename,
    require_not_erased,
)
from chatcore.application.people.profiles import (
    Entry,
    Rendered,
    change_values,
    render_values,
    require_profile,
)
from chatcore.application.people.role_visibility import announce_visibility
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.addresses import find_user
from chatcore.application.visibility.bot_managers import owner_of
from chatcore.application.visibility.users import find_known, no_such_user
from chatcore.domain.errors import BadRequest, InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator, require_may_appoint
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.bot_roles import require_role_within
from chatcore.domain.people.users import User, may_change_addresses
from chatcore.domain.rate_limits import EMAIL_CHANGE_BY_USER
from chatcore.domain.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class UserChange:
    """The requested changes of an account; None or a blank name leaves a part unchanged."""

    full_name: str | None = None
    role: int | None = None
    profile_data: Sequence[Entry] = ()
    new_email: str | None = None


def update_user(svc: Services, actor: Actor, target: int | str, change: UserChange) -> None:
    """Change the account with this id or address: all requested changes, or none.

    :raises InsufficientRole: a non-administrator wants to change a bot of their own; any other account is
        answered by `BadRequest`, so that it does not show whether the account exists
    :raises InsufficientRole: the role of an owner or of an owner's bot changes, or another user becomes an
        owner; the actor is not an owner
    :raises BotRoleAboveOwner: a bot would have a role above its owner's
    :raises PersonErased: the account was erased
    :raises BadRequest: the actor is not an administrator, no such user, or an invalid value
    :raises RateLimited: too many changes of the actor's own address
    """
    if not actor.role.is_administrator:
        _refuse_non_administrator(svc, actor, target)
    _update_account(svc, actor, target, change, render_values(svc, actor, change.profile_data))


@unit_of_work
def _update_account(unit: Unit, me: Actor, target: int | str, change: UserChange, rendered: Rendered) -> None:
    require_administrator(me)
    user = _find_account(unit, me, target)
    if change.new_email is not None:
        user = _change_address(unit, me, user, change.new_email)
    if change.role is not None:
        user = appoint(unit, me, user, change.role)
    if change.full_name is not None and change.full_name.strip():
        user = rename(unit, user, change.full_name)
    if change.profile_data:
        require_profile(user)
        change_values(unit, me, user.id, change.profile_data, rendered)


@read_only
def _refuse_non_administrator(view: View, me: Actor, target: int | str) -> None:
    """Refuse a change by an actor who is not an administrator. The answer is the same whether the account
    exists or not, except for the actor's own bots.
    """
    user = find_user(view, me, target)
    if user is not None and user.bot_owner_id == me.user_id:
        require_administrator(me)
    raise InsufficientPermission


def _find_account(view: View, me: Actor, target: int | str) -> User:
    """Return the account with this id or address that an administrator may change.

    :raises PersonErased: the account was erased
    :raises BadRequest: no such account, or the notification bot
    """
    user = find_known(view, me, target)
    if user.id == view.snapshot.organization.get().notification_bot_id:
        raise no_such_user()
    require_not_erased(view.snapshot, user)
    return user


def _change_address(unit: Unit, me: Actor, user: User, raw: str) -> User:
    if not may_change_addresses(unit.tx.users.get(me.user_id)):
        raise BadRequest("User not authorized to change user emails")
    if user.id == me.user_id:
        unit.svc.rate_limits.spend(EMAIL_CHANGE_BY_USER, f"account {user.id}")
    return change_address(unit, user, raw)


def appoint(unit: Unit, actor: Actor, user: User, role_number: int) -> User:
    """Give an account another role, as an administrator, and return it.

    :raises InsufficientRole: the actor is no administrator; or no owner, and the role of an owner or of an
        owner's bot changes, or another user becomes an owner
    :raises BotRoleAboveOwner: a bot would have a role above its owner's
    :raises BadRequest: no such role, the only owner, or a guest as administrator
    """
    if role_number not in set(Role):
        raise BadRequest("Invalid role")
    role = Role(role_number)
    if role != user.role:
        require_administrator(actor)
        owner = owner_of(unit.tx, user)
        roles = [role, user.role] if owner is None else [role, user.role, owner.role]
        require_may_appoint(actor, *roles)
    return change_role(unit, user, role)


def set_role(svc: Services, email: str, role: Role) -> None:
    """Set the role of the account with this address; for the organization's own tools.

    :raises BotRoleAboveOwner: a bot would have a role above its owner's
    :raises PersonErased: the account was erased
    :raises BadRequest: no such account, the only owner, or a guest as administrator
    """
    units.write(svc, _set_role, email, role)


def _set_role(unit: Unit, email: str, role: Role) -> None:
    user = unit.tx.users.find_by_email(email)
    if user is None or user.id == unit.tx.organization.get().notification_bot_id:
        raise no_such_user()
    require_not_erased(unit.tx, user)
    change_role(unit, user, role)


def change_role(unit: Unit, old: User, role: Role) -> User:
    """Store and announce a new role, if it is another; bots of a person follow, so that none is above its
    owner. Return the account as it is now.

    :raises BotRoleAboveOwner: a bot would have a role above its owner's
    :raises BadRequest: the only owner, or a guest as administrator
    """
    if role == old.role:
        return old
    if old.role == Role.GUEST and role.is_administrator:
        raise BadRequest("Guests cannot be administrators; make the account a member first.")
    if is_only_owner(unit.tx, old):
        raise BadRequest("The owner permission cannot be removed from the only organization owner.")
    require_role_within(owner_of(unit.tx, old), role)
    user = _store_role(unit, old, role)
    _lower_roles_of_bots(unit, user)
    renew_lent_keys(unit, user.id)
    return user


def _lower_roles_of_bots(unit: Unit, owner: User) -> None:
    """Give the owner's role to the bots that have a higher one."""
    for bot in unit.tx.users.all():
        if bot.bot_owner_id == owner.id and bot.role < owner.role:
            # Its key, and what its queues have read, were those of more permissions.
            store_new_key(unit, _store_role(unit, bot, owner.role), holder=None)


def _store_role(unit: Unit, old: User, role: Role) -> User:
    """Store and announce the role of a single account; return the account as it is now."""
    actor_before = unit.tx.users.actors([old.id], unit.now).get(old.id)
    unit.tx.users.update(old.id, role=role)
    unit.record(AuditKind.ROLE_CHANGED, old.id, before={"role": old.role}, after={"role": role})
    user = replace(old, role=role)
    announce_changes(unit.tx, old.id, {"role": int(role)})
    if actor_before is not None:  # the account is active
        system_members.announce_changed_role(unit.tx, old, user, unit.now)
        announce_visibility(unit, actor_before)
    return user
