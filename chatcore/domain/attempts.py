"""Pauses between attempts at work that may fail for a while."""

from collections.abc import Sequence


def pause_after(pauses: Sequence[int], tries: int) -> int | None:
    """Return the seconds until the next attempt after a number of failed ones; None to give up."""
    return pauses[tries - 1] if tries <= len(pauses) else None
