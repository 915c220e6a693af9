"""The due work that waits, over all its kinds."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

MOST_COUNTED: Final = 10_000
"""Rows of a kind that are counted."""


class WaitingKind(StrEnum):
    """A kind of due work that has rows."""

    SCHEDULED = "scheduled"
    MAIL = "mail"
    PUSH = "push"
    BOT_CALL = "bot_call"
    EXPORT = "export"
    THUMBNAIL = "thumbnail"


@dataclass(frozen=True, slots=True)
class WaitingWork:
    """The number of rows that wait, at most `MOST_COUNTED`, and the time when the first is due, if any."""

    count: int
    first_due: int | None


class Backlog(Protocol):
    def waiting(self) -> Mapping[WaitingKind, WaitingWork]:
        """Return what waits of each kind; what is given up does not."""
