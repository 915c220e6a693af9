"""Request counters shared by all processes of an organization. They need not survive a crash."""

from collections.abc import Mapping
from typing import Protocol


class Counters(Protocol):
    def add(self, amounts: Mapping[tuple[str, int], int], now: int) -> Mapping[tuple[str, int], int]:
        """Add to counters, identified by name and the end of their time window, and return their totals.

        Counters whose window ended before *now* are removed.
        """
