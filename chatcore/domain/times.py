"""Lengths of time."""

from typing import Final

SECONDS_PER_DAY: Final = 86_400
