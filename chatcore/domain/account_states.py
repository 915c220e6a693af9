"""Who may deactivate and reactivate whom, and whose account has to stay."""

from chatcore.domain.administration import require_administrator, require_may_appoint
from chatcore.domain.errors import BadRequest, CannotDeactivateLastUser
from chatcore.domain.groups import Actor
from chatcore.domain.users import User

MAX_COMMENT_LENGTH = 2000
"""Characters of what an administrator says about a deactivation."""


def require_may_change_state(actor: Actor, user: User) -> None:
    """Only an owner takes the owner role out of use, or brings it back.

    :raises InsufficientRole:
    """
    require_administrator(actor)
    require_may_appoint(actor, user.role)


def require_may_leave(*, is_only_owner: bool, active_people: int) -> None:
    """Refuse to deactivate one's own account where it is the only one of its kind.

    :raises CannotDeactivateLastUser:
    """
    if is_only_owner or active_people == 1:
        raise CannotDeactivateLastUser(is_last_owner=is_only_owner)


def require_may_be_deactivated(user: User, *, is_only_owner: bool) -> None:
    """:raises BadRequest: an account that is not in use, or the only owner's"""
    if not user.is_active:
        raise BadRequest("User is already deactivated")
    if is_only_owner:
        raise BadRequest("Cannot deactivate the only organization owner")
