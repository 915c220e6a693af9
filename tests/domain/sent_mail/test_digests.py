"""Rules for summaries after a long absence."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.messages import Message
from chatcore.domain.people.users import User
from chatcore.domain.sent_mail.digests import (
    ABSENCE,
    MAX_SHOWN,
    MAX_TOPICS,
    NOBODY,
    PERIOD,
    DigestRound,
    busiest_topics,
    is_away,
    round_due,
    wants_digest,
)

MONDAY, TUESDAY, WEDNESDAY, SUNDAY = 0, 1, 2, 6


def at(day: int, hour: int, minute: int = 0) -> int:
    """Return a time in June 2026, whose first day is a Monday."""
    return int(datetime(2026, 6, day, hour, minute, tzinfo=UTC).timestamp())


BEGUN = at(2, 8)
LAST_WEEK = DigestRound(begun_at=at(2, 8) - PERIOD, since=at(2, 8) - 2 * PERIOD, after_user_id=UserId(9))


@pytest.mark.parametrize(
    ("weekday", "now", "begun_at"),
    [
        (TUESDAY, at(2, 7, 59), None),
        (TUESDAY, at(2, 8), BEGUN),
        (TUESDAY, at(3, 7, 59), BEGUN),
        (TUESDAY, at(3, 8), None),
        (MONDAY, at(1, 8), at(1, 8)),
        (SUNDAY, at(8, 1), at(7, 8)),
        (WEDNESDAY, at(2, 12), None),
    ],
)
def test_a_round_is_due_for_one_day_from_its_hour_on(weekday: int, now: int, begun_at: int | None) -> None:
    due = round_due(weekday, None, now)
    if begun_at is None:
        assert due is None
    else:
        assert due == DigestRound(begun_at=begun_at, since=begun_at - PERIOD, after_user_id=NOBODY)


def test_a_round_goes_on_where_it_was_left() -> None:
    begun = DigestRound(begun_at=BEGUN, since=at(1, 0), after_user_id=UserId(12))
    assert round_due(TUESDAY, begun, at(2, 12)) == begun


def test_a_new_round_begins_where_the_last_one_has_begun() -> None:
    due = round_due(TUESDAY, LAST_WEEK, at(2, 12))
    assert due == DigestRound(begun_at=BEGUN, since=LAST_WEEK.begun_at, after_user_id=NOBODY)
    later = round_due(SUNDAY, replace(LAST_WEEK, begun_at=BEGUN), at(7, 12))
    assert later is not None
    assert later.since == BEGUN
    old = replace(LAST_WEEK, begun_at=LAST_WEEK.begun_at - 10 * PERIOD)
    assert round_due(TUESDAY, old, at(2, 12)) == replace(due or old, since=BEGUN - PERIOD)


def test_another_weekday_brings_no_second_round_at_once() -> None:
    assert round_due(WEDNESDAY, replace(LAST_WEEK, begun_at=BEGUN), at(3, 12)) is None
    assert round_due(WEDNESDAY, replace(LAST_WEEK, begun_at=BEGUN), at(10, 12)) is not None


def test_a_round_in_the_future_does_not_count() -> None:
    """The clock was set back."""
    assert round_due(TUESDAY, replace(LAST_WEEK, begun_at=at(23, 8)), at(2, 12)) is not None


def user(**settings: bool) -> User:
    return User(id=UserId(1), email="me@example.org", full_name="Me", date_joined=0, settings=settings)


def joined(days_ago: float) -> User:
    return replace(user(), date_joined=BEGUN - int(days_ago * 86_400))


@pytest.mark.parametrize(
    ("joined_days_ago", "active_seconds_ago", "away"),
    [
        (30, ABSENCE, True),
        (30, ABSENCE - 1, False),
        (30, None, True),
        (4, None, False),
        (4, ABSENCE + 1, False),
        (30, -60, False),
    ],
)
def test_who_is_away(joined_days_ago: int, active_seconds_ago: int | None, away: bool) -> None:
    active_at = None if active_seconds_ago is None else BEGUN - active_seconds_ago
    assert is_away(joined(joined_days_ago), active_at, BEGUN) is away


def test_active_people_who_have_not_switched_them_off_want_summaries() -> None:
    assert wants_digest(user())
    assert not wants_digest(user(enable_digest_emails=False))
    assert not wants_digest(replace(user(), is_bot=True))
    assert not wants_digest(replace(user(), is_active=False))


def topic(first_id: int, *senders: int) -> list[Message]:
    return [
        Message(
            id=MessageId(first_id + index),
            sender_id=UserId(sender),
            channel_id=ChannelId(RecipientId(3)),
            topic="soup",
            topic_key="soup",
            content="",
            rendered_content="",
            timestamp=BEGUN,
        )
        for index, sender in enumerate(senders)
    ]


def test_the_topics_with_most_people_come_first_then_those_with_most_messages() -> None:
    topics = [topic(10, 1, 1, 1, 1), topic(20, 1, 2), topic(30, 1, 2, 2), topic(40, 5), topic(50, 6)]
    busiest = busiest_topics(topics)
    assert [one.first_ids[0] for one in busiest] == [30, 20, 10, 40]
    assert len(busiest) == MAX_TOPICS
    assert (busiest[0].message_count, busiest[0].sender_count, busiest[0].first_ids) == (3, 2, [30, 31])
    assert all(len(one.first_ids) <= MAX_SHOWN for one in busiest)
