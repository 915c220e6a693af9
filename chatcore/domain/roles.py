"""The five roles and what follows from a role alone."""

from enum import IntEnum


class Role(IntEnum):
    """A lower number may do all that a higher one may."""

    OWNER = 100
    ADMINISTRATOR = 200
    MODERATOR = 300
    MEMBER = 400
    GUEST = 600

    @property
    def is_administrator(self) -> bool:
        return self <= Role.ADMINISTRATOR

    @property
    def is_moderator(self) -> bool:
        """Moderator or above, as the `is_moderator` field of register has it."""
        return self <= Role.MODERATOR


SECONDS_PER_DAY = 86_400


def is_full_member(role: Role, joined_at: int, waiting_period_days: int, now: int) -> bool:
    """Whether the organization's waiting period is over for a user (times in UNIX seconds)."""
    if role == Role.GUEST:
        return False
    return role.is_moderator or now - joined_at >= waiting_period_days * SECONDS_PER_DAY
