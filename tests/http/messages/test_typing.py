"""Who is writing."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from tests.http.events.test_queues import ALL_CAPABILITIES
from tests.worlds.organization import HOST, Line, MakeWorld, Someone, World

LIMITED = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}


def hears(who: Someone, **capabilities: bool) -> Line:
    return who.hears_of("typing", client_capabilities={**ALL_CAPABILITIES, **capabilities})


def heard(line: Line) -> list[dict[str, Any]]:
    """What came, without the ids."""
    return [{name: value for name, value in one.items() if name != "id"} for one in line.events()]


def named(who: Someone) -> dict[str, Any]:
    return {"user_id": who.id, "email": who.email}


def types_in(who: Someone, channel: str, topic: str = "today", op: str = "start", **more: Any) -> None:
    who.post("/typing", op=op, type="channel", stream_id=who.world.id(channel), topic=topic, **more)


# -- direct messages --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [{}, {"type": "direct"}, {"type": "private"}])
@pytest.mark.parametrize("op", ["start", "stop"])
def test_all_of_a_conversation_are_told(
    ada: Someone, bea: Someone, cem: Someone, gus: Someone, op: str, kind: dict[str, str]
) -> None:
    lines = [hears(who) for who in (ada, bea, cem)]
    other = hears(gus)
    ada.post("/typing", op=op, to=[bea.id, cem.id], **kind)
    told = {
        "type": "typing",
        "op": op,
        "message_type": "direct",
        "sender": named(ada),
        "recipients": [named(ada), named(bea), named(cem)],
    }
    assert [heard(line) for line in lines] == [[told]] * 3
    assert heard(other) == []


def test_notes_to_self(ada: Someone) -> None:
    line = hears(ada)
    ada.post("/typing", op="start", to=[ada.id])
    assert [event["recipients"] for event in heard(line)] == [[named(ada)]]


def test_nothing_is_kept_of_it(world: World, ada: Someone, bea: Someone) -> None:
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
def test_what_cannot_be_said(world: World, ada: Someone, parameters: dict[str, Any], code: str) -> None:
    head = world.storage.read(lambda snapshot: snapshot.log.head())
    ada.refused("POST", "/typing", code=code, **parameters)
    assert world.storage.read(lambda snapshot: snapshot.log.head()) == head


def test_the_rules_of_direct_messages_hold(world: World, ada: Someone, bea: Someone) -> None:
    world.change_organization(permissions={"direct_message_initiator_group": GroupSetting.of()})
    line = hears(bea)
    ada.refused("POST", "/typing", op="start", to=[bea.id])
    world.change_organization(permissions={})
    world.change_user("bea", is_active=False)
    ada.refused("POST", "/typing", op="start", to=[bea.id])
    world.change_user("bea", is_active=True)
    assert heard(line) == []


# -- channels ---------------------------------------------------------------------------------------


@pytest.mark.shows("register.typing")
@pytest.mark.parametrize("kind", ["channel", "stream"])
def test_the_subscribers_of_a_channel_are_told(
    world: World, ada: Someone, bea: Someone, cem: Someone, kind: str
) -> None:
    lines = [hears(who) for who in (ada, bea)]
    others = [hears(cem), hears(bea, stream_typing_notifications=False), bea.hears_of("message")]
    everything = cem.hears_of("typing", "message", all_public_streams=True)
    ada.post("/typing", op="start", type=kind, stream_id=world.id("lunch"), topic=" today ")
    told = {
        "type": "typing",
        "op": "start",
        "message_type": "stream",
        "sender": named(ada),
        "stream_id": world.id("lunch"),
        "topic": "today",
    }
    assert [heard(line) for line in lines] == [[told]] * 2
    assert [heard(line) for line in [*others, everything]] == [[]] * 4


def test_the_empty_topic(ada: Someone, bea: Someone) -> None:
    new, old = hears(bea), hears(bea, empty_topic_name=False)
    for topic in ("", "(no topic)", "general chat"):
        types_in(ada, "lunch", topic)
    assert [event["topic"] for event in heard(new)] == ["", "", ""]
    assert {event["topic"] for event in heard(old)} == {"general chat"}


def test_who_may_not_post_does_not_type(world: World, ada: Someone, cem: Someone, gus: Someone) -> None:
    line = hears(ada)
    for who, channel in ((cem, "secret"), (cem, "vault"), (gus, "plaza"), (ada, "attic")):
        if who is gus:
            continue  # it is open to the web
        path = {"op": "start", "type": "channel", "stream_id": world.id(channel), "topic": "x"}
        who.refused("POST", "/typing", **path)
    hidden = ada.refused("POST", "/typing", op="start", type="channel", stream_id=10**9, topic="x")["msg"]
    secret = {"op": "start", "type": "channel", "stream_id": world.id("secret"), "topic": "x"}
    assert cem.refused("POST", "/typing", **secret)["msg"] == hidden
    world.nobody.refused("POST", "/typing", status=401, code="UNAUTHORIZED", **secret)
    assert heard(line) == []


def test_who_has_left_a_private_channel_hears_nothing_more(world: World, ada: Someone, bea: Someone) -> None:
    line = hears(bea)
    types_in(ada, "secret")
    bea.leaves("secret")
    types_in(ada, "secret")
    assert heard(line) == []


def test_in_a_large_channel_nobody_is_told(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_subscribers_told_of_typing=3))
    line = hears(world["bea"])
    types_in(world["ada"], "lunch")
    world.add_people(1, to="lunch")
    types_in(world["ada"], "lunch")
    assert len(heard(line)) == 1


# -- settings ---------------------------------------------------------------------------------------


def test_who_does_not_want_others_to_know(world: World, ada: Someone, bea: Someone) -> None:
    line = hears(bea)
    ada.patch("/settings", send_private_typing_notifications=False)
    ada.refused("POST", "/typing", op="start", to=[bea.id])
    types_in(ada, "lunch")
    ada.patch("/settings", send_private_typing_notifications=True, send_stream_typing_notifications=False)
    ada.post("/typing", op="start", to=[bea.id])
    ada.refused("POST", "/typing", op="start", type="channel", stream_id=world.id("lunch"), topic="today")
    assert [event["message_type"] for event in heard(line)] == ["stream", "direct"]


def test_who_does_not_want_to_know(ada: Someone, bea: Someone) -> None:
    line, own = hears(bea), hears(ada)
    bea.patch("/settings", receives_typing_notifications=False)
    types_in(ada, "lunch")
    ada.post("/typing", op="start", to=[bea.id])
    assert heard(line) == []
    assert len(heard(own)) == 2


# -- who may be known of ----------------------------------------------------------------------------


def test_an_address_that_is_hidden_is_not_told(world: World, ada: Someone, bea: Someone) -> None:
    world.change_user("ada", email_visibility=4)
    line = hears(bea)
    types_in(ada, "lunch")
    ada.post("/typing", op="start", to=[bea.id])
    events = heard(line)
    assert {event["sender"]["email"] for event in events} == {f"user{ada.id}@{HOST}"}
    assert ada.email not in str(events)


def test_limited_guests_are_not_told_who_it_is(world: World, cem: Someone, gus: Someone) -> None:
    world.change_organization(permissions=LIMITED)
    line = hears(gus)
    types_in(cem, "lunch")
    assert [event["sender"] for event in heard(line)] == [
        {"user_id": cem.id, "email": f"user{cem.id}@{HOST}"}
    ]
    gus.refused("POST", "/typing", op="start", to=[cem.id])


def test_a_limited_guest_who_waits_is_told_of_whom_they_know(
    world: World, ada: Someone, gus: Someone
) -> None:
    world.change_organization(permissions=LIMITED)
    poll = hears(gus).waits()
    types_in(ada, "lunch")
    assert [event["sender"] for event in poll.answer()] == [named(ada)]
