"""The time from which a message is deleted by itself.

A message is due when it is older than its channel, or else the organization, keeps messages; direct messages
follow the organization. Its time alone is no proof of its age: a clock that was set back has written times
that are too early, and imports write times of long ago. So marks are noted while the server runs, each at a
position of the log of its own: a message with a later id was stored after it, whatever its own time says.

Nor is the time of the clock alone a proof: one that is set ahead makes everything old at once. It is proven
by a mark that was noted a day ago by its time.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import MAX_INTEGER, Position
from chatcore.domain.messages.messages import Message
from chatcore.domain.organization.organization import KEPT_FOR_EVER, Organization
from chatcore.domain.retention.holds import Holds
from chatcore.domain.times import SECONDS_PER_DAY

MARK_INTERVAL: Final = SECONDS_PER_DAY
"""Seconds between two marks."""
OLDEST_PROOF: Final = 3 * MARK_INTERVAL
"""Seconds after which a mark proves nothing any more; a machine may be off at the weekend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockMark:
    """A position of the log, which was drawn at some time."""

    at: int
    position: Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    """The messages that are due, unless a hold keeps them: those that are below both."""

    before: int
    """A time in seconds."""
    until: int
    """The highest id of a message whose time is believed."""


def days_kept(channel: Channel | None, organization: Organization) -> int | None:
    """Return the days for which messages of a channel, or without one direct messages, are kept; None is for
    ever.
    """
    days = None if channel is None else channel.message_retention_days
    if days is None:
        days = organization.message_retention_days
    return None if days == KEPT_FOR_EVER else days


def deadline_of(days: int, marks: Iterable[ClockMark], now: int) -> Deadline:
    """Return the deadline of messages that are kept for some days.

    What was stored after a mark within these days is not due. Marks from times that are still to come were
    noted by a clock that was wrong.
    """
    before = now - days * SECONDS_PER_DAY
    positions = (mark.position for mark in marks if before <= mark.at <= now)
    return Deadline(before=before, until=min(positions, default=MAX_INTEGER))


def needs_mark(marks: Collection[ClockMark], now: int) -> bool:
    """Whether a mark is to be noted: the newest, which has the highest position, is not of the last
    `MARK_INTERVAL`, or from a time to come, as after the clock was set back. No two marks have the same time.
    """
    newest = max(marks, key=lambda mark: mark.position, default=None)
    is_recent = newest is not None and now - MARK_INTERVAL < newest.at <= now
    return not is_recent and all(mark.at != now for mark in marks)


def is_clock_proven(marks: Collection[ClockMark], now: int) -> bool:
    """Whether a mark was noted a day ago or a little earlier by the time of the clock, without the clock
    having been set back after it: then the mark would be from a clock that was ahead.
    """
    day_old = [mark for mark in marks if MARK_INTERVAL <= now - mark.at <= OLDEST_PROOF]
    return any(not _was_clock_set_back_after(mark, marks) for mark in day_old)


def _was_clock_set_back_after(mark: ClockMark, marks: Collection[ClockMark]) -> bool:
    return any(other.position > mark.position and other.at < mark.at for other in marks)


def is_due(message: Message, deadline: Deadline, holds: Holds) -> bool:
    """Whether a message is to be deleted."""
    is_old = message.timestamp < deadline.before and message.id <= deadline.until
    return is_old and not holds.have_message(message)
