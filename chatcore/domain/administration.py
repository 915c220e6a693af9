"""What only the organization's administrators or owners may do."""

from chatcore.domain.errors import InsufficientRole
from chatcore.domain.groups import Actor
from chatcore.domain.roles import Role


def require_administrator(actor: Actor) -> None:
    """:raises InsufficientRole:"""
    if not actor.role.is_administrator:
        raise InsufficientRole("Must be an organization administrator")


def require_owner(actor: Actor) -> None:
    """:raises InsufficientRole:"""
    if actor.role != Role.OWNER:
        raise InsufficientRole("Must be an organization owner")


def require_may_appoint(actor: Actor, *roles: Role) -> None:
    """Refuse to give or take roles, also that of a bot's owner: only owners deal with owners.

    :raises InsufficientRole:
    """
    if Role.OWNER in roles:
        require_owner(actor)
