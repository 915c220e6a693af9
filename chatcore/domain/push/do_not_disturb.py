"""Do not disturb: the times in which nothing notifies a person.

They are stored with the settings of the account, but are none of the settings of the API.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final, Self

from chatcore.domain.choices import Value
from chatcore.domain.errors import InvalidParameter
from chatcore.domain.scheduled.scheduled_messages import LATEST

DAILY: Final = "do_not_disturb_daily"
UNTIL: Final = "do_not_disturb_until"
_TIME: Final = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_DAILY: Final = re.compile(rf"({_TIME})-({_TIME})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class DoNotDisturb:
    """The times that a person has chosen.

    :raises InvalidParameter: `daily` is neither empty nor two different times of day, or `until` is no time
    """

    daily: str = ""
    """From when to when on each day, in the person's time zone, as `22:00-07:00`; empty: never."""
    until: int = 0
    """The end of a pause, in seconds since 1970; 0, or past: there is none."""

    def __post_init__(self) -> None:
        if self.daily:
            times = _DAILY.fullmatch(self.daily)
            if times is None or times[1] == times[2]:
                raise InvalidParameter("daily", "Must be two different times of day, as 22:00-07:00.")
        if not 0 <= self.until <= LATEST:
            raise InvalidParameter("until", "Must be a time from 1970 to 9999.")

    @classmethod
    def of(cls, settings: Mapping[str, Value]) -> Self:
        """Return the times among the stored settings of an account."""
        return cls(daily=str(settings.get(DAILY) or ""), until=int(settings.get(UNTIL) or 0))

    @property
    def as_settings(self) -> Mapping[str, Value]:
        return {DAILY: self.daily, UNTIL: self.until}

    def is_on(self, at: float, zone: tzinfo) -> bool:
        """Whether nothing notifies the person, whose time zone is *zone*, at a time in seconds since 1970."""
        if at < self.until:
            return True
        if not self.daily:
            return False
        start, _, end = self.daily.partition("-")
        clock = f"{datetime.fromtimestamp(at, zone):%H:%M}"
        if start < end:
            return start <= clock < end
        return clock >= start or clock < end  # over midnight
