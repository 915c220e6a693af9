"""The roles of bots: a bot acts for its owner, so its role is never above the owner's; and the people who may
have its key.

A bot without an owner belongs to the organization: its own tools made it, and any role fits it.
"""

from collections.abc import Iterable, Iterator

from chatcore.domain.errors import BadRequest
from chatcore.domain.people.users import User
from chatcore.domain.roles import Role


class BotRoleAboveOwner(BadRequest):
    """A bot cannot have a role above its owner's."""

    code = "BOT_ROLE_ABOVE_OWNER"

    def __init__(self) -> None:
        super().__init__("A bot cannot have more permissions than its owner.")


def require_role_within(owner: User | None, role: Role) -> None:
    """Check that a bot of this owner may have a role.

    :raises BotRoleAboveOwner: it is above the owner's
    """
    if owner is not None and role < owner.role:  # a lower number is a higher role
        raise BotRoleAboveOwner


def bots_above_owners(users: Iterable[User]) -> Iterator[tuple[User, Role]]:
    """Yield the bots whose role is above their owner's, each with the role of the owner."""
    by_id = {user.id: user for user in users}
    for bot in by_id.values():
        owner = None if bot.bot_owner_id is None else by_id.get(bot.bot_owner_id)
        if owner is not None and bot.role < owner.role:
            yield bot, owner.role


def may_have_key(holder: User, bot: User, owner: User | None) -> bool:
    """Whether somebody may have the key of another's bot: an active administrator, if neither the role of the
    bot nor that of its owner is above the holder's.
    """
    roles = [bot.role] if owner is None else [bot.role, owner.role]
    return holder.is_active and holder.role.is_administrator and holder.role <= min(roles)
