"""Who may deactivate and reactivate whom, and whose account has to stay."""

from collections.abc import Collection

from chatcore.domain.administration import require_administrator, require_owner
from chatcore.domain.errors import BadRequest, CannotDeactivateLastUser
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.roles import Role
from chatcore.domain.users import User

MAX_COMMENT_LENGTH = 2000
"""Characters of what an administrator says about a deactivation."""


def require_may_change_state(actor: Actor, user: User) -> None:
    """Only an owner takes the owner role out of use, or brings it back.

    :raises InsufficientRole:
    """
    require_administrator(actor)
    if user.role == Role.OWNER:
        require_owner(actor)


def require_may_leave(user: User, owners: Collection[UserId], active_people: int) -> None:
    """Refuse to deactivate one's own account where it is the only one of its kind.

    :raises CannotDeactivateLastUser:
    """
    is_last_owner = set(owners) == {user.id}
    if is_last_owner or active_people == 1:
        raise CannotDeactivateLastUser(is_last_owner=is_last_owner)


def require_may_be_deactivated(user: User, owners: Collection[UserId]) -> None:
    """:raises BadRequest: an account that is not in use, or the only owner's"""
    if not user.is_active:
        raise BadRequest("User is already deactivated")
    if set(owners) == {user.id}:
        raise BadRequest("Cannot deactivate the only organization owner")
