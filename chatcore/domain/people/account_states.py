"""Permissions to deactivate and reactivate accounts, and the accounts that must stay."""

from chatcore.domain.errors import BadRequest, CannotDeactivateLastUser
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.administration import require_administrator, require_may_appoint
from chatcore.domain.people.users import User

MAX_COMMENT_LENGTH = 2000
"""Characters of an administrator's comment on a deactivation."""


def require_may_change_state(actor: Actor, user: User, owner: User | None) -> None:
    """Check that the actor may deactivate or reactivate an account; for an owner's account and for a bot of
    an owner, only owners may. *owner* is the person whose bot the account is.

    :raises InsufficientRole: not an administrator, or not an owner where one is required
    """
    require_administrator(actor)
    roles = [user.role] if owner is None else [user.role, owner.role]
    require_may_appoint(actor, *roles)


def require_may_deactivate_self(*, is_only_owner: bool, active_people: int) -> None:
    """Refuse to deactivate the actor's own account if it is the last owner or the last active person.

    :raises CannotDeactivateLastUser: it is the last one
    """
    if is_only_owner or active_people == 1:
        raise CannotDeactivateLastUser(is_last_owner=is_only_owner)


def require_may_be_deactivated(user: User, *, is_only_owner: bool) -> None:
    """Check that an account may be deactivated.

    :raises BadRequest: already deactivated, or the only owner
    """
    if not user.is_active:
        raise BadRequest("User is already deactivated")
    if is_only_owner:
        raise BadRequest("Cannot deactivate the only organization owner")
