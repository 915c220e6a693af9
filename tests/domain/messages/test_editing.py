"""The rules about editing, without a store."""

from collections.abc import Callable

import pytest

from chatcore.domain.errors import BadRequest, ExpectationMismatch
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import system_groups_of
from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.editing import (
    content_for_editing,
    is_too_old,
    require_expected_content,
    require_may_edit_content,
    versions,
    visible_edits,
)
from chatcore.domain.messages.messages import Edit, Message, channel_message
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role

HERE, THERE = ChannelId(RecipientId(7)), ChannelId(RecipientId(8))
ADA, BEA = UserId(1), UserId(2)


@pytest.mark.parametrize(
    ("age", "limit", "grace", "expected"),
    [
        (620, 600, 20, False),
        (621, 600, 20, True),
        (600, 600, 0, False),
        (601, 600, 0, True),
        (10**9, None, 0, False),
    ],
)
def test_a_time_limit_has_some_grace(age: int, limit: int | None, grace: int, expected: bool) -> None:
    assert is_too_old(1000, limit, 1000 + age, grace=grace) is expected


@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER, Role.GUEST])
@pytest.mark.parametrize(
    ("sender", "allowed", "limit", "age", "may"),
    [
        (ADA, True, 600, 620, True),
        (ADA, True, 600, 621, False),
        (ADA, True, None, 10**9, True),
        (ADA, False, None, 0, False),
        (BEA, True, None, 0, False),
    ],
)
def test_a_text_is_changed_by_its_sender_in_time(
    role: Role, sender: UserId, allowed: bool, limit: int | None, age: int, may: bool
) -> None:
    """The rule is the same for all roles: only the sender may edit a text, within the time limit."""
    organization = Organization(
        name="x",
        date_created=0,
        allow_message_editing=allowed,
        message_content_edit_limit_seconds=limit,
    )
    message = channel_message(
        id=MessageId(1),
        sender_id=sender,
        channel_id=HERE,
        topic="x",
        content="a",
        rendered_content="<p>a</p>",
        timestamp=1000,
    )
    actor = Actor(ADA, role, system_groups_of(role, full_member=True))
    if may:
        require_may_edit_content(message, actor, organization, 1000 + age)
    else:
        with pytest.raises(BadRequest):
            require_may_edit_content(message, actor, organization, 1000 + age)


@pytest.mark.parametrize(
    ("raw", "stored"), [("soup \n", "soup"), ("", "(deleted)"), (" \n", "(deleted)"), ("(x)", "(x)")]
)
def test_a_text_that_was_taken_away_says_so(raw: str, stored: str) -> None:
    assert content_for_editing(raw, Limits()) == stored


# -- visibility of the past -------------------------------------------------------------------------


def edit(at: int, **changes: object) -> Edit:
    return Edit(user_id=ADA, timestamp=at, **changes)  # type: ignore[arg-type]


def text(at: int, before: str, **changes: object) -> Edit:
    return edit(at, prev_content=before, prev_rendered_content=f"<p>{before}</p>", **changes)


MOVED = channel_message(
    id=MessageId(1),
    sender_id=ADA,
    channel_id=THERE,
    topic="new",
    content="three",
    rendered_content="<p>three</p>",
    timestamp=10,
    edits=(
        text(50, "two"),
        edit(
            40,
            prev_channel_id=HERE,
            prev_arrived_at=Position(1),
            channel_id=THERE,
            prev_topic="middle",
            topic="new",
        ),
        edit(30, prev_topic="old", topic="middle"),
        text(20, "one"),
    ),
)


def reads(*readable: ChannelId) -> Callable[[Message], bool]:
    return lambda message: message.channel_id in readable


def seen(message: Message, visibility: str, *readable: ChannelId) -> list[int]:
    return [one.timestamp for one in visible_edits(message, visibility, reads(*readable))]


def test_a_reader_of_both_channels_sees_every_edit() -> None:
    assert visible_edits(MOVED, "all", reads(HERE, THERE)) == MOVED.edits


def test_edits_made_in_a_hidden_channel_are_not_visible() -> None:
    edits = visible_edits(MOVED, "all", reads(THERE))
    assert edits == (MOVED.edits[0], edit(40, channel_id=THERE, topic="new"))


def test_moves_may_be_all_that_is_seen() -> None:
    assert seen(MOVED, "moves", HERE, THERE) == [40, 30]
    assert seen(MOVED, "none", HERE, THERE) == []


def test_versions_go_from_the_first_text_to_the_last() -> None:
    every = versions(MOVED, MOVED.edits)
    assert [(one.timestamp, one.content, one.topic) for one in every] == [
        (10, "one", "old"),
        (20, "two", "old"),
        (30, "two", "middle"),
        (40, "two", "new"),
        (50, "three", "new"),
    ]
    only_moves = versions(MOVED, visible_edits(MOVED, "moves", reads(HERE, THERE)))
    assert {one.content for one in only_moves} == {"three"}


def test_another_text_than_the_one_that_was_seen_stays() -> None:
    of_three = "8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f"
    require_expected_content(MOVED.content, None)
    require_expected_content(MOVED.content, of_three)
    with pytest.raises(ExpectationMismatch):
        require_expected_content(MOVED.content, of_three.upper())
