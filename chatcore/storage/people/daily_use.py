"""Amounts that accounts have used of daily limits; only the newest day is stored."""

from collections.abc import Mapping
from typing import Protocol

from chatcore.domain.ids import UserId
from chatcore.domain.people.daily_use import Daily


class DailyUse(Protocol):
    def find(self, user_id: UserId, what: Daily, day: int) -> int:
        """Return the amount that the account has used on that day."""

    def add(self, what: Daily, day: int, amounts: Mapping[UserId, int]) -> Mapping[UserId, int]:
        """Add to the amounts of accounts on a day (in days since 1970); return the totals of that day."""
