"""Typing notifications, also about messages that are being edited."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from tests.http.events.test_queues import ALL_CAPABILITIES
from tests.worlds.organization import HOST, Line, MakeWorld, Someone, World

LIMITED = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}


def opens_typing_queue(who: Someone, **capabilities: bool) -> Line:
    return who.opens_queue("typing", client_capabilities={**ALL_CAPABILITIES, **capabilities})


def received(line: Line) -> list[dict[str, Any]]:
    """The events of a queue, without their ids."""
    return [{name: value for name, value in one.items() if name != "id"} for one in line.events()]


def named(who: Someone) -> dict[str, Any]:
    return {"user_id": who.id, "email": who.email}


def types_in(who: Someone, channel: str, topic: str = "today", op: str = "start", **more: Any) -> None:
    who.post("/typing", op=op, type="channel", stream_id=who.world.id(channel), topic=topic, **more)


# -- direct messages --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [{}, {"type": "direct"}, {"type": "private"}])
@pytest.mark.parametrize("op", ["start", "stop"])
def test_all_of_a_conversation_are_notified(
    ada: Someone, bea: Someone, cem: Someone, gus: Someone, op: str, kind: dict[str, str]
) -> None:
    lines = [opens_typing_queue(who) for who in (ada, bea, cem)]
    other = opens_typing_queue(gus)
    ada.post("/typing", op=op, to=[bea.id, cem.id], **kind)
    announced = {
        "type": "typing",
        "op": op,
        "message_type": "direct",
        "sender": named(ada),
        "recipients": [named(ada), named(bea), named(cem)],
    }
    assert [received(line) for line in lines] == [[announced]] * 3
    assert received(other) == []


def test_typing_a_note_to_self_notifies_oneself(ada: Someone) -> None:
    line = opens_typing_queue(ada)
    ada.post("/typing", op="start", to=[ada.id])
    assert [event["recipients"] for event in received(line)] == [[named(ada)]]


def test_typing_stores_nothing(world: World, ada: Someone, bea: Someone) -> None:
    before = [world.count(table) for table in ("conversation", "recipient", "message")]
    ada.post("/typing", op="start", to=[bea.id])
    assert [world.count(table) for table in ("conversation", "recipient", "message")] == before


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ({"op": "start"}, "BAD_REQUEST"),
        ({"op": "start", "to": []}, "BAD_REQUEST"),
        ({"op": "start", "to": [10**9]}, "BAD_REQUEST"),
        ({"op": "start", "to": [2**63 - 1]}, "BAD_REQUEST"),
        ({"op": "start", "to": "[1"}, "BAD_REQUEST"),
        ({"op": "start", "to": ["bea@example.org"]}, "BAD_REQUEST"),
        ({"op": "pause", "to": [5]}, "BAD_REQUEST"),
        ({"to": [5]}, "REQUEST_VARIABLE_MISSING"),
        ({"op": "start", "type": "carrier pigeon", "to": [5]}, "BAD_REQUEST"),
        ({"op": "start", "type": "channel", "topic": "x"}, "BAD_REQUEST"),
        ({"op": "start", "type": "channel", "stream_id": 10**9, "topic": "x"}, "BAD_REQUEST"),
        ({"op": "start", "type": "channel", "stream_id": -1, "topic": "x"}, "REQUEST_VARIABLE_INVALID"),
    ],
)
def test_refused_requests(world: World, ada: Someone, parameters: dict[str, Any], code: str) -> None:
    head = world.storage.read(lambda snapshot: snapshot.log.head())
    ada.refused("POST", "/typing", code=code, **parameters)
    assert world.storage.read(lambda snapshot: snapshot.log.head()) == head


def test_the_rules_of_direct_messages_hold(world: World, ada: Someone, bea: Someone) -> None:
    world.change_organization(permissions={"direct_message_initiator_group": GroupSetting.of()})
    line = opens_typing_queue(bea)
    ada.refused("POST", "/typing", op="start", to=[bea.id])
    world.change_organization(permissions={})
    world.change_user("bea", is_active=False)
    ada.refused("POST", "/typing", op="start", to=[bea.id])
    world.change_user("bea", is_active=True)
    assert received(line) == []


# -- channels ---------------------------------------------------------------------------------------


@pytest.mark.shows("register.typing")
@pytest.mark.parametrize("kind", ["channel", "stream"])
def test_the_subscribers_of_a_channel_are_notified(
    world: World, ada: Someone, bea: Someone, cem: Someone, kind: str
) -> None:
    lines = [opens_typing_queue(who) for who in (ada, bea)]
    others = [
        opens_typing_queue(cem),
        opens_typing_queue(bea, stream_typing_notifications=False),
        bea.opens_queue("message"),
    ]
    everything = cem.opens_queue("typing", "message", all_public_streams=True)
    ada.post("/typing", op="start", type=kind, stream_id=world.id("lunch"), topic=" today ")
    announced = {
        "type": "typing",
        "op": "start",
        "message_type": "stream",
        "sender": named(ada),
        "stream_id": world.id("lunch"),
        "topic": "today",
    }
    assert [received(line) for line in lines] == [[announced]] * 2
    assert [received(line) for line in [*others, everything]] == [[]] * 4


@pytest.mark.shows("level.typing-no-topic")
def test_the_empty_topic_has_a_name_for_older_clients(ada: Someone, bea: Someone) -> None:
    new, old = opens_typing_queue(bea), opens_typing_queue(bea, empty_topic_name=False)
    for topic in ("", "(no topic)", "general chat"):
        types_in(ada, "lunch", topic)
    assert [event["topic"] for event in received(new)] == ["", "", ""]
    assert {event["topic"] for event in received(old)} == {"general chat"}


def test_users_who_may_not_post_cannot_announce_typing(
    world: World, ada: Someone, cem: Someone, gus: Someone
) -> None:
    line = opens_typing_queue(ada)
    for who, channel in ((cem, "secret"), (cem, "vault"), (gus, "plaza"), (ada, "attic")):
        if who is gus:
            continue  # it is open to the web
        path = {"op": "start", "type": "channel", "stream_id": world.id(channel), "topic": "x"}
        who.refused("POST", "/typing", **path)
    hidden = ada.refused("POST", "/typing", op="start", type="channel", stream_id=10**9, topic="x")["msg"]
    secret = {"op": "start", "type": "channel", "stream_id": world.id("secret"), "topic": "x"}
    assert cem.refused("POST", "/typing", **secret)["msg"] == hidden
    world.nobody.refused("POST", "/typing", status=401, code="UNAUTHORIZED", **secret)
    assert received(line) == []


def test_former_subscribers_of_a_private_channel_are_not_notified(
    world: World, ada: Someone, bea: Someone
) -> None:
    line = opens_typing_queue(bea)
    types_in(ada, "secret")
    bea.leaves("secret")
    types_in(ada, "secret")
    assert received(line) == []


def test_nobody_is_notified_in_a_large_channel(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_subscribers_notified_of_typing=3))
    line = opens_typing_queue(world["bea"])
    types_in(world["ada"], "lunch")
    world.add_people(1, to="lunch")
    types_in(world["ada"], "lunch")
    assert len(received(line)) == 1


# -- settings ---------------------------------------------------------------------------------------


def test_users_can_hide_their_typing(world: World, ada: Someone, bea: Someone) -> None:
    line = opens_typing_queue(bea)
    ada.patch("/settings", send_private_typing_notifications=False)
    ada.refused("POST", "/typing", op="start", to=[bea.id])
    types_in(ada, "lunch")
    ada.patch("/settings", send_private_typing_notifications=True, send_stream_typing_notifications=False)
    ada.post("/typing", op="start", to=[bea.id])
    ada.refused("POST", "/typing", op="start", type="channel", stream_id=world.id("lunch"), topic="today")
    assert [event["message_type"] for event in received(line)] == ["stream", "direct"]


def test_users_can_turn_off_typing_notifications(ada: Someone, bea: Someone) -> None:
    line, own = opens_typing_queue(bea), opens_typing_queue(ada)
    bea.patch("/settings", receives_typing_notifications=False)
    types_in(ada, "lunch")
    ada.post("/typing", op="start", to=[bea.id])
    assert received(line) == []
    assert len(received(own)) == 2


# -- visibility -------------------------------------------------------------------------------------


def test_hidden_addresses_are_not_sent(world: World, ada: Someone, bea: Someone) -> None:
    world.change_user("ada", email_visibility=4)
    line = opens_typing_queue(bea)
    types_in(ada, "lunch")
    ada.post("/typing", op="start", to=[bea.id])
    events = received(line)
    assert {event["sender"]["email"] for event in events} == {f"user{ada.id}@{HOST}"}
    assert ada.email not in str(events)


def test_limited_guests_do_not_learn_who_it_is(world: World, cem: Someone, gus: Someone) -> None:
    world.change_organization(permissions=LIMITED)
    line = opens_typing_queue(gus)
    types_in(cem, "lunch")
    assert [event["sender"] for event in received(line)] == [
        {"user_id": cem.id, "email": f"user{cem.id}@{HOST}"}
    ]
    gus.refused("POST", "/typing", op="start", to=[cem.id])


def test_a_limited_guest_with_a_waiting_poll_is_notified_of_visible_users(
    world: World, ada: Someone, gus: Someone
) -> None:
    world.change_organization(permissions=LIMITED)
    poll = opens_typing_queue(gus).waits()
    types_in(ada, "lunch")
    assert [event["sender"] for event in poll.answer()] == [named(ada)]


# -- about messages that are being edited -------------------------------------------------------------


def opens(who: Someone) -> Line:
    return who.opens_queue("typing_edit_message")


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
