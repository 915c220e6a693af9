"""Lengths of time."""

from typing import Final

SECONDS_PER_DAY: Final = 86_400
MAX_CLOCK_DIFFERENCE: Final = 60
"""Seconds by which the clocks of two machines may differ."""
