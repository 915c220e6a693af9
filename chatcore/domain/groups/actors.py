"""Actors: users who act, with what permission checks need."""

from dataclasses import dataclass

from chatcore.domain.ids import GroupId, UserId
from chatcore.domain.roles import Role


@dataclass(frozen=True, slots=True)
class Actor:
    """A user who acts, with everything that a permission check needs.

    `group_ids` contains every group the user is in, directly or through subgroups, including system groups. A
    bot carries its owner, because some permissions pass from the owner to the bot.
    """

    user_id: UserId
    role: Role
    group_ids: frozenset[GroupId]
    is_bot: bool = False
    bot_type: int | None = None
    owner: "Actor | None" = None

    @property
    def is_guest(self) -> bool:
        return self.role == Role.GUEST
