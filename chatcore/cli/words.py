"""Parts of the messages of commands."""

from collections.abc import Sequence

MOST_NAMED = 10
"""Names of accounts or files that a message has."""


def number_of(number: int, singular: str, plural: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {singular if number == 1 else plural}"


def first_of(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return a list of the first names; an ellipsis stands for the others."""
    return ", ".join(names if len(names) <= most else [*names[:most], "…"])
