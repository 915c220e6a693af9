"""Logging in as a person for whom a provider vouches. The account is found by the provider's name for the
person, else by the address, else made, if the organization permits it.
"""

from collections.abc import Callable
from contextlib import suppress

from chatcore.application import units
from chatcore.application.groups import members
from chatcore.application.invitations.joining import join_with_address
from chatcore.application.people.accounts import NewUser, require_unique_name
from chatcore.application.people.administration import change_role
from chatcore.application.people.identity import is_only_owner, rename
from chatcore.application.people.logins import Login, count_attempt, login_as, record_login
from chatcore.application.people.sessions import Begun, Browser, draw_token, store_session
from chatcore.application.services import Services
from chatcore.application.units import Unit, require_open
from chatcore.domain.errors import BadRequest, UserDeactivated
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.users import User, api_email, checked_full_name
from chatcore.domain.roles import Role
from chatcore.domain.sign_on.external_identities import (
    AddressNotVerified,
    BadIdentity,
    ExternalIdentity,
    IdentityConflict,
    require_unmistakable,
)


def log_in_as(svc: Services, identity: ExternalIdentity, user_agent: str = "") -> Login:
    """Return the address and API key of a person for whom a provider vouches; the account has the name, role
    and groups that the provider says then. *user_agent* is what the person's program calls itself.

    :raises BadIdentity: no subject, or one that cannot be stored
    :raises AddressNotVerified: the person is new here, and the identity has no address
    :raises IdentityConflict: the account with the address is a bot's, or has another identity at the provider
    :raises InvitationRequired: the person is new here, and one needs an invitation to join
    :raises BadRequest: the person is new here, and the address is refused, or there are too many accounts
    :raises UserDeactivated: the account is deactivated
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    user = _enter_as(svc, identity, lambda unit, user: record_login(unit, user, user_agent))
    return login_as(svc, user)


def begin_session_as(svc: Services, identity: ExternalIdentity, browser: Browser) -> Begun:
    """Begin a session of a browser for a person for whom a provider vouches; else as `log_in_as`.

    :raises ChatError: as `log_in_as` does
    """
    token = draw_token()
    user = _enter_as(svc, identity, lambda unit, user: store_session(unit, user, browser, token))
    return Begun(user.id, api_email(user, svc.settings.host), token)


def _enter_as(svc: Services, identity: ExternalIdentity, enter: Callable[[Unit, User], None]) -> User:
    """Find or create the person's account, and call *enter* with it in the same unit of work."""
    with count_attempt(svc):
        if not identity.has_subject:
            raise BadIdentity
        return units.write(svc, _enter_account, identity, enter)


def _enter_account(unit: Unit, identity: ExternalIdentity, enter: Callable[[Unit, User], None]) -> User:
    require_open(unit)
    user = _find_by_subject(unit, identity) or _link_by_address(unit, identity) or _join_as(unit, identity)
    if not user.is_active:
        raise UserDeactivated
    user = _apply_identity(unit, user, identity)
    enter(unit, user)
    return user


def _find_by_subject(unit: Unit, identity: ExternalIdentity) -> User | None:
    user_id = unit.tx.external_identities.find(identity.provider, identity.subject)
    return None if user_id is None else unit.tx.users.get(user_id)


def _link_by_address(unit: Unit, identity: ExternalIdentity) -> User | None:
    """Link the account with the person's address to the identity, and return it. A deactivated one is
    returned without a link; None if there is no such account.

    :raises AddressNotVerified: the provider vouches for no address
    :raises IdentityConflict: the account is a bot, or is linked to another identity of this provider
    :raises BadRequest: the address can be mistaken for another one
    """
    if not identity.email:
        raise AddressNotVerified
    require_unmistakable(identity.email)
    user = unit.tx.users.find_by_email(identity.email.strip())
    if user is None:
        return None
    if user.is_bot or identity.provider in unit.tx.external_identities.of_user(user.id):
        raise IdentityConflict
    if user.is_active:
        _link_identity(unit, user, identity)
    return user


def _join_as(unit: Unit, identity: ExternalIdentity) -> User:
    role = Role.MEMBER if identity.role is None else identity.role
    new = NewUser(email=identity.email, full_name=_name_for(unit, identity), role=role)
    user = join_with_address(unit, new)
    _link_identity(unit, user, identity)
    return user


def _name_for(unit: Unit, identity: ExternalIdentity) -> str:
    """Return the best name that a new account can have: one that cannot be used here keeps nobody out."""
    for name in (identity.full_name, identity.email.partition("@")[0]):
        with suppress(BadRequest):
            checked_full_name(name, unit.limits)
            if unit.tx.organization.get().require_unique_names:
                require_unique_name(unit.tx, name)
            return name
    return f"New person {unit.tx.users.count() + 1}"


def _link_identity(unit: Unit, user: User, identity: ExternalIdentity) -> None:
    unit.tx.external_identities.add(identity.provider, identity.subject, user.id)
    unit.record(AuditKind.IDENTITY_LINKED, user.id, after={"provider": identity.provider}, by=user.id)


def _apply_identity(unit: Unit, user: User, identity: ExternalIdentity) -> User:
    """Give an account the name, role and groups that the provider says; return the account as it is now."""
    if identity.full_name.strip():
        with suppress(BadRequest):  # a name that cannot be used here keeps nobody out
            user = rename(unit, user, identity.full_name)
    if identity.role is not None:
        user = _give_role(unit, user, identity.role)
    if identity.groups is not None:
        me = unit.tx.users.actors([user.id], unit.now)[user.id]
        members.follow(unit, me, identity.groups, among=identity.managed_groups)
    return user


def _give_role(unit: Unit, user: User, role: Role) -> User:
    """Give the role that the provider says; the only owner stays one, and a guest becomes a member first."""
    if role != user.role and is_only_owner(unit.tx, user):
        return user
    if user.role == Role.GUEST and role.is_administrator:
        user = change_role(unit, user, Role.MEMBER)
    return change_role(unit, user, role)


def forget_identities(svc: Services, email: str) -> None:
    """Forget the identities of the account with this address, so that it is found by its address again; for
    the organization's own tools.

    :raises BadRequest: no such account
    """
    units.write(svc, _forget_identities, email)


def _forget_identities(unit: Unit, email: str) -> None:
    user = unit.tx.users.find_by_email(email)
    if user is None:
        raise BadRequest(f"There is no account '{email}'")
    if providers := unit.tx.external_identities.of_user(user.id):
        unit.tx.external_identities.remove_of_user(user.id)
        unit.record(AuditKind.IDENTITIES_FORGOTTEN, user.id, before={"providers": sorted(providers)})
