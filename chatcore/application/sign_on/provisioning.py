"""Accounts and groups that a login service provisions, by SCIM.

The service acts as the organization's own tools do, without an account of its own. What needs somebody who
may make or manage a group is done for the owner whose account is the oldest.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from hmac import compare_digest

from chatcore.application import units
from chatcore.application.groups import editing, members
from chatcore.application.groups.editing import GroupChanges, NewGroup
from chatcore.application.people.accounts import NewUser, add_user
from chatcore.application.people.administration import change_role
from chatcore.application.people.deactivation import deactivate_with_bots, reactivate_user
from chatcore.application.people.identity import (
    change_address,
    is_only_owner,
    oldest_owner,
    rename,
    require_not_erased,
)
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, require_open
from chatcore.application.visibility.addresses import holder_of
from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, Unauthorized
from chatcore.domain.groups.groups import Group, checked_group_name
from chatcore.domain.ids import UserId
from chatcore.domain.organization.audit import AuditKind, OriginKind
from chatcore.domain.people.account_states import require_may_be_deactivated
from chatcore.domain.people.users import User
from chatcore.domain.roles import Role
from chatcore.domain.sign_on.external_identities import MAX_SUBJECT_LENGTH, require_unmistakable
from chatcore.domain.sign_on.provisioning import (
    PROVISIONER,
    AlreadyTaken,
    ChangeGroup,
    ChangePerson,
    NoSuchResource,
    OwnersAreKept,
    ProvisionedGroup,
    ProvisionedPerson,
    ProvisioningOff,
)


def require_provisioner(svc: Services, header: str | None) -> Services:
    """Return the services for a request with this Authorization header.

    :raises ProvisioningOff: the server's settings have no token
    :raises Unauthorized: the header has another one
    """
    if not svc.settings.scim_token:
        raise ProvisioningOff
    scheme, _, token = (header or "").partition(" ")
    expected = svc.settings.scim_token.encode()
    if scheme.lower() != "bearer" or not compare_digest(token.strip().encode("utf-8", "replace"), expected):
        raise Unauthorized("Send the token of the server's settings, as 'Bearer TOKEN'.")
    # The person whose account is made or changed does not act, though nobody else has an account here.
    return svc.asked_by(replace(svc.origin, kind=OriginKind.PROGRAM))


# -- people -----------------------------------------------------------------------------------------


def list_people(
    svc: Services, *, email: str | None = None, external_id: str | None = None, start: int = 0, count: int
) -> tuple[int, Sequence[ProvisionedPerson]]:
    """Return how many people there are, and those from *start* on, by id; only those with this address or id
    of the service, if one is given. Bots are left out.
    """
    return units.read(svc, _list_people, email, external_id, start, count)


def _list_people(
    view: View, email: str | None, external_id: str | None, start: int, count: int
) -> tuple[int, Sequence[ProvisionedPerson]]:
    require_open(view)
    if email is None and external_id is None:
        found: list[User] = [user for user in view.snapshot.users.all() if not user.is_bot]
    else:
        found = _find_people(view, email, external_id)
    return len(found), _provisioned_people(view, found[start : start + count])


def _find_people(view: View, email: str | None, external_id: str | None) -> list[User]:
    user = None
    if email is not None and is_storable(email):
        user = view.snapshot.users.find_by_email(email)
    elif external_id is not None and is_storable(external_id):
        user_id = view.snapshot.external_identities.find(PROVISIONER, external_id)
        user = None if user_id is None else view.snapshot.users.get(user_id)
    return [] if user is None or user.is_bot else [user]


def get_person(svc: Services, user_id: int) -> ProvisionedPerson:
    """Return the account of a person.

    :raises NoSuchResource: there is none
    """
    return units.read(svc, lambda view: _provisioned_person(view, _existing_person(view, user_id)))


def add_person(svc: Services, new: ProvisionedPerson) -> ProvisionedPerson:
    """Create the account of a person.

    :raises AlreadyTaken: the address, or the id of the service, is somebody else's
    :raises OwnersAreKept: an owner
    :raises BadRequest: an address, name or id that cannot be used, or too many accounts
    """
    return units.write(svc, _add_person, new)


def _add_person(unit: Unit, new: ProvisionedPerson) -> ProvisionedPerson:
    require_open(unit)
    _require_free_address(unit, None, new.email)
    unit.tx.organization.get().require_address(new.email.strip())
    if new.role == Role.OWNER:
        raise OwnersAreKept
    user = add_user(unit, NewUser(email=new.email, full_name=new.full_name, role=new.role), None)
    _give_external_id(unit, user, before="", after=new.external_id)
    if not new.is_active:
        deactivate_with_bots(unit, user)
    return _provisioned_person(unit, unit.tx.users.get(user.id))


def change_person(svc: Services, user_id: int, change: ChangePerson) -> ProvisionedPerson:
    """Change an account as *change* says of the present one: all of it, or nothing.

    :raises NoSuchResource: there is no such person
    :raises AlreadyTaken, OwnersAreKept: as `add_person` does; also if an owner's role or address changes
    :raises PersonErased: the account was erased
    :raises BadRequest: a value that cannot be used, or the only owner would be deactivated
    """
    return units.write(svc, _change_person, user_id, change)


def _change_person(unit: Unit, user_id: int, change: ChangePerson) -> ProvisionedPerson:
    require_open(unit)
    user = _existing_person(unit, user_id)
    before = _provisioned_person(unit, user)
    after = change(before)
    if after != before:
        require_not_erased(unit.tx, user)
        _store_person(unit, user, before, after)
    return _provisioned_person(unit, unit.tx.users.get(user.id))


def _store_person(unit: Unit, user: User, before: ProvisionedPerson, after: ProvisionedPerson) -> None:
    if after.role != before.role or after.email != before.email:
        if Role.OWNER in (before.role, after.role):
            raise OwnersAreKept
        _require_free_address(unit, user, after.email)
    if after.is_active and not before.is_active:
        reactivate_user.within(unit, None, user.id)
        user = unit.tx.users.get(user.id)
    if after.full_name != before.full_name:
        user = rename(unit, user, after.full_name)
    user = change_role(unit, change_address(unit, user, after.email), after.role)
    _give_external_id(unit, user, before=before.external_id, after=after.external_id)
    if before.is_active and not after.is_active:
        _deactivate(unit, user)


def deactivate_person(svc: Services, user_id: int) -> None:
    """Deactivate an account and its bots; one that is deactivated already stays so.

    :raises NoSuchResource: there is no such person
    :raises BadRequest: the only owner
    """
    change_person(svc, user_id, lambda person: replace(person, is_active=False))


def _deactivate(unit: Unit, user: User) -> None:
    """Deactivate an account and its bots.

    :raises BadRequest: the only owner
    """
    require_may_be_deactivated(user, is_only_owner=is_only_owner(unit.tx, user))
    deactivate_with_bots(unit, user)


def _existing_person(view: View, user_id: int) -> User:
    """Return the person with an id.

    :raises OrganizationDeactivated:
    :raises NoSuchResource: nobody has the id, or a bot
    """
    require_open(view)
    user = view.snapshot.users.find(user_id)
    if user is None or user.is_bot:
        raise NoSuchResource
    return user


def _provisioned_person(view: View, user: User) -> ProvisionedPerson:
    (person,) = _provisioned_people(view, [user])
    return person


def _provisioned_people(view: View, users: Sequence[User]) -> Sequence[ProvisionedPerson]:
    external_ids = view.snapshot.external_identities.subjects(PROVISIONER, [user.id for user in users])
    return [
        ProvisionedPerson(
            id=user.id,
            email=user.email,
            full_name=user.full_name,
            role=user.role,
            is_active=user.is_active,
            external_id=external_ids.get(user.id, ""),
        )
        for user in users
    ]


def _require_free_address(unit: Unit, user: User | None, email: str) -> None:
    require_unmistakable(email)
    if (holder := holder_of(unit, email.strip())) is not None and holder != user:
        raise AlreadyTaken("address")


def _give_external_id(unit: Unit, user: User, *, before: str, after: str) -> None:
    """Store another id of the service for a person; an empty one leaves the present id.

    :raises AlreadyTaken: another person has the id
    :raises BadRequest: it is too long, or has characters that cannot be stored
    """
    if after == before or not after:
        return
    if len(after) > MAX_SUBJECT_LENGTH or not is_storable(after):
        raise BadRequest(f"externalId has 1 to {MAX_SUBJECT_LENGTH} characters")
    if unit.tx.external_identities.find(PROVISIONER, after) is not None:
        raise AlreadyTaken("externalId")
    unit.tx.external_identities.remove_of_user(user.id, PROVISIONER)
    unit.tx.external_identities.add(PROVISIONER, after, user.id)
    unit.record(AuditKind.IDENTITY_LINKED, user.id, after={"provider": PROVISIONER})


# -- groups -----------------------------------------------------------------------------------------


def list_groups(
    svc: Services, *, name: str | None = None, start: int = 0, count: int
) -> tuple[int, Sequence[ProvisionedGroup]]:
    """Return how many active groups there are, and those from *start* on, by id; only the one with this name,
    if one is given. System groups are left out.
    """
    return units.read(svc, _list_groups, name, start, count)


def _list_groups(
    view: View, name: str | None, start: int, count: int
) -> tuple[int, Sequence[ProvisionedGroup]]:
    require_open(view)
    groups = view.snapshot.groups.all()
    found = [group for group in groups if _is_shown(group) and name in (None, group.name)]
    return len(found), _provisioned_groups(view, found[start : start + count])


def get_group(svc: Services, group_id: int) -> ProvisionedGroup:
    """Return a group.

    :raises NoSuchResource: there is none
    """
    return units.read(svc, lambda view: _provisioned_group(view, _existing_group(view, group_id)))


def add_group(svc: Services, new: ProvisionedGroup) -> ProvisionedGroup:
    """Create a group.

    :raises AlreadyTaken: there is a group of this name
    :raises BadRequest: a name or member that cannot be used, or too many groups
    """
    return units.write(svc, _add_group, new)


def _add_group(unit: Unit, new: ProvisionedGroup) -> ProvisionedGroup:
    require_open(unit)
    name = _free_name(unit, new.name)
    new_group = NewGroup(name=name, description="", members=_require_people(unit, new.members))
    group_id = editing.store_group.within(unit, oldest_owner(unit), new_group)
    return _provisioned_group(unit, _existing_group(unit, group_id))


def change_group(svc: Services, group_id: int, change: ChangeGroup) -> ProvisionedGroup:
    """Change a group as *change* says of the present one: all of it, or nothing.

    :raises NoSuchResource: there is no such group
    :raises AlreadyTaken, BadRequest: as `add_group` does
    """
    return units.write(svc, _change_group, group_id, change)


def _change_group(unit: Unit, group_id: int, change: ChangeGroup) -> ProvisionedGroup:
    group = _existing_group(unit, group_id)
    before = _provisioned_group(unit, group)
    after = change(before)
    owner = oldest_owner(unit)
    if after.name != before.name:
        renamed = GroupChanges(name=_free_name(unit, after.name, group))
        editing.store_changes.within(unit, owner, group.id, renamed)
    added = _require_people(unit, after.members - before.members)
    members.change_silently(unit, owner, group, added, before.members - after.members)
    return _provisioned_group(unit, _existing_group(unit, group_id))


def deactivate_group(svc: Services, group_id: int) -> None:
    """Deactivate a group, which keeps its name, members and settings.

    :raises NoSuchResource: there is no such group
    :raises GroupInUse: an active setting or group uses it
    """
    units.write(svc, _deactivate_group, group_id)


def _deactivate_group(unit: Unit, group_id: int) -> None:
    editing.deactivate.within(unit, oldest_owner(unit), _existing_group(unit, group_id).id)


def _is_shown(group: Group) -> bool:
    return not group.is_system_group and not group.deactivated


def _existing_group(view: View, group_id: int) -> Group:
    """Return the active group with an id.

    :raises OrganizationDeactivated:
    :raises NoSuchResource: no group has the id, or one that is deactivated or a system group
    """
    require_open(view)
    group = view.snapshot.groups.find(group_id)
    if group is None or not _is_shown(group):
        raise NoSuchResource
    return group


def _provisioned_group(view: View, group: Group) -> ProvisionedGroup:
    (provisioned,) = _provisioned_groups(view, [group])
    return provisioned


def _provisioned_groups(view: View, groups: Sequence[Group]) -> Sequence[ProvisionedGroup]:
    accounts = view.snapshot.groups.direct_members([group.id for group in groups], view.now)
    people = _select_people(view, {user_id for user_ids in accounts.values() for user_id in user_ids})
    return [
        ProvisionedGroup(id=group.id, name=group.name, members=people.intersection(accounts[group.id]))
        for group in groups
    ]


def _select_people(view: View, user_ids: Collection[UserId]) -> frozenset[UserId]:
    """Return those of the accounts that are people."""
    return frozenset(user.id for user in view.snapshot.users.by_ids(user_ids).values() if not user.is_bot)


def _free_name(unit: Unit, raw: str, group: Group | None = None) -> str:
    name = checked_group_name(raw, unit.limits)
    if any(other != group for other in unit.tx.groups.by_names([name])):
        raise AlreadyTaken("name")
    return name


def _require_people(unit: Unit, user_ids: Collection[int]) -> frozenset[UserId]:
    """Check that each id belongs to a person, and return the ids. A person without an active account is
    refused later.

    :raises BadRequest: an id belongs to nobody, or to a bot
    """
    people = _select_people(unit, {UserId(user_id) for user_id in user_ids})
    if unknown := set(user_ids) - people:
        raise BadRequest(f"There is no person {min(unknown)}.")
    return people
