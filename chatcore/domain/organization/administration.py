"""Actions reserved for some kinds of accounts: administrators, owners, no guests, no bots."""

from typing import Final

from chatcore.domain.errors import BadRequest, InsufficientRole
from chatcore.domain.groups.actors import Actor
from chatcore.domain.roles import Role

OWNERS_ONLY: Final = "Must be an organization owner"


def require_administrator(actor: Actor) -> None:
    """Check that the actor is an administrator.

    :raises InsufficientRole: not an administrator
    """
    if not actor.role.is_administrator:
        raise InsufficientRole("Must be an organization administrator")


def require_owner(actor: Actor) -> None:
    """Check that the actor is an owner.

    :raises InsufficientRole: not an owner
    """
    if actor.role != Role.OWNER:
        raise InsufficientRole(OWNERS_ONLY)


def require_no_guest(actor: Actor) -> None:
    """Check that the actor is no guest.

    :raises BadRequest: a guest
    """
    if actor.is_guest:
        raise BadRequest("Not allowed for guest users")


def require_no_bot(actor: Actor) -> None:
    """Check that the actor is no bot.

    :raises BadRequest: a bot
    """
    if actor.is_bot:
        raise BadRequest("This endpoint does not accept bot requests.")


def require_may_appoint(actor: Actor, *roles: Role) -> None:
    """Check that the actor may grant or take *roles*: only owners may do so with the role of owner.

    :raises InsufficientRole: not an owner
    """
    if Role.OWNER in roles:
        require_owner(actor)
