"""Daily limits per account, so that one user cannot exhaust the limits of the organization."""

from enum import StrEnum

from chatcore.domain.errors import RateLimited
from chatcore.domain.files.uploads import MIB
from chatcore.domain.limits import Limits
from chatcore.domain.times import SECONDS_PER_DAY


class Daily(StrEnum):
    """Kinds of use that are counted by day. RETURNS: joining a channel again."""

    CHANNELS = "channels"
    GROUPS = "groups"
    EMOJI = "emoji"
    GROUP_CONVERSATIONS = "group_conversations"
    RETURNS = "returns"
    UPLOADED_BYTES = "uploaded_bytes"
    REPORTS = "reports"
    INVITATIONS = "invitations"


FREE_FOR_ADMINISTRATORS = frozenset({Daily.CHANNELS, Daily.GROUPS, Daily.EMOJI, Daily.INVITATIONS})


def daily_limit(what: Daily, limits: Limits) -> int:
    """Return the amount of *what* that an account may use per day."""
    return {
        Daily.CHANNELS: limits.max_new_channels_per_user_and_day,
        Daily.GROUPS: limits.max_new_groups_per_user_and_day,
        Daily.EMOJI: limits.max_new_emoji_per_user_and_day,
        Daily.GROUP_CONVERSATIONS: limits.max_new_group_conversations_per_user_and_day,
        Daily.RETURNS: limits.max_returns_per_user_and_day,
        Daily.REPORTS: limits.max_reports_per_user_and_day,
        Daily.INVITATIONS: limits.max_invitations_per_user_and_day,
        Daily.UPLOADED_BYTES: limits.max_uploads_per_user_and_day_mib * MIB,
    }[what]


def require_within_day(what: Daily, amount: int, limits: Limits, now: int) -> None:
    """Refuse an *amount* for one day above the limit; the next day begins at midnight UTC.

    :raises RateLimited: until the end of the day
    """
    if amount > daily_limit(what, limits):
        raise RateLimited(SECONDS_PER_DAY - now % SECONDS_PER_DAY, limit=f"{what}_by_user_and_day")
