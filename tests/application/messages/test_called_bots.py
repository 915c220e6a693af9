"""A bot that is mentioned in a channel without a subscription has received that one message, unread."""

from collections.abc import Callable

import pytest

from tests.worlds.channels import edits
from tests.worlds.organization import Someone, World

CALLED = ["mentioned"]


def calls(ada: Someone, channel: str = "plaza") -> int:
    return ada.says("@**Robo** ?", channel)


def test_it_is_unread_and_mentioned_wherever_the_bot_looks(ada: Someone, robo: Someone) -> None:
    line = robo.opens_queue("message", "update_message_flags")
    before = ada.says("soup", "plaza")
    called = calls(ada)
    ada.says("soup", "plaza")
    assert [(one["message"]["id"], one["flags"]) for one in line.events()] == [(called, CALLED)]
    assert robo.finds() == robo.finds("is:unread") == robo.finds("is:mentioned") == [called]
    assert robo.reads()[0]["flags"] == CALLED
    assert robo.flags(called) == set(CALLED)
    assert robo.flags(before) == {"read", "historical"}
    unread = robo.post("/register")["unread_msgs"]
    assert (unread["count"], unread["mentions"]) == (1, [called])


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "how", ["flags", "narrow", "topic", "channel", "all"]
)  # fmt: skip
def test_it_becomes_read_like_any_other_and_the_next_one_is_unread(
    world: World, ada: Someone, robo: Someone, how: str
) -> None:
    first = calls(ada)
    line = robo.opens_queue("update_message_flags")

    def read(message_id: int) -> None:
        match how:
            case "flags":
                assert robo.flagged("read", message_id)["messages"] == [message_id]
            case "narrow":
                robo.post("/messages/flags/narrow", anchor="oldest", num_before=0, num_after=10, op="add",
                          flag="read", narrow=[["is", "unread"]])  # fmt: skip
            case "topic":
                robo.post("/mark_topic_as_read", stream_id=world.id("plaza"), topic_name="today")
            case "channel":
                robo.post("/mark_stream_as_read", stream_id=world.id("plaza"))
            case _:
                robo.post("/mark_all_as_read")

    read(first)
    assert [one["flag"] for one in line.events()] == ["read"]
    assert robo.finds("is:unread") == []
    assert robo.flags(first) == {"read", *CALLED}
    second = calls(ada)
    assert robo.finds("is:unread") == [second]
    read(second)
    assert robo.finds("is:unread") == []
    robo.joins("plaza")
    third = ada.says("soup", "plaza")
    assert robo.finds("is:unread") == [third]


def test_an_unread_call_stays_when_the_bot_comes_and_is_read_when_it_leaves(
    ada: Someone, robo: Someone
) -> None:
    called = calls(ada)
    robo.joins("plaza")
    assert robo.finds("is:unread") == [called]
    robo.leaves("plaza")
    assert robo.finds("is:unread") == []


def test_nothing_is_unread_in_a_channel_that_the_bot_has_lost(
    world: World, olga: Someone, ada: Someone, robo: Someone
) -> None:
    olga.joins("lunch")
    first, second = calls(ada, "lunch"), calls(ada)
    edits(olga, "lunch", is_private=True)
    assert robo.finds("is:unread") == [second]
    unread = robo.post("/register")["unread_msgs"]
    assert (unread["count"], unread["mentions"]) == (1, [second])

    edits(olga, "lunch", is_private=False)
    assert robo.flags(first) == {"read", *CALLED}
    assert robo.post("/register")["unread_msgs"]["mentions"] == [second]


def is_received_as_read(robo: Someone, send: Callable[[], int]) -> bool:
    """Whether a call counts as read at once, for open queues and for a registration later."""
    line = robo.opens_queue("message")
    called = send()
    (event,) = line.events()
    assert event["message"]["id"] == called
    unread = called in robo.post("/register")["unread_msgs"]["mentions"]
    assert ("read" in event["flags"]) is not unread
    return not unread


def test_a_call_from_a_channel_that_the_bot_cannot_read_is_received_as_read(
    olga: Someone, ada: Someone, robo: Someone
) -> None:
    assert not is_received_as_read(robo, lambda: calls(ada, "lunch"))
    edits(olga, "lunch", is_private=True)
    assert is_received_as_read(robo, lambda: calls(ada, "lunch"))


def test_a_call_by_a_muted_user_is_received_as_read(ada: Someone, robo: Someone) -> None:
    assert not is_received_as_read(robo, lambda: calls(ada))
    robo.post(f"/users/me/muted_users/{ada.id}")
    assert is_received_as_read(robo, lambda: calls(ada))
    robo.delete(f"/users/me/muted_users/{ada.id}")
    assert not is_received_as_read(robo, lambda: calls(ada))
