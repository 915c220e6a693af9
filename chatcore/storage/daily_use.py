"""Amounts that accounts have used of what is limited by day; only the newest day is kept."""

from collections.abc import Mapping
from typing import Protocol

from chatcore.domain.daily_use import Daily
from chatcore.domain.ids import UserId


class DailyUse(Protocol):
    def find(self, user_id: UserId, what: Daily, day: int) -> int:
        """The amount that the account has used on that day."""

    def add(self, what: Daily, day: int, amounts: Mapping[UserId, int]) -> Mapping[UserId, int]:
        """Add to what accounts have used on a day, a number since 1970; the sums of that day."""
