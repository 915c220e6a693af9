"""The five roles and the rules that depend on a role alone."""

from enum import IntEnum
from math import inf

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
    return joined_at <= full_members_joined_until(role, waiting_period_days, now)


def full_members_joined_until(role: Role, waiting_period_days: int, now: int) -> float:
    """Return the latest time of joining with which a user of the role is a full member: -inf if nobody of
    the role is one, inf if everybody is.
    """
    if role == Role.GUEST:
        return -inf
    return inf if role.is_moderator else now - waiting_period_days * SECONDS_PER_DAY
