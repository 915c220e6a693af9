"""Creation of accounts, and special permissions of single accounts."""

from collections.abc import Callable
from dataclasses import dataclass

from chatcore.application import units
from chatcore.application.channels import defaults
from chatcore.application.delivery.notices import tell_of_new_person
from chatcore.application.groups import system_members
from chatcore.application.people import welcome
from chatcore.application.people.logins import Login, login_as
from chatcore.application.people.passwords import hash_of_password
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.addresses import holder_of
from chatcore.application.visibility.bot_managers import announce_bot
from chatcore.domain.bots.settings import BotSettings
from chatcore.domain.characters import look_key
from chatcore.domain.choices import given_values
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.administration import require_administrator, require_may_appoint
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people import users as rules
from chatcore.domain.people.bot_roles import require_role_within
from chatcore.domain.people.setting_values import starting_fields
from chatcore.domain.people.users import BotType, User
from chatcore.domain.roles import Role
from chatcore.events.audience import Everyone
from chatcore.events.happened import UserAdded
from chatcore.events.payloads.users import person
from chatcore.storage import Snapshot
from chatcore.storage.people.users import NewUser as StoredUser
from chatcore.storage.people.users import UserFields


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUser:
    """An account to create. A bot has no password; with `bot_owner_id` None it has no owner."""

    email: str
    full_name: str
    role: Role = Role.MEMBER
    password: str | None = None
    is_bot: bool = False
    bot_owner_id: UserId | None = None


def create_user(svc: Services, new: NewUser, *, by: Actor | None = None) -> Login:
    """Create an account. *by* is None for the organization's own tools, which need no permission.

    :raises InsufficientRole: the actor is not an administrator, or not an owner and creates an owner or an
        owner's bot
    :raises BotRoleAboveOwner: a bot whose role is above its owner's
    :raises BadRequest: no permission, an address that is invalid, taken or refused by the organization, an
        invalid name or password, an owner who is not a person with an active account, or an owner of an
        account that is not a bot
    """
    if by is not None:  # check permissions before the slow hash
        _require_may_create(svc, by, new)
    return login_as(svc, _create_account(svc, by, new, check_and_hash(svc, new)))


@unit_of_work
def _create_account(unit: Unit, me: Actor | None, new: NewUser, password_hash: str | None) -> User:
    if me is not None:
        _require_may_create.within(unit, me, new)
        if not new.is_bot:
            unit.tx.organization.get().require_address(new.email.strip())
    return add_user(unit, new, password_hash)


def check_and_hash(svc: Services, new: NewUser) -> str | None:
    """Check the address, name and password of a new account, and return the hash of the password, if it has
    one. This comes before the unit of work, as hashing is slow.

    :raises BadRequest: an invalid address, name or password
    """
    rules.checked_email_address(new.email, svc.settings.host)
    rules.checked_full_name(new.full_name, svc.limits)
    return None if new.password is None else hash_of_password(svc, new.password)


def add_user(
    unit: Unit,
    new: NewUser,
    password_hash: str | None,
    *,
    join_channels: Callable[[User], None] | None = None,
    welcome_text: str | None = None,
) -> User:
    """Store and announce a new account, whose permission the caller has checked.

    *join_channels* brings the new person into channels, by default into the default channels; *welcome_text*
    ends the welcome in place of the organization's text.

    :raises BotRoleAboveOwner: a bot whose role is above its owner's
    :raises BadRequest: an address that is invalid or taken, an invalid name, or an owner who is not a person
        with an active account
    """
    email = rules.checked_email_address(new.email, unit.svc.settings.host)
    name = rules.checked_full_name(new.full_name, unit.limits)
    if new.bot_owner_id is not None:
        owner = _owner_of(unit.tx, new)
        if owner is None or owner.is_bot or not owner.is_active or not new.is_bot:
            raise BadRequest("Bots are owned by people with active accounts, and nothing else is.")
    fields: StoredUser = {
        "email": email,
        "full_name": name,
        "role": new.role,
        "is_bot": new.is_bot,
        "bot_type": int(BotType.GENERIC) if new.is_bot else None,
        "bot_owner_id": new.bot_owner_id,
        "date_joined": unit.now,
        "password_hash": password_hash,
    }
    return add_account(unit, fields, join_channels=join_channels, welcome_text=welcome_text)


def add_account(
    unit: Unit,
    fields: StoredUser,
    settings: BotSettings | None = None,
    *,
    join_channels: Callable[[User], None] | None = None,
    welcome_text: str | None = None,
) -> User:
    """Store and announce an account, whose address and name are checked; *settings* are those of a bot.

    *join_channels* and *welcome_text* are as for `add_user`.

    :raises BotRoleAboveOwner: a bot whose role is above its owner's
    :raises BadRequest: the address or the name is taken, or there are too many accounts
    """
    if (owner_id := fields.get("bot_owner_id")) is not None:
        require_role_within(unit.tx.users.get(owner_id), fields.get("role", Role.MEMBER))
    if holder_of(unit, fields["email"]) is not None:
        raise BadRequest(f"Email '{fields['email']}' already in use")
    if unit.tx.users.count() >= unit.limits.max_users:
        raise BadRequest(f"There can be {unit.limits.max_users} accounts at most, deactivated ones too.")
    organization = unit.tx.organization.get()
    if organization.require_unique_names:
        require_unique_name(unit.tx, fields["full_name"])
    starting = starting_fields(organization, is_bot=fields["is_bot"])
    fields["settings"], fields["email_visibility"] = starting["settings"], starting["email_visibility"]
    user = unit.tx.users.add(fields)
    noted = {name: getattr(user, name) for name in ("email", "full_name", "role", "bot_type", "bot_owner_id")}
    unit.record(AuditKind.ACCOUNT_CREATED, user.id, after=given_values(**noted), by=user.id)
    if settings is not None:
        unit.tx.bots.put(user.id, settings)
    unit.tx.announce(UserAdded(person=person(user, unit.svc.settings.host)), Everyone())
    if user.is_bot:
        announce_bot(unit, user)
    system_members.announce_new_account(unit.tx, user, unit.now)
    if join_channels is None:
        defaults.join_defaults(unit, user)
    else:
        join_channels(user)
    welcome.greet(unit, user, welcome_text)
    if not user.is_bot:
        tell_of_new_person(unit, user)
    return user


@read_only
def _require_may_create(view: View, me: Actor, new: NewUser) -> None:
    """Refuse an actor who may not create this account, with the errors of `create_user`."""
    owner = _owner_of(view.snapshot, new)
    require_administrator(me)
    if me.is_bot or not view.snapshot.users.get(me.user_id).can_create_users:
        raise BadRequest("User not authorized to create users")
    roles = [new.role] if owner is None else [new.role, owner.role]
    require_may_appoint(me, *roles)


def _owner_of(snapshot: Snapshot, new: NewUser) -> User | None:
    return None if new.bot_owner_id is None else snapshot.users.find(new.bot_owner_id)


def require_unique_name(snapshot: Snapshot, name: str, *, user_id: UserId | None = None) -> None:
    """Refuse a name that another user has.

    :raises BadRequest: a user other than *user_id* has the name, or one that looks the same
    """
    identity = look_key(name)
    if any(look_key(user.full_name) == identity for user in snapshot.users.all() if user.id != user_id):
        raise BadRequest("Unique names required in this organization.")


def allow_email_changes(svc: Services, email: str, *, allowed: bool = True) -> None:
    """Grant or revoke the special permission to change other people's addresses, which only owners can use;
    for the organization's own tools.

    :raises BadRequest: no such user, or a bot
    """
    units.write(svc, _set_special_permission, email, {"can_change_user_emails": allowed})


def allow_creating_users(svc: Services, email: str, *, allowed: bool = True) -> None:
    """Grant or revoke the special permission to create accounts, which only administrators can use; for the
    organization's own tools.

    :raises BadRequest: no such user, or a bot
    """
    units.write(svc, _set_special_permission, email, {"can_create_users": allowed})


def _set_special_permission(unit: Unit, email: str, permissions: UserFields) -> None:
    user = unit.tx.users.find_by_email(email)
    if user is None or user.is_bot:
        raise BadRequest(f"There is no such account of a person: '{email}'")
    changed = {name: value for name, value in permissions.items() if getattr(user, name) != value}
    if changed:
        before = {name: getattr(user, name) for name in changed}
        unit.tx.users.update(user.id, **permissions)
        unit.record(AuditKind.SPECIAL_PERMISSION_CHANGED, user.id, before=before, after=changed)
