"""Rules for summaries by mail after a long absence: when they are sent, to whom, and what is in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.messages import Message
from chatcore.domain.people.setting_values import value
from chatcore.domain.people.users import User
from chatcore.domain.times import SECONDS_PER_DAY

DIGESTS: Final = "enable_digest_emails"
ABSENCE: Final = 5 * SECONDS_PER_DAY
"""Seconds without any activity after which a person is away."""
PERIOD: Final = 7 * SECONDS_PER_DAY
"""Seconds that a summary is about, at most."""
MIN_PAUSE: Final = 4 * SECONDS_PER_DAY
"""Seconds between two rounds at least, if the weekday is changed meanwhile."""
HOUR: Final = 8
"""The hour of the day, in UTC, from which on summaries are sent."""
THURSDAY: Final = 3
"""The weekday of the first day of the count of days, as the API numbers weekdays."""

MAX_UNREAD: Final = 2000
"""Unread messages of a person that are looked at, the newest."""
MAX_TOPICS: Final = 4
MAX_SHOWN: Final = 2
"""Messages of a topic that are shown, the first unread ones."""
MAX_CHANNELS: Final = 10
"""New channels that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestRound:
    """The summaries of one day, which are written person by person."""

    begun_at: int
    """The time from which they are due; the period that they are about ends there."""
    since: int
    """The beginning of that period."""
    after_user_id: UserId
    """The last person who was looked at, by ascending ids; 0 if nobody was."""


NOBODY: Final = UserId(0)


def round_due(weekday: int, previous: DigestRound | None, now: int) -> DigestRound | None:
    """Return the round whose summaries are sent at present; None on all other days, or if too little time has
    passed since the round before, as after a change of the weekday.

    A round is due for one day from its hour on. A previous one in the future was before the clock was set
    back, and does not count.

    :param weekday: 0 for Monday to 6 for Sunday
    :param now: seconds since 1970
    """
    day = (now - HOUR * 3600) // SECONDS_PER_DAY
    if (day + THURSDAY) % 7 != weekday:
        return None
    begun_at = day * SECONDS_PER_DAY + HOUR * 3600
    if previous is None or previous.begun_at > begun_at:
        return DigestRound(begun_at=begun_at, since=begun_at - PERIOD, after_user_id=NOBODY)
    if previous.begun_at == begun_at:
        return previous
    if begun_at - previous.begun_at < MIN_PAUSE:
        return None
    since = max(previous.begun_at, begun_at - PERIOD)
    return DigestRound(begun_at=begun_at, since=since, after_user_id=NOBODY)


def wants_digest(user: User) -> bool:
    """Whether summaries are for this account at all: an active person who has not switched them off."""
    return user.is_active and not user.is_bot and bool(value(user, DIGESTS))


def is_away(user: User, active_at: int | None, now: int) -> bool:
    """Whether a person has been away for long enough: since their last activity; without one, since they have
    joined.
    """
    return max(user.date_joined, active_at or 0) <= now - ABSENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class BusyTopic:
    """Unread messages of a topic."""

    message_count: int
    sender_count: int
    first_ids: Sequence[MessageId]
    """The messages to show, ascending."""


def busiest_topics(topics: Iterable[Sequence[Message]]) -> Sequence[BusyTopic]:
    """Return the topics that most people have written in, of these those with most messages.

    :param topics: the messages of each topic, ascending, at least one
    """
    found = [
        BusyTopic(
            message_count=len(messages),
            sender_count=len({message.sender_id for message in messages}),
            first_ids=[message.id for message in messages[:MAX_SHOWN]],
        )
        for messages in topics
    ]
    found.sort(key=lambda topic: (-topic.sender_count, -topic.message_count, topic.first_ids[0]))
    return found[:MAX_TOPICS]
