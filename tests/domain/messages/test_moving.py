"""The rules about moving messages, without a store."""

import pytest

from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest, MoveTimeLimitExceeded
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.editing import require_in_time
from chatcore.domain.messages.messages import Brief
from chatcore.domain.messages.moving import (
    Move,
    policy_after_move,
    require_all_in_time,
    require_may_move,
    require_resolvable,
    resolved_name,
    time_limit,
)
from chatcore.domain.organization.organization import Organization
from chatcore.domain.roles import Role
from chatcore.domain.topics import VisibilityPolicy

LIMITS = Limits()
ADA = UserId(1)
NOBODY, TO_ADA = GroupSetting.of(SystemGroup.NOBODY), GroupSetting.of(members=[ADA])

MOVING = (
    "can_move_messages_between_topics_group",
    "can_move_messages_between_channels_group",
    "can_resolve_topics_group",
)
"""Permissions of the organization for moves; a channel may grant them where the organization does not."""


def channel(number: int, *to_ada: str) -> Channel:
    return Channel(
        id=ChannelId(RecipientId(number)),
        name=f"channel {number}",
        date_created=0,
        permissions=dict.fromkeys(to_ada, TO_ADA),
    )


def ada(role: Role = Role.MEMBER) -> Actor:
    return Actor(ADA, role, system_groups_of(role, full_member=True))


def move(topic: str = "old", *, source: Channel | None = None, target: Channel | None = None) -> Move:
    source = source or channel(7)
    return Move(source=source, target=target or source, old_topic="old", topic=topic)


def may_move(it: Move, *permitted: str, role: Role = Role.MEMBER) -> bool:
    """Whether ada may move a message, if the organization gives her these permissions only."""
    permissions = {name: TO_ADA if name in permitted else NOBODY for name in MOVING}
    try:
        require_may_move(
            it, ada(role), Organization(name="x", date_created=0, permissions=permissions), LIMITS
        )
    except BadRequest:
        return False
    return True


TOPICS, CHANNELS, RESOLVING = MOVING
WITHIN, OUT, ADMINISTER = (
    "can_move_messages_within_channel_group",
    "can_move_messages_out_of_channel_group",
    "can_administer_channel_group",
)


@pytest.mark.parametrize(
    ("permission", "renames", "leaves", "does_both", "resolves"),
    [
        ({}, False, False, False, False),
        ({"organization": TOPICS}, True, False, False, False),
        ({"organization": CHANNELS}, False, True, False, False),
        ({"organization": RESOLVING}, False, False, False, True),
        ({"source": WITHIN}, True, False, False, False),
        ({"source": OUT}, False, True, False, False),
        ({"source": ADMINISTER}, True, True, True, False),
        ({"source": RESOLVING}, False, False, False, True),
        ({"target": WITHIN}, False, False, False, False),
        ({"target": OUT}, False, False, False, False),
        ({"target": ADMINISTER}, False, False, False, False),
        ({"source": WITHIN, "target": OUT}, True, False, False, False),
        ({"source": OUT, "target": WITHIN}, False, True, True, False),
        ({"source": OUT, "target": ADMINISTER}, False, True, True, False),
        ({"organization": CHANNELS, "target": WITHIN}, False, True, True, False),
    ],
)
def test_permission_to_move_depends_on_the_kind_of_move(
    permission: dict[str, str], renames: bool, leaves: bool, does_both: bool, resolves: bool
) -> None:
    """Permissions count in the organization, the channel that messages leave, and, for topics, the new
    channel."""
    of_organization = permission.get("organization", "")
    source, target = (
        channel(number, *filter(None, [permission.get(place)]))
        for number, place in ((7, "source"), (8, "target"))
    )
    assert [
        may_move(it, of_organization)
        for it in (
            move("new", source=source),
            move(source=source, target=target),
            move("new", source=source, target=target),
            move("✔ old", source=source),
        )
    ] == [renames, leaves, does_both, resolves]


@pytest.mark.parametrize(("role", "may"), [(Role.ADMINISTRATOR, True), (Role.MODERATOR, False)])
def test_administrators_move_everything_and_resolve_as_others(role: Role, may: bool) -> None:
    assert may_move(move("new"), role=role) is may
    assert may_move(move("new", target=channel(8)), role=role) is may
    assert not may_move(move("✔ old"), role=role)


@pytest.mark.parametrize(
    ("within", "between", "renamed", "moved", "both"),
    [
        (100, 300, 100, 300, 100),
        (300, 100, 300, 100, 100),
        (None, 100, None, 100, 100),
        (100, None, 100, None, 100),
        (0, 100, 0, 100, 0),
        (None, None, None, None, None),
    ],
)
def test_the_stricter_of_two_time_limits_holds(
    within: int | None, between: int | None, renamed: int | None, moved: int | None, both: int | None
) -> None:
    organization = Organization(
        name="x",
        date_created=0,
        move_messages_within_stream_limit_seconds=within,
        move_messages_between_streams_limit_seconds=between,
    )
    ways = (move("new"), move(target=channel(8)), move("new", target=channel(8)), move("✔ old"))
    found = [time_limit(it, ada(), organization, LIMITS) for it in ways]
    assert found == [renamed, moved, both, None]
    assert [time_limit(it, ada(Role.MODERATOR), organization, LIMITS) for it in ways] == [None] * 4


def test_a_message_is_moved_until_some_seconds_after_the_limit() -> None:
    require_in_time(1000, 100, 1120)
    require_in_time(1000, None, 10**9)
    with pytest.raises(BadRequest):
        require_in_time(1000, 100, 1121)


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
    here = Move(source=channel(7), target=channel(7), old_topic=old, topic=new)
    assert here.resolves(LIMITS) is expected
    elsewhere = Move(source=channel(7), target=channel(8), old_topic=old, topic=new)
    assert not elsewhere.resolves(LIMITS)


def test_a_resolved_topic_is_cut_where_it_is_too_long() -> None:
    assert resolved_name("x" * 58, LIMITS) == "✔ " + "x" * 58
    assert resolved_name("x" * 59, LIMITS) == "✔ " + "x" * 55 + "..."


@pytest.mark.parametrize("topic", ["✔", "✔ general chat"])
def test_the_empty_topic_has_no_resolved_form(topic: str) -> None:
    with pytest.raises(BadRequest):
        require_resolvable(topic, "general chat")


def test_a_topic_with_the_sign_in_it_is_one_like_others() -> None:
    for topic in ("", "✔done", "✔ done", "general chat"):
        require_resolvable(topic, "general chat")


def test_messages_of_a_topic_that_are_too_old_are_counted() -> None:
    topic = [Brief(MessageId(number), number * 100, "tea", number) for number in range(1, 5)]
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
def test_the_more_visible_of_two_policies_stays(source: VisibilityPolicy, target: VisibilityPolicy) -> None:
    rank = [1, 0, 2, 3]
    after = policy_after_move(source, target, target_was_empty=False)
    assert rank.index(after) == max(rank.index(source), rank.index(target))
    assert policy_after_move(source, target, target_was_empty=True) == source
