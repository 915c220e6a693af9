"""Moved messages reveal nothing of their protected past to users who could not read it there."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.organization import DAY, Someone, World

QUIET = {"send_notification_to_new_thread": False}


def past(who: Someone, message_id: int) -> tuple[list[Any], list[Any]]:
    """The earlier texts, topics and channels of a message, as far as its edit history shows them."""
    edits = [
        {name: value for name, value in edit.items() if name not in ("user_id", "timestamp")}
        for edit in who.message(message_id).get("edit_history", [])
    ]
    history = who.get(f"/messages/{message_id}/history")["message_history"]
    return edits, [(one["content"], one["topic"], one.get("prev_stream")) for one in history]


@pytest.fixture
def secret(world: World, ada: Someone) -> int:
    """A message of a protected history that was edited and moved to another topic."""
    sent = ada.says("hunter2", "vault", "salaries")
    ada.patch(f"/messages/{sent}", content="nothing")
    ada.patch(f"/messages/{sent}", topic="plans", **QUIET)
    return sent


def test_sec_7_a_later_subscriber_does_not_learn_what_a_moved_message_was(
    world: World, ada: Someone, cem: Someone, secret: int
) -> None:
    vault, lunch, plaza = (world.id(name) for name in ("vault", "lunch", "plaza"))
    ada.joins("vault", principals=[cem.id])
    world.permit("vault", can_add_subscribers_group=GroupSetting.of(members=[world["bea"].id]))
    ada.patch(f"/messages/{secret}", stream_id=lunch, **QUIET)
    for name in ("bea", "cem", "mona", "adi"):
        world[name].flagged("starred", secret)
        arrived = [{"stream": lunch}]
        assert past(world[name], secret) == (arrived, [("nothing", "plans", None)] * 2), name
    edits, versions = past(ada, secret)
    assert [edit.get("prev_content") for edit in edits] == [None, None, "hunter2"]
    assert versions[0] == ("hunter2", "salaries", None)

    # Back there it arrives for whoever is there now; the time before is as closed as ever.
    ada.patch(f"/messages/{secret}", stream_id=vault, **QUIET)
    ada.patch(f"/messages/{secret}", content="still nothing")
    ada.patch(f"/messages/{secret}", stream_id=plaza, **QUIET)
    edits, versions = past(cem, secret)
    assert edits == [
        {"prev_stream": vault, "stream": plaza},
        {"prev_content": "nothing", "prev_rendered_content": "<p>nothing</p>"},
        {"prev_stream": lunch, "stream": vault},
        {"stream": lunch},
    ]
    assert "hunter2" not in str(versions)
    assert "salaries" not in str(versions)
    edits, _ = past(world["bea"], secret)
    assert edits == [{"stream": plaza}, {"prev_stream": lunch}, {"stream": lunch}]
    assert len(past(ada, secret)[0]) == 6


def test_sec_3_followers_of_a_guessed_topic_do_not_receive_its_move(
    world: World, ada: Someone, cem: Someone, secret: int
) -> None:
    ada.joins("vault", principals=[cem.id])
    world["bea"].leaves("lunch")
    for name in ("cem", "bea"):
        for channel, topic in (("vault", "plans"), ("vault", "fire cem"), ("lunch", "plans")):
            world.set_policy(name, channel, topic, VisibilityPolicy.FOLLOWED)
    world.set_policy("cem", "vault", "peaks", VisibilityPolicy.MUTED)
    world.set_policy("ada", "vault", "plans", VisibilityPolicy.FOLLOWED)
    lines = [world[name].opens_queue("user_topic", "muted_topics") for name in ("cem", "bea")]
    ada.says("old", "vault", "peaks")  # for cem the only message
    ada.patch(f"/messages/{secret}", topic="fire cem", propagate_mode="change_all", **QUIET)
    assert [line.events() for line in lines] == [[], []]
    assert world.policy("cem", "vault", "plans") == world.policy("cem", "vault", "fire cem") == 3
    assert [world.policy("ada", "vault", topic) for topic in ("plans", "fire cem")] == [0, 3]
    ada.patch(f"/messages/{secret}", stream_id=world.id("lunch"), **QUIET)
    assert [line.events() for line in lines] == [[], []], (
        "it is theirs now, but that they had guessed it is not"
    )
    assert [world.policy(name, "lunch", "fire cem") for name in ("ada", "bea", "cem")] == [3, 0, 0]


def test_sec_3_a_time_limit_counts_no_messages_of_before(
    world: World, ada: Someone, cem: Someone, secret: int
) -> None:
    ada.joins("vault", principals=[cem.id])
    ada.says("one", "vault", "plans")
    world.clock.advance(8 * DAY)
    last = ada.says("two", "vault", "plans")
    whole = {"topic": "later", "propagate_mode": "change_all", **QUIET}
    code = "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"
    names = "total_messages_in_topic", "total_messages_allowed_to_move", "first_message_id_allowed_to_move"
    of_cem, of_ada = (who.refused("PATCH", f"/messages/{last}", code=code, **whole) for who in (cem, ada))
    assert [of_ada[name] for name in names] == [3, 1, last]
    assert [of_cem[name] for name in names] == [2, 1, last]
