"""`chatcore.domain.retention`."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, ConversationId, HoldId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.messages import Message, channel_message
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.domain.organization.organization import KEPT_FOR_EVER, Organization
from chatcore.domain.retention.due import (
    ClockMark,
    Deadline,
    days_kept,
    deadline_of,
    is_clock_proven,
    is_due,
    needs_mark,
)
from chatcore.domain.retention.holds import MAX_REASON, Hold, Holds, checked_reason

DAY = 86_400
NOW = 1_750_000_000
LUNCH, PLAZA = ChannelId(RecipientId(1)), ChannelId(RecipientId(2))
ADA, BEA, CEM = UserId(11), UserId(12), UserId(13)


def message(
    *, at: int = NOW, number: int = 7, channel_id: ChannelId = LUNCH, sender: UserId = ADA
) -> Message:
    return channel_message(
        id=MessageId(number),
        sender_id=sender,
        channel_id=channel_id,
        topic="soup",
        content="soup",
        rendered_content="<p>soup</p>",
        timestamp=at,
    )


def direct(sender: UserId, *others: UserId, at: int = NOW) -> Message:
    conversation = DirectRecipient(ConversationId(RecipientId(3)), frozenset({sender, *others}))
    return message(at=at, sender=sender)._replace(
        channel_id=None, topic="", topic_key=None, conversation=conversation
    )


def mark(days_ago: float, position: int) -> ClockMark:
    return ClockMark(at=NOW - int(days_ago * DAY), position=Position(position))


@pytest.mark.parametrize(
    ("of_channel", "of_organization", "days"),
    [
        (None, KEPT_FOR_EVER, None),
        (None, 30, 30),
        (7, 30, 7),
        (7, KEPT_FOR_EVER, 7),
        (365, 30, 365),
        (KEPT_FOR_EVER, 30, None),
        (KEPT_FOR_EVER, KEPT_FOR_EVER, None),
    ],
)
def test_a_channel_keeps_its_messages_as_it_says_or_else_as_the_organization(
    of_channel: int | None, of_organization: int, days: int | None
) -> None:
    channel = Channel(id=LUNCH, name="lunch", date_created=0, message_retention_days=of_channel)
    organization = Organization(name="x", date_created=0, message_retention_days=of_organization)
    assert days_kept(channel, organization) == days


def test_direct_messages_are_kept_as_the_organization_says() -> None:
    for days, kept in ((30, 30), (KEPT_FOR_EVER, None)):
        organization = Organization(name="x", date_created=0, message_retention_days=days)
        assert days_kept(None, organization) == kept


@pytest.mark.parametrize(
    ("age", "marks", "is_expected"),
    [
        (30 * DAY, [], False),
        (30 * DAY + 1, [], True),
        (30 * DAY + 1, [mark(0, 7)], True),
        (30 * DAY + 1, [mark(0, 6)], False),  # stored after a mark of today, whatever its time says
        (400 * DAY, [mark(29, 6)], False),
        (400 * DAY, [mark(30, 6)], False),
        (400 * DAY, [mark(31, 6)], True),
        (400 * DAY, [mark(29, 7), mark(3, 6)], False),  # stored between, by a clock that was set back
        (400 * DAY, [mark(-3, 6)], True),  # noted by a clock that was ahead
        (-DAY, [], False),
    ],
)
def test_a_message_is_due_after_the_days_that_it_is_kept(
    age: int, marks: Sequence[ClockMark], is_expected: bool
) -> None:
    deadline = deadline_of(30, marks, NOW)
    assert is_due(message(at=NOW - age), deadline, Holds()) is is_expected


ages = st.integers(-400 * DAY, 400 * DAY)
some_marks = st.lists(
    st.builds(lambda ago, position: mark(ago / DAY, position), ages, st.integers(0, 20)), max_size=5
)


@given(st.integers(1, 365), ages, st.integers(0, 20), some_marks)
def test_nothing_is_due_that_is_younger(days: int, age: int, number: int, marks: list[ClockMark]) -> None:
    """Neither by its own time, nor by any mark of these days."""
    within = [one for one in marks if NOW - days * DAY <= one.at <= NOW]
    is_old = age > days * DAY and all(one.position >= number for one in within)
    assert is_due(message(at=NOW - age, number=number), deadline_of(days, marks, NOW), Holds()) == is_old


@given(st.integers(1, 365), ages, st.integers(0, 400 * DAY))
def test_a_clock_that_is_set_back_makes_nothing_due(days: int, age: int, back: int) -> None:
    sent = message(at=NOW - age)
    if is_due(sent, deadline_of(days, [], NOW - back), Holds()):
        assert is_due(sent, deadline_of(days, [], NOW), Holds())


@given(st.integers(1, 365), ages, st.lists(st.sampled_from([ADA, BEA, CEM])), st.booleans())
def test_nothing_is_due_that_is_held(days: int, age: int, people: list[UserId], is_direct: bool) -> None:
    sent = direct(ADA, BEA, at=NOW - age) if is_direct else message(at=NOW - age)
    holds = Holds(people=frozenset(people))
    assert is_due(sent, deadline_of(days, [], NOW), holds) == (
        age > days * DAY and not holds.have_message(sent)
    )


@pytest.mark.parametrize(
    ("sent", "holds", "is_held"),
    [
        (message(), Holds(), False),
        (message(), Holds(people=frozenset({BEA})), False),
        (message(sender=BEA), Holds(people=frozenset({BEA})), True),
        (message(channel_id=PLAZA), Holds(channels=frozenset({LUNCH})), False),
        (message(channel_id=LUNCH), Holds(channels=frozenset({LUNCH})), True),
        (direct(ADA, BEA), Holds(people=frozenset({BEA})), True),
        (direct(ADA, BEA), Holds(people=frozenset({ADA})), True),
        (direct(ADA, BEA), Holds(people=frozenset({CEM}), channels=frozenset({LUNCH})), False),
    ],
)
def test_a_hold_has_messages_of_its_channel_or_person(sent: Message, holds: Holds, is_held: bool) -> None:
    assert holds.have_message(sent) is is_held


def test_holds_are_together_what_each_is_on() -> None:
    each = [
        Hold(id=HoldId(1), user_id=ADA, channel_id=None, reason="x", set_at=0, set_by=CEM),
        Hold(id=HoldId(2), user_id=None, channel_id=LUNCH, reason="x", set_at=0, set_by=CEM),
    ]
    assert Holds.of(each) == Holds(frozenset({ADA}), frozenset({LUNCH}))
    assert Holds.of(each)
    assert not Holds.of([])


@pytest.mark.parametrize(
    ("marks", "is_needed"),
    [
        ([], True),
        ([mark(0.9, 1)], False),
        ([mark(1, 1)], True),
        ([mark(-1, 1)], True),
        ([mark(0, 1)], False),
        ([mark(0.5, 1), mark(-40, 2)], True),  # the clock was ahead a moment ago
        ([mark(-40, 2), mark(0.1, 3)], False),
        ([mark(0.5, 1), mark(400, 2)], True),  # the clock was set back a moment ago
        ([mark(0, 1), mark(-40, 2)], False),  # the time of a mark is its key
    ],
)
def test_marks_are_noted_once_a_day_and_after_the_clock_was_set(
    marks: Sequence[ClockMark], is_needed: bool
) -> None:
    assert needs_mark(marks, NOW) is is_needed


@pytest.mark.parametrize(
    ("marks", "is_proven"),
    [
        ([], False),
        ([mark(0, 1)], False),
        ([mark(0.99, 1)], False),
        ([mark(1, 1)], True),
        ([mark(3, 1)], True),
        ([mark(3.01, 1)], False),
        ([mark(-1, 1)], False),
        ([mark(9, 1), mark(8, 2), mark(0, 3)], False),
        ([mark(2, 1), mark(1, 2), mark(0, 3)], True),
        ([mark(2, 1), mark(1, 1)], True),  # nothing has happened between
        ([mark(40, 1), mark(2, 2)], True),  # the machine was off
        ([mark(2, 2), mark(40, 3)], False),  # it is the clock that was wrong two days ago
        ([mark(2, 2), mark(40, 3), mark(1, 4)], True),
        ([mark(2, 2), mark(-40, 1)], True),
    ],
)
def test_a_clock_is_proven_by_a_mark_of_the_days_before(marks: Sequence[ClockMark], is_proven: bool) -> None:
    assert is_clock_proven(marks, NOW) is is_proven
    assert is_clock_proven(marks[::-1], NOW) is is_proven


@given(some_marks, st.integers(4 * DAY, 4000 * DAY))
def test_a_clock_that_jumps_is_not_proven_by_earlier_marks(marks: list[ClockMark], jump: int) -> None:
    past = [one for one in marks if one.at <= NOW]
    assert not is_clock_proven(past, NOW + jump)


def test_messages_without_marks_are_due_by_their_time_alone() -> None:
    assert deadline_of(1, [], NOW) == Deadline(before=NOW - DAY, until=2**63 - 1)


@pytest.mark.parametrize("reason", ["", "  ", "x" * (MAX_REASON + 1), "a\nb", "a\0b", "\ud800"])
def test_a_reason_has_one_line(reason: str) -> None:
    with pytest.raises(BadRequest):
        checked_reason(reason)


def test_a_reason_is_stored_without_space_around_it() -> None:
    assert checked_reason(f" {'x' * MAX_REASON} ") == "x" * MAX_REASON
