"""Event queues: access to them, their contents, and their costs."""

from dataclasses import replace
from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import Line, MakeWorld, Someone, World, at_once


@pytest.mark.parametrize("name", ["bea", "robo", "olga", "gus"])
def test_sec_42_a_queue_is_its_owners_alone(world: World, ada: Someone, name: str) -> None:
    line, who = ada.opens_queue("message"), world[name]
    sent = ada.says("soup", "vault")
    unknown = {"queue_id": "x" * len(line.id), "last_event_id": 0, "dont_block": True}
    foreign = {**unknown, "queue_id": line.id}
    with nothing_changes(world):
        for method in ("GET", "DELETE"):
            answers = [refusal(who, method, "/events", **given) for given in (unknown, foreign)]
            for answer, given in zip(answers, (unknown, foreign), strict=True):
                assert answer.pop("queue_id") == given["queue_id"]
                answer["msg"] = answer["msg"].replace(given["queue_id"], "")
            assert answers[0] == answers[1]
            assert answers[0]["code"] == "BAD_EVENT_QUEUE_ID"
        refusal(who, "GET", "/events", queue_id=line.id, last_event_id=sent, dont_block=True)
    assert line.messages() == [sent]


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "queue_id", ["", " ", "%", "' OR '1'='1", "../x", "x" * 10_000, "null", "0", "🐎", "[]"]
)
def test_sec_42_no_text_is_the_queue_of_another(ada: Someone, queue_id: str) -> None:
    ada.opens_queue("message")
    assert refusal(ada, "GET", "/events", queue_id=queue_id, last_event_id=0)["code"] == "BAD_EVENT_QUEUE_ID"
    assert refusal(ada, "DELETE", "/events", queue_id=queue_id)["code"] == "BAD_EVENT_QUEUE_ID"


def test_sec_43_an_echo_reaches_nobody_elses_queue(world: World, ada: Someone, bea: Someone) -> None:
    hers = bea.opens_queue("message")
    for local_id in ("1", "1"):
        ada.says("soup", queue_id=hers.id, local_id=local_id)
    events = hers.events()
    assert len(events) == 2
    assert not any({"local_id", "local_message_id"} & set(event) for event in events)
    mine = bea.says("mine", queue_id=hers.id, local_id="1")
    (event,) = hers.events()
    assert (event["message"]["id"], event["local_message_id"]) == (mine, "1")


def test_sec_44_many_sends_with_one_local_id_are_one_message(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    ids = at_once(*[lambda: world["ada"].says("soup", queue_id=line.id, local_id="1")] * 8)
    assert len(set(ids)) == 1
    assert line.messages() == ids[:1]
    with nothing_changes(world):
        refusal(
            ada, "POST", "/messages", type="channel", to="lunch", topic="today", content="other",
            queue_id=line.id, local_id="1",
        )  # fmt: skip


def test_sec_44_a_local_id_is_remembered_over_a_restart(make_world: MakeWorld) -> None:
    world = make_world()
    line = world["ada"].opens_queue("message")
    sent = world["ada"].says("soup", queue_id=line.id, local_id="1")
    world.close()
    again = make_world()
    assert again["ada"].says("soup", queue_id=line.id, local_id="1") == sent
    assert again.count("message") == 1


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "last",
    ["-2", "-999999", str(2**63), "-" + "9" * 40, str(10**30), "1.5", "1e3", "NaN", "abc", "",
     "null2", "[1]", "true", '"1"', "0x10", "١"],
)  # fmt: skip
def test_sec_45_no_event_id_skips_or_breaks_anything(ada: Someone, bea: Someone, last: str) -> None:
    line = bea.opens_queue("message")
    sent = ada.says("soup")
    refusal(bea, "GET", "/events", queue_id=line.id, last_event_id=last, dont_block=True)
    assert line.messages() == [sent]


def test_sec_45_an_id_that_is_not_issued_yet_ends_ones_own_queue_only(ada: Someone, bea: Someone) -> None:
    line, other = bea.opens_queue("message"), bea.opens_queue("message")
    sent = ada.says("soup")
    refusal(ada, "GET", "/events", queue_id=line.id, last_event_id=999_999_999, dont_block=True)
    assert line.messages() == [sent], "nobody ends the queue of somebody else"
    refusal(bea, "GET", "/events", queue_id=line.id, last_event_id=999_999_999, dont_block=True)
    line.refused()
    assert other.messages() == [sent]


def test_sec_45_the_id_of_another_queue_skips_nothing_of_ones_own(ada: Someone, bea: Someone) -> None:
    line, other = bea.opens_queue("message"), bea.opens_queue("message")
    sent = ada.says("soup")
    other.events()
    other.peek()
    assert line.messages() == [sent]


def received(line: Line) -> list[Any]:
    return line.events("message")


def test_sec_46_rights_are_those_of_now(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    narrowed = bea.opens_queue("message", narrow=[["channel", "secret"]])
    everything = cem.opens_queue("message", all_public_streams=True)
    ada.says("hush", "secret")
    world["adi"].leaves("secret", principals=[bea.id])
    ada.says("hush", "secret")
    assert received(narrowed) == []
    ada.says("soup")
    assert len(received(everything)) == 1
    world.change_user("cem", role=600)
    ada.says("soup")
    assert received(everything) == []


def test_sec_46_an_event_type_list_gives_no_more_than_asked_for(
    world: World, ada: Someone, cem: Someone
) -> None:
    line = cem.opens_queue(
        "message", "stream", "subscription", "update_message_flags", "realm_user", "realm_bot"
    )
    ada.says("hush", "secret")
    ada.writes("hush", "bea")
    ada.flagged("starred", ada.says("hush", "vault"))
    ada.leaves("vault")
    world["ada"].joins("shed", invite_only=True)
    assert line.events() == []


def test_sec_47_an_event_says_no_more_than_a_fetch(world: World, ada: Someone) -> None:
    world.change_user("ada", email_visibility=4)
    lines = {name: world[name].opens_queue("message", apply_markdown=True) for name in ("bea", "gus", "ada")}
    sent = ada.says("soup @**Bea** #**secret**", read_by_sender=True)
    for name, line in lines.items():
        (event,) = line.events()
        fetched = world[name].message(sent)
        flags = fetched.pop("flags")
        assert event == {"id": event["id"], "type": "message", "message": fetched, "flags": flags}
        assert "ada@example.org" not in str(event)
        assert 'class="stream"' in event["message"]["content"], "the author can see the channel"


def test_sec_47_a_new_subscriber_is_sent_as_a_bare_id(world: World, ada: Someone, gus: Someone) -> None:
    line = gus.opens_queue("subscription")
    world["cem"].joins("lunch")
    (event,) = line.events()
    assert set(event) == {"id", "type", "op", "stream_ids", "user_ids"}


def test_sec_48_an_account_has_so_many_queues(make_world: MakeWorld) -> None:
    world = make_world(limits=replace(Limits(), max_event_queues_per_user=5))
    ada, hers = world["ada"], world["bea"].opens_queue("message")
    lines = []
    for _ in range(12):
        lines.append(ada.opens_queue("message"))
        world.clock.advance(1)
    assert world.count("event_queue") == 5 + 1
    ada.says("soup")
    for line in lines[:7]:
        line.refused()
    for line in (*lines[7:], hers):
        assert len(line.events()) == 1


def test_sec_48_a_queue_that_nobody_reads_is_dropped_as_a_whole(make_world: MakeWorld) -> None:
    world = make_world(limits=replace(Limits(), max_event_queue_lag=20, event_queue_idle=60))
    never = world["bea"].opens_queue("message")
    for number in range(15):
        world["ada"].says("soup", topic=f"topic {number}")
    assert len(never.peek()) == 15
    for number in range(15):
        world["ada"].says("soup", topic=f"topic {number}")
    world.svc.hub.maintain()
    world.clock.advance(60)
    world.svc.hub.maintain()
    world.svc.hub.maintain()
    never.refused()
    assert world.count("event") <= 2, "nobody needs them any more"


def test_sec_48_one_queue_has_one_poll(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    polls = [line.waits() for _ in range(6)]
    assert [poll.answer() for poll in polls[:-1]] == [[]] * 5
    assert world.svc.hub.waiting == 1
    ada.delete("/events", queue_id=line.id)
    polls[-1].response()


def test_sec_49_nobody_registers_where_it_is_closed(world: World) -> None:
    with nothing_changes(world):
        for parameters in (
            {},
            {"client_gravatar": True},
            {"include_subscribers": "partial"},
            {"event_types": []},
        ):
            answer = refusal(world.nobody, "POST", "/register", **parameters)
            assert answer["status"] in (400, 401)
            assert "realm_name" not in answer


def test_sec_49_nobody_gets_what_is_public_to_the_web_and_no_queue(world: World, ada: Someone) -> None:
    world.open_to_the_web()
    ada.says("hush", "secret")
    with nothing_changes(world):
        for parameters in (
            {"client_gravatar": True},
            {"include_subscribers": True},
            {"include_subscribers": "true"},
            {"include_subscribers": "partial"},
            {"all_public_streams": True},
        ):
            refusal(world.nobody, "POST", "/register", **parameters)
        state = world.nobody.post("/register")
    assert state["queue_id"] is None
    assert [one["name"] for one in state["never_subscribed"]] == ["plaza"]
    assert not {"subscribers", "partial_subscribers"} & set(state["never_subscribed"][0])
    text = str(state)
    people = [f"{name}@example.org" for name, user in world.users.items() if not user.is_bot]
    for hidden in ("secret", "vault", *people, "hush", world.keys["robo"]):
        assert hidden not in text
    assert state["realm_bots"] == state["alert_words"] == state["user_topics"] == []


def test_sec_50_nothing_is_marked_that_cannot_be_seen(world: World, ada: Someone, cem: Someone) -> None:
    hidden = [ada.says("hush", "secret"), ada.says("hush", "vault"), ada.writes("hush", "bea")]
    with nothing_changes(world):
        absent = refusal(cem, "POST", "/messages/flags", messages=[10**9], op="add", flag="read")
        for message_id in hidden:
            for op in ("add", "remove"):
                assert (
                    refusal(cem, "POST", "/messages/flags", messages=[message_id], op=op, flag="read")
                    == absent
                )
