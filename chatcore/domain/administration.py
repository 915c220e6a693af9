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
