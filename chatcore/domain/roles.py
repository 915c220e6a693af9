"""The five roles and the rules that depend on a role alone."""

from enum import IntEnum

from chatcore.domain.times import SECONDS_PER_DAY


class Role(IntEnum):
    """A user's role; a lower number has all permissions of the higher ones."""

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
        """Whether the role is moderator or above, as in the `is_moderator` field of register."""
        return self <= Role.MODERATOR


def is_full_member(role: Role, joined_at: int, waiting_period_days: int, now: int) -> bool:
    """Whether the user's waiting period in the organization is over (times in UNIX seconds)."""
    if role == Role.GUEST:
        return False
    return role.is_moderator or now - joined_at >= waiting_period_days * SECONDS_PER_DAY
