"""Typing notifications about messages that are being edited."""

from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import Line, MakeWorld, Someone, World


def opens(who: Someone) -> Line:
    return who.opens_queue("typing_edit_message")


def received(line: Line) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.items() if name != "id"} for one in line.events()]


def edits(who: Someone, message_id: int, op: str = "start") -> None:
    who.post(f"/messages/{message_id}/typing", op=op)


@pytest.mark.shows("level.edit-typing")
@pytest.mark.parametrize("op", ["start", "stop"])
def test_readers_of_a_channel_message_are_notified(world: World, ada: Someone, bea: Someone, op: str) -> None:
    message_id = ada.says("soup")
    lines, stranger = [opens(ada), opens(bea), opens(world["gus"])], opens(world["cem"])
    edits(ada, message_id, op)
    announced = {
        "type": "typing_edit_message",
        "op": op,
        "sender_id": ada.id,
        "message_id": message_id,
        "recipient": {"type": "channel", "channel_id": world.id("lunch"), "topic": "today"},
    }
    assert [received(line) for line in lines] == [[announced]] * 3
    assert received(stranger) == []


def test_people_of_a_direct_message_are_notified(ada: Someone, bea: Someone, cem: Someone) -> None:
    message_id = ada.writes("soup", "bea")
    line, other = opens(bea), opens(cem)
    edits(ada, message_id)
    (event,) = received(line)
    assert event["recipient"] == {"type": "direct", "user_ids": [ada.id, bea.id]}
    assert received(other) == []


def test_sec_those_who_cannot_read_the_message_are_not_notified(world: World, ada: Someone) -> None:
    """Bea comes after the message to a channel with protected history."""
    message_id = ada.says("hush", "vault")
    ada.joins("vault", principals=[world["bea"].id])
    lines = [opens(world[name]) for name in ("bea", "cem", "olga", "gus")]
    edits(ada, message_id)
    assert [received(line) for line in lines] == [[]] * 4


@pytest.mark.parametrize("name", ["bea", "olga", "cem", "gus", "robo"])
def test_only_who_may_edit_the_message_announces_it(world: World, ada: Someone, name: str) -> None:
    lunch, secret = ada.says("soup"), ada.says("soup", "secret")
    line = opens(ada)
    for message_id in (lunch, secret, 10**9):
        world[name].refused("POST", f"/messages/{message_id}/typing", op="start")
    assert received(line) == []


def test_a_message_that_cannot_be_read_is_as_if_absent(ada: Someone, cem: Someone) -> None:
    message_id = ada.says("soup", "secret")
    unseen, absent = (
        cem.refused("POST", f"/messages/{number}/typing", op="start") for number in (message_id, 10**9)
    )
    assert unseen == absent


def test_rules_of_editing_hold(world: World, ada: Someone, bea: Someone) -> None:
    late, left = ada.says("soup"), bea.says("soup", "secret")
    bea.leaves("secret")
    bea.refused("POST", f"/messages/{left}/typing", op="start")
    world.clock.advance(700)
    line = opens(ada)
    ada.refused("POST", f"/messages/{late}/typing", op="start")
    soon = ada.says("salad")
    ada.refused("POST", f"/messages/{soon}/typing", op="dance")
    ada.refused("POST", f"/messages/{soon}/typing", code="REQUEST_VARIABLE_MISSING")
    world.change_organization(allow_message_editing=False)
    ada.refused("POST", f"/messages/{soon}/typing", op="start")
    assert received(line) == []


def test_settings_decide_who_announces_and_who_is_notified(world: World, ada: Someone, bea: Someone) -> None:
    in_channel, direct = ada.says("soup"), ada.writes("soup", "bea", "cem")
    world.choose("bea", receives_typing_notifications=False)
    line, other = opens(bea), opens(world["cem"])
    for message_id in (in_channel, direct):
        edits(ada, message_id)
    assert (received(line), len(received(other))) == ([], 1)
    world.choose("ada", send_stream_typing_notifications=False)
    ada.refused("POST", f"/messages/{in_channel}/typing", op="start")
    edits(ada, direct)
    world.choose("ada", send_private_typing_notifications=False)
    ada.refused("POST", f"/messages/{direct}/typing", op="start")
    assert len(received(other)) == 1


def test_nobody_is_notified_in_large_channels(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_subscribers_notified_of_typing=2))["ada"]
    lunch, secret = ada.says("soup"), ada.says("soup", "secret")
    line = opens(ada)
    for message_id in (lunch, secret):
        edits(ada, message_id)
    assert [event["message_id"] for event in received(line)] == [secret]
