"""Scheduling messages over HTTP, on both stores; how they are sent is in `tests.application.scheduled`."""

from hashlib import sha256
from typing import Any

import pytest

from chatcore.application.scheduled import scheduled_messages
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from tests.worlds.groups import makes
from tests.worlds.organization import NOW, MakeWorld, Someone, World
from tests.worlds.waiting import passes, scheduled_of, schedules


def test_messages_are_scheduled_listed_changed_and_deleted(world: World, ada: Someone, bea: Someone) -> None:
    lunch, plaza = world.id("lunch"), world.id("plaza")
    late = schedules(ada, "*soup* ", seconds=60)
    soon = schedules(ada, "stew", seconds=30, type="direct", to=[bea.id, ada.id, bea.id])
    to_channel = {
        "scheduled_message_id": late,
        "type": "stream",
        "to": lunch,
        "topic": "today",
        "content": "*soup*",
        "rendered_content": "<p><em>soup</em></p>",
        "scheduled_delivery_timestamp": NOW + 60,
        "failed": False,
    }
    directly = {
        "scheduled_message_id": soon,
        "type": "private",
        "to": [bea.id],
        "content": "stew",
        "rendered_content": "<p>stew</p>",
        "scheduled_delivery_timestamp": NOW + 30,
        "failed": False,
    }
    assert scheduled_of(ada) == [directly, to_channel]
    ada.patch(f"/scheduled_messages/{late}", to=plaza, scheduled_delivery_timestamp=NOW + 10)
    ada.patch(f"/scheduled_messages/{late}", topic="later")
    ada.patch(f"/scheduled_messages/{late}", content="salad")
    changed = {
        **to_channel,
        "to": plaza,
        "topic": "later",
        "content": "salad",
        "rendered_content": "<p>salad</p>",
        "scheduled_delivery_timestamp": NOW + 10,
    }
    assert scheduled_of(ada) == [changed, directly]
    ada.patch(f"/scheduled_messages/{soon}", type="channel", to=lunch, topic="today")
    assert scheduled_of(ada)[1] == {**directly, "type": "stream", "to": lunch, "topic": "today"}
    ada.patch(f"/scheduled_messages/{soon}", type="direct", to=[ada.id])
    assert scheduled_of(ada)[1] == {**directly, "to": [ada.id]}
    ada.delete(f"/scheduled_messages/{late}")
    assert [one["scheduled_message_id"] for one in scheduled_of(ada)] == [soon]


def test_each_change_is_sent_to_the_authors_clients_only(ada: Someone, bea: Someone) -> None:
    mine, hers = ada.opens_queue("scheduled_messages"), bea.opens_queue("scheduled_messages")
    scheduled_id = schedules(ada)
    (first,) = scheduled_of(ada)
    ada.patch(f"/scheduled_messages/{scheduled_id}", content="stew")
    ada.patch(f"/scheduled_messages/{scheduled_id}", content="stew")  # nothing new
    (second,) = scheduled_of(ada)
    ada.delete(f"/scheduled_messages/{scheduled_id}")
    added, changed, removed = [{**event, "id": 0} for event in mine.events()]
    kind = {"id": 0, "type": "scheduled_messages"}
    assert added == {**kind, "op": "add", "scheduled_messages": [first]}
    assert changed == {**kind, "op": "update", "scheduled_message": second}
    assert removed == {**kind, "op": "remove", "scheduled_message_id": scheduled_id}
    assert hers.events() == []


@pytest.mark.parametrize("name", ["bea", "olga", "gus", "robo"])
def test_a_scheduled_message_of_another_is_as_if_absent(world: World, ada: Someone, name: str) -> None:
    scheduled_id, other = schedules(ada), world[name]
    answers = [
        other.refused(method, f"/scheduled_messages/{number}", status=404, content="gotcha")
        for method in ("PATCH", "DELETE")
        for number in (scheduled_id, 10**6)
    ]
    assert len({answer["msg"] for answer in answers}) == 1
    assert scheduled_of(other) == []
    assert scheduled_of(ada)[0]["content"] == "soup"


@pytest.mark.parametrize("due", [0, -1, NOW, NOW - 1, 2**62])
def test_a_message_is_scheduled_for_the_future(ada: Someone, due: int) -> None:
    scheduled_id = schedules(ada)
    ada.refused("PATCH", f"/scheduled_messages/{scheduled_id}", scheduled_delivery_timestamp=due)
    given = {"type": "direct", "to": [ada.id], "content": "soup", "scheduled_delivery_timestamp": due}
    ada.refused("POST", "/scheduled_messages", **given)
    assert [one["scheduled_delivery_timestamp"] for one in scheduled_of(ada)] == [NOW + 60]


def refusals(world: World) -> list[tuple[str, dict[str, Any]]]:
    """Messages that ada cannot send, with the codes of their refusals."""
    channel, direct = {"type": "channel", "topic": "a"}, {"type": "direct"}
    cellar = world.add_channel("cellar", invite_only=True)
    makes(world["olga"], "cooks", world["bea"], can_mention_group=SystemGroup.NOBODY.group_id)
    return [
        ("STREAM_DOES_NOT_EXIST", {**channel, "to": 10**6}),
        ("STREAM_DOES_NOT_EXIST", {**channel, "to": cellar}),
        ("BAD_REQUEST", {**channel, "to": world.id("attic")}),
        ("BAD_REQUEST", {**channel, "to": world.add_channel("news")}),
        ("BAD_REQUEST", {**channel, "to": [world.id("lunch"), world.id("plaza")]}),
        ("BAD_REQUEST", {**channel, "to": []}),
        ("BAD_REQUEST", {**channel, "to": world.id("lunch"), "topic": "a\0b"}),
        ("BAD_REQUEST", {"type": "channel", "to": world.id("lunch")}),
        ("BAD_REQUEST", {**direct, "to": [10**6]}),
        ("BAD_REQUEST", {**direct, "to": []}),
        ("BAD_REQUEST", {**direct, "to": [world["cem"].id]}),
        ("BAD_REQUEST", {**direct, "to": [world[name].id for name in ("bea", "gus", "olga")]}),
        ("BAD_REQUEST", {**direct, "to": [world["bea"].id], "content": "@*cooks*"}),
        ("BAD_REQUEST", {**channel, "to": world.id("lunch"), "content": "@*cooks*"}),
        ("BAD_REQUEST", {**channel, "to": world.id("lunch"), "content": " \n"}),
        ("BAD_REQUEST", {**channel, "to": world.id("lunch"), "content": "a\0b"}),
        ("STREAM_WILDCARD_MENTION_NOT_ALLOWED", {**channel, "to": world.id("lunch"), "content": "@**all**"}),
    ]


def test_what_cannot_be_sent_now_is_not_scheduled(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_direct_message_people=3, wildcard_mention_free_up_to=2))
    ada = world["ada"]
    world.change_user("cem", is_active=False)
    nobody = GroupSetting.of(SystemGroup.NOBODY)
    wrong = refusals(world)
    world.permit("news", can_send_message_group=nobody)
    scheduled_id = schedules(ada)
    before, line = scheduled_of(ada), ada.opens_queue()
    for code, given in wrong:
        due = {"scheduled_delivery_timestamp": NOW + 60}
        ada.refused("POST", "/scheduled_messages", code=code, **{"content": "soup", **due, **given})
        if given != {"type": "channel", "to": world.id("lunch")}:  # the topic stays
            ada.refused("PATCH", f"/scheduled_messages/{scheduled_id}", code=code, **given)
    assert (scheduled_of(ada), line.events()) == (before, [])


def test_writers_do_not_wait_for_a_scheduled_message_to_too_many_people(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(limits=Limits(max_direct_message_people=2))
    ada = world["ada"]
    scheduled_id = schedules(ada, type="direct", to=[world["bea"].id])
    monkeypatch.setattr(world.svc.storage, "write", lambda work: pytest.fail("it was a unit of work"))
    to = [world[name].id for name in ("bea", "cem", "olga")]
    ada.refused(
        "POST",
        "/scheduled_messages",
        type="direct",
        to=to,
        content="soup",
        scheduled_delivery_timestamp=NOW + 60,
    )
    for given in ({"to": to}, {"type": "direct", "to": to}):
        ada.refused("PATCH", f"/scheduled_messages/{scheduled_id}", **given)


def test_an_incomplete_change_is_refused(world: World, ada: Someone, bea: Someone) -> None:
    scheduled_id = schedules(ada, type="direct", to=bea.id)
    for given in ({}, {"type": "direct"}, {"type": "channel", "to": world.id("lunch")}):
        ada.refused("PATCH", f"/scheduled_messages/{scheduled_id}", **given)
    assert [one["type"] for one in scheduled_of(ada)] == ["private"]


@pytest.mark.parametrize("name", ["type", "to", "content", "scheduled_delivery_timestamp"])
def test_a_missing_part_is_named(ada: Someone, name: str) -> None:
    given = {"type": "direct", "to": [ada.id], "content": "soup", "scheduled_delivery_timestamp": NOW + 60}
    del given[name]
    refused = ada.refused("POST", "/scheduled_messages", code="REQUEST_VARIABLE_MISSING", **given)
    assert refused["var_name"] == name


def test_a_change_of_the_time_alone_needs_no_permission(world: World, ada: Someone) -> None:
    """The permission is checked when the message is due; until then it may come back."""
    scheduled_id = schedules(ada)
    world.archive("lunch")
    ada.patch(f"/scheduled_messages/{scheduled_id}", scheduled_delivery_timestamp=NOW + 90)
    ada.refused("PATCH", f"/scheduled_messages/{scheduled_id}", content="stew")
    assert [one["content"] for one in scheduled_of(ada)] == ["soup"]


def test_a_message_that_was_sent_cannot_be_changed_any_more(world: World, ada: Someone) -> None:
    scheduled_id = schedules(ada)
    passes(world, 60)
    for method in ("PATCH", "DELETE"):
        ada.refused(method, f"/scheduled_messages/{scheduled_id}", status=404, content="stew")
    assert [one["content"] for one in ada.reads("channel:lunch", apply_markdown=False)] == ["soup"]


def test_messages_that_are_too_large_together_may_become_smaller(make_world: MakeWorld) -> None:
    scheduled_id = schedules(make_world()["ada"], "x" * 200)
    ada = make_world(limits=Limits(max_scheduled_size=100))["ada"]
    ada.refused("PATCH", f"/scheduled_messages/{scheduled_id}", content="x" * 201)
    ada.patch(f"/scheduled_messages/{scheduled_id}", content="x" * 150)


def test_reminders_that_are_too_large_are_refused(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_scheduled_size=500))
    ada = world["ada"]
    given = {"message_id": ada.says("soup"), "scheduled_delivery_timestamp": NOW + 60}
    ada.refused("POST", "/reminders", note="x" * 500, **given)
    assert world.count("scheduled_message") == 0
    ada.post("/reminders", note="tea", **given)


def test_an_author_who_becomes_a_guest_meanwhile_changes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    cem, render = world["cem"], scheduled_messages.render_text
    scheduled_id = schedules(cem)

    def demote_meanwhile(*given: Any) -> Any:
        world.change_user("cem", role=Role.GUEST)
        return render(*given)

    monkeypatch.setattr(scheduled_messages, "render_text", demote_meanwhile)
    path = f"/scheduled_messages/{scheduled_id}"
    cem.refused("PATCH", path, code="STREAM_DOES_NOT_EXIST", content="stew")
    assert [one["content"] for one in scheduled_of(cem)] == ["soup"]


def test_a_spectator_cannot_list_scheduled_messages(world: World) -> None:
    world.open_to_the_web()
    world.nobody.refused("GET", "/scheduled_messages", status=401, code="UNAUTHORIZED")


def test_two_clients_that_change_different_parts_at_once_lose_nothing(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduled_id = schedules(ada)
    render, pending = scheduled_messages.render_text, ["stew"]

    def change_meanwhile(*given: Any) -> Any:
        if pending:
            change = scheduled_messages.ScheduledChange(content=pending.pop())
            scheduled_messages.edit_scheduled_message(world.svc, ada.actor, scheduled_id, change)
        return render(*given)

    monkeypatch.setattr(scheduled_messages, "render_text", change_meanwhile)
    ada.patch(f"/scheduled_messages/{scheduled_id}", topic="later")
    (found,) = scheduled_of(ada)
    assert (found["content"], found["rendered_content"], found["topic"]) == ("stew", "<p>stew</p>", "later")


def test_a_change_of_a_text_that_nobody_has_seen_is_refused(ada: Someone) -> None:
    scheduled_id = schedules(ada, "soup")
    seen = sha256(b"soup").hexdigest()
    ada.patch(f"/scheduled_messages/{scheduled_id}", content="stew", prev_content_sha256=seen)
    path = f"/scheduled_messages/{scheduled_id}"
    for change in ({"content": "salad"}, {"scheduled_delivery_timestamp": NOW + 99}):
        ada.refused("PATCH", path, **change, prev_content_sha256=seen, code="EXPECTATION_MISMATCH")
    ada.refused("DELETE", path, prev_content_sha256=seen, code="EXPECTATION_MISMATCH")
    (found,) = scheduled_of(ada)
    assert (found["content"], found["scheduled_delivery_timestamp"] == NOW + 99) == ("stew", False)
    ada.delete(path, prev_content_sha256=sha256(b"stew").hexdigest())
    assert scheduled_of(ada) == []
