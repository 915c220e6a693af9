"""Actions reserved for administrators or owners of the organization."""

from chatcore.domain.errors import InsufficientRole
from chatcore.domain.groups.actors import Actor
from chatcore.domain.roles import Role


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
        raise InsufficientRole("Must be an organization owner")


def require_may_appoint(actor: Actor, *roles: Role) -> None:
    """Check that the actor may grant or take *roles*: only owners may do so with the role of owner.

    :raises InsufficientRole: not an owner
    """
    if Role.OWNER in roles:
        require_owner(actor)
