"""Request counts that all processes of an organization share. They need not survive a crash."""

from collections.abc import Mapping
from typing import Protocol


class Counters(Protocol):
    def add(self, amounts: Mapping[tuple[str, int], int], now: int) -> Mapping[tuple[str, int], int]:
        """Add to counters, by name and the end of their time, and return their totals.

        Counters whose time ended before *now* are forgotten.
        """
