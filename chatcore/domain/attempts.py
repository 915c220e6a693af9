"""Pauses between attempts at work that may fail for a while."""

from collections.abc import Sequence


def pause_after(pauses: Sequence[int], attempts: int) -> int | None:
    """Return the seconds until the next attempt after a number of failed ones; None to give up."""
    return pauses[attempts - 1] if attempts <= len(pauses) else None
