"""The rules about editing, moving and deleting, without a store."""

import pytest

from chatcore.domain.channels import Channel
from chatcore.domain.editing import is_too_old, versions, visible_edits
from chatcore.domain.errors import BadRequest, MoveTimeLimitExceeded
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages import Edit, Message, channel_message
from chatcore.domain.moving import Move, policy_after_move, require_all_in_time, require_resolvable, resolved
from chatcore.domain.topics import VisibilityPolicy

HERE, THERE = ChannelId(RecipientId(7)), ChannelId(RecipientId(8))
LIMITS = Limits()
ADA = UserId(1)


def channel(channel_id: ChannelId = HERE) -> Channel:
    return Channel(id=channel_id, name=f"channel {channel_id}", date_created=0)


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


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a", "✔ a", True),
        ("✔ a", "a", True),
        ("a", "✔ b", False),
        ("a", "b", False),
        ("x" * 60, "✔ " + "x" * 55 + "...", True),
        ("✔ " + "x" * 58, "x" * 58, True),
    ],
)
def test_a_topic_is_resolved_by_its_prefix_alone(old: str, new: str, expected: bool) -> None:
    move = Move(source=channel(), target=channel(), old_topic=old, topic=new)
    assert move.resolves(LIMITS) is expected
    elsewhere = Move(source=channel(), target=channel(THERE), old_topic=old, topic=new)
    assert not elsewhere.resolves(LIMITS)


def test_a_resolved_topic_is_cut_where_it_is_too_long() -> None:
    assert resolved("x" * 58, LIMITS) == "✔ " + "x" * 58
    assert resolved("x" * 59, LIMITS) == "✔ " + "x" * 55 + "..."


@pytest.mark.parametrize("topic", ["✔", "✔ general chat"])
def test_the_empty_topic_has_no_resolved_form(topic: str) -> None:
    with pytest.raises(BadRequest):
        require_resolvable(topic, "general chat")


def test_a_topic_with_the_sign_in_it_is_one_like_others() -> None:
    for topic in ("", "✔done", "✔ done", "general chat"):
        require_resolvable(topic, "general chat")


def test_what_is_too_old_of_a_topic_is_counted() -> None:
    topic = [(MessageId(number), number * 100) for number in range(1, 5)]
    require_all_in_time(topic, None, 10**9)
    require_all_in_time(topic, 300, 420)
    with pytest.raises(MoveTimeLimitExceeded) as refused:
        require_all_in_time(topic, 100, 420)
    assert refused.value.extra == {
        "first_message_id_allowed_to_move": 3,
        "total_messages_in_topic": 4,
        "total_messages_allowed_to_move": 2,
    }


@pytest.mark.parametrize("source", VisibilityPolicy)
@pytest.mark.parametrize("target", VisibilityPolicy)
def test_of_two_policies_the_more_visible_stays(source: VisibilityPolicy, target: VisibilityPolicy) -> None:
    rank = [1, 0, 2, 3]
    after = policy_after_move(source, target, target_was_empty=False)
    assert rank.index(after) == max(rank.index(source), rank.index(target))
    assert policy_after_move(source, target, target_was_empty=True) == source


# -- what is seen of the past -----------------------------------------------------------------------


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
        edit(40, prev_channel_id=HERE, channel_id=THERE, prev_topic="middle", topic="new"),
        edit(30, prev_topic="old", topic="middle"),
        text(20, "one"),
    ),
)


def seen(message: Message, visibility: str, *readable: ChannelId) -> list[int]:
    return [one.timestamp for one in visible_edits(message, visibility, readable.__contains__)]


def test_who_reads_both_channels_sees_every_edit() -> None:
    assert visible_edits(MOVED, "all", {HERE, THERE}.__contains__) == MOVED.edits


def test_of_a_time_in_a_hidden_channel_nothing_is_seen() -> None:
    edits = visible_edits(MOVED, "all", {THERE}.__contains__)
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
    only_moves = versions(MOVED, visible_edits(MOVED, "moves", {HERE, THERE}.__contains__))
    assert {one.content for one in only_moves} == {"three"}
