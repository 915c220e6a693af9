"""Submessages over HTTP: polls and task lists, the actions on them, and their events."""

import json
from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.storage_backends.spying import statements
from tests.worlds.organization import MakeWorld, Someone, World, as_text

POLL = "/poll Soup?\nyes\nno"
VOTE = {"type": "vote", "key": "canned,0", "vote": 1}
FORM = {"widget_type": "form", "extra_data": {"heading": "Soup?", "choices": [{"reply": "ja ☕"}]}}


def adds(who: Someone, message_id: int, content: object = VOTE, msg_type: str = "widget") -> None:
    who.post("/submessage", message_id=message_id, msg_type=msg_type, content=as_text(content))


def refused(who: Someone, message_id: int, content: object = VOTE, **fields: Any) -> str:
    given = {"message_id": message_id, "msg_type": "widget", "content": as_text(content), **fields}
    return str(who.refused("POST", "/submessage", **given)["msg"])


def submessages(who: Someone, message_id: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = who.message(message_id)["submessages"]
    return found


def said(who: Someone, message_id: int) -> list[object]:
    return [json.loads(one["content"]) for one in submessages(who, message_id)]


# -- sending ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["a channel", "a conversation"])
def test_a_poll_is_a_message_with_a_submessage(ada: Someone, bea: Someone, place: str) -> None:
    line = bea.opens_queue("message", "submessage")
    sent = ada.says(POLL) if place == "a channel" else ada.writes(POLL, "bea")
    (first,) = submessages(bea, sent)
    assert {name: first[name] for name in ("message_id", "sender_id", "msg_type")} == {
        "message_id": sent,
        "sender_id": ada.id,
        "msg_type": "widget",
    }
    expected = {"widget_type": "poll", "extra_data": {"question": "Soup?", "options": ["yes", "no"]}}
    assert json.loads(first["content"]) == expected
    (event,) = line.events()
    assert event["message"]["submessages"] == [first]
    assert bea.reads()[-1]["submessages"] == [first]
    assert bea.message(sent, apply_markdown=False)["content"] == POLL


def test_programs_send_widgets_of_their_own(robo: Someone, ada: Someone) -> None:
    sent = robo.says("Soup?", "plaza", widget_content=FORM)
    assert said(ada, sent) == [FORM]
    poll = {"widget_type": "poll", "extra_data": {"question": "Soup?", "options": []}}
    assert said(ada, robo.says("/todo lunch", "plaza", widget_content=poll)) == [poll]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("no JSON", "BAD_REQUEST"),
        ([], "BAD_REQUEST"),
        ({"widget_type": "form"}, "BAD_REQUEST"),
        ({"widget_type": "form", "extra_data": []}, "BAD_REQUEST"),
        ({"widget_type": 1, "extra_data": {}}, "BAD_REQUEST"),
        ({"widget_type": "", "extra_data": {}}, "BAD_REQUEST"),
        ({"widget_type": "poll", "extra_data": {"question": "Soup?"}}, "BAD_REQUEST"),
        ({"widget_type": "form", "extra_data": {"a": "x" * 10_000}}, "BAD_REQUEST"),
    ],
)
def test_other_widgets_are_refused(ada: Someone, given: object, code: str) -> None:
    before = ada.finds()
    where = {"type": "channel", "to": "lunch", "topic": "today", "content": "x"}
    ada.refused("POST", "/messages", code=code, **where, widget_content=given)
    assert ada.finds() == before


def test_a_repeated_request_makes_no_second_poll(ada: Someone) -> None:
    line = ada.opens_queue("message")
    own = {"queue_id": line.id, "local_id": "1.1"}
    sent = [ada.says("Soup?", widget_content=FORM, **own) for _ in range(2)]
    assert sent[0] == sent[1]
    assert len(line.events()) == len(submessages(ada, sent[0])) == 1
    where = {"type": "channel", "to": "lunch", "topic": "today", "content": "Soup?"}
    ada.refused("POST", "/messages", **where, **own)


@pytest.mark.parametrize("content", ["Soup!", POLL])
def test_the_text_of_a_widget_is_not_edited(ada: Someone, content: str) -> None:
    sent = ada.says(POLL)
    ada.refused("PATCH", f"/messages/{sent}", content=content)
    ada.patch(f"/messages/{sent}", topic="elsewhere")
    assert ada.message(sent)["content"].startswith("<p>/poll")
    assert len(submessages(ada, sent)) == 1


def test_an_edited_text_becomes_no_widget(ada: Someone) -> None:
    sent = ada.says("Soup?")
    ada.patch(f"/messages/{sent}", content=POLL)
    assert submessages(ada, sent) == []


# -- adding -----------------------------------------------------------------------------------------


def test_everybody_who_can_read_a_poll_votes(ada: Someone, bea: Someone, cem: Someone, robo: Someone) -> None:
    sent = ada.says(POLL)
    lines = {who: who.opens_queue("submessage") for who in (ada, bea, cem)}
    for who in (bea, cem, robo):
        adds(who, sent)
    _, *votes = submessages(ada, sent)
    assert [one["sender_id"] for one in votes] == [bea.id, cem.id, robo.id]
    assert [json.loads(one["content"]) for one in votes] == [VOTE] * 3
    announced = [event for event in lines[bea].events() if event.pop("id")]
    assert announced == [
        {
            "type": "submessage",
            "message_id": sent,
            "submessage_id": one["id"],
            **{name: one[name] for name in ("sender_id", "msg_type", "content")},
        }
        for one in votes
    ]
    assert [event["submessage_id"] for event in lines[ada].events()] == [one["id"] for one in votes]
    # Cem is not in the channel, and receives the event about his own action.
    assert [event["sender_id"] for event in lines[cem].events()] == [cem.id]


def test_only_the_author_changes_what_is_asked(ada: Someone, bea: Someone) -> None:
    sent = ada.says(POLL)
    question = {"type": "question", "question": "Stew?"}
    refused(bea, sent, question)
    adds(ada, sent, question)
    assert said(bea, sent)[1:] == [question]


def test_the_author_adds_the_first(ada: Someone, bea: Someone) -> None:
    sent = ada.says("Soup?")
    for who, content in (
        (bea, VOTE),
        (bea, FORM),
        (ada, VOTE),
        (ada, {"widget_type": "poll", "extra_data": {}}),
    ):
        refused(who, sent, content)
    assert submessages(ada, sent) == []
    adds(ada, sent, {"a": 1}, "notes")
    adds(bea, sent, VOTE, "more notes")
    assert [one["msg_type"] for one in submessages(ada, sent)] == ["notes", "more notes"]
    form = ada.says("Soup?")
    adds(ada, form, FORM)
    adds(bea, form, {"type": "whatever"})
    assert said(ada, form) == [FORM, {"type": "whatever"}]


@pytest.mark.parametrize(
    "first", [{"a": 1}, [], {"widget_type": "poll", "extra_data": {"question": "?", "options": []}}]
)
@pytest.mark.parametrize("msg_type", ["widget", "notes"])
def test_widgets_are_checked_whatever_came_before(
    ada: Someone, bea: Someone, first: object, msg_type: str
) -> None:
    sent = ada.says("Soup?")
    adds(ada, sent, first, "notes")
    for who in (ada, bea):
        for odd in (
            {"widget_type": "poll", "extra_data": {"options": 5}},
            {"widget_type": "todo", "extra_data": {"tasks": [None]}},
            {"widget_type": "poll"},
            {"widget_type": "form", "extra_data": []},
        ):
            refused(who, sent, odd, msg_type=msg_type)
    if msg_type == "widget":
        for odd in (None, 1, "vote", []):
            refused(bea, sent, odd)
            refused(ada, sent, odd)
    assert len(submessages(ada, sent)) == 1


def test_acts_on_widgets_of_programs_are_objects(ada: Someone, bea: Someone) -> None:
    sent = ada.says("Soup?")
    adds(ada, sent, FORM)
    for odd in (None, 1, "vote", [], True):
        refused(bea, sent, odd)
        refused(bea, sent, odd, msg_type="notes")
    refused(bea, ada.says("Soup?"), FORM)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("no JSON", {}),
        ("", {}),
        ("NaN", {}),
        ("[" * 5000, {}),
        ("1" * 5000, {}),
        ({"type": "new_option", "option": "bread", "idx": 1001}, {}),
        ({**VOTE, "key": "x" * 10_000}, {}),
        (r'{"type": "vote", "key": "\ud800", "vote": 1}', {}),
        (VOTE, {"msg_type": ""}),
        (VOTE, {"msg_type": "x" * 101}),
    ],
)
def test_submessages_that_are_refused(
    ada: Someone, bea: Someone, content: object, fields: dict[str, Any]
) -> None:
    sent = ada.says(POLL)
    line = ada.opens_queue("submessage")
    assert len(refused(bea, sent, content, **fields)) < 250
    assert len(submessages(ada, sent)) == 1
    assert line.events() == []


def test_a_message_has_only_so_many_submessages(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_submessages_per_message=3, max_submessages_length=500))
    ada, bea = world["ada"], world["bea"]
    many, long = ada.says(POLL), ada.says("x")
    for who in (ada, bea):
        adds(who, many)
    refused(bea, many)
    adds(ada, long, "1" * 400, "notes")
    refused(bea, long, "1" * 101, msg_type="notes")
    adds(bea, long, "1" * 100, "notes")
    assert (len(submessages(ada, many)), len(submessages(ada, long))) == (3, 2)


def test_one_account_adds_only_so_many(make_world: MakeWorld) -> None:
    """Other accounts can still add submessages when one has reached its limit."""
    limits = Limits(max_submessages_of_account=2, max_submessages_length_of_account=300)
    world = make_world(limits=limits)
    ada, bea, cem = world["ada"], world["bea"], world["gus"]
    many, long = ada.says(POLL), ada.says("x")
    for _ in range(2):
        adds(bea, many)
    refused(bea, many)
    adds(cem, many)
    adds(ada, long, "1", "notes")
    adds(bea, long, "1" * 200, "notes")
    refused(bea, long, "1" * 101, msg_type="notes")
    adds(cem, long, "1" * 300, "notes")


# -- which messages ---------------------------------------------------------------------------------


def test_submessages_need_a_readable_message(world: World, ada: Someone, gus: Someone, cem: Someone) -> None:
    outside = [
        (cem, ada.says(POLL, "secret")),
        (cem, ada.says(POLL, "vault")),
        (gus, ada.says(POLL, "plaza")),
    ]
    outside += [(cem, ada.writes(POLL, "bea")), (cem, 999_999)]
    answers = {refused(who, message_id) for who, message_id in outside}
    given = {"message_id": ada.says(POLL, "plaza"), "msg_type": "widget", "content": as_text(VOTE)}
    world.nobody.refused("POST", "/submessage", status=401, code="UNAUTHORIZED", **given)
    sent = ada.says(POLL)
    world.archive("lunch")
    assert answers == {refused(ada, sent)}
    assert len(submessages(ada, sent)) == 1


def test_users_who_are_notified_of_a_vote(world: World, ada: Someone) -> None:
    for place, expected in (("lunch", {"ada", "bea", "gus"}), ("secret", {"ada", "bea"}), ("vault", {"ada"})):
        sent = ada.says(POLL, place)
        lines = {name: world[name].opens_queue("submessage") for name in ("olga", "ada", "bea", "cem", "gus")}
        adds(ada, sent)
        assert {name for name, line in lines.items() if line.events()} == expected, place
    bea = world["bea"]
    sent, line = ada.writes(POLL, "bea"), bea.opens_queue("submessage")
    adds(ada, sent)
    assert [event["message_id"] for event in line.events()] == [sent]


def test_former_subscribers_are_not_notified(ada: Someone, bea: Someone) -> None:
    sent, line = ada.says(POLL, "secret"), bea.opens_queue("submessage")
    adds(ada, sent)
    bea.leaves("secret")
    assert line.events() == []
    refused(bea, sent)


def test_a_poll_that_is_moved_keeps_its_votes(world: World, ada: Someone, cem: Someone) -> None:
    sent = ada.says(POLL)
    adds(ada, sent)
    ada.patch(f"/messages/{sent}", stream_id=world.id("plaza"))
    adds(cem, sent)
    assert said(cem, sent)[1:] == [VOTE, VOTE]


def test_a_deleted_poll_takes_its_votes_with_it(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says(POLL)
    adds(bea, sent)
    before = world.count("submessage")
    ada.delete(f"/messages/{sent}")
    assert (before, world.count("submessage")) == (2, 0)


def test_plain_messages_are_not_asked_for_submessages(world: World, ada: Someone) -> None:
    for _ in range(3):
        ada.says("soup")

    def asked() -> int:
        with statements(world.storage) as spied:
            ada.reads()
        return sum('FROM "submessage"' in statement for statement, _ in spied)

    assert asked() == 0
    for _ in range(3):
        ada.says(POLL)
    assert asked() == 1
