"""Messages that become read without their reader's doing: the clients are told which were still unread."""

from collections.abc import Callable
from typing import Any

import pytest

from chatcore.application.visibility import reading
from tests.worlds.channels import MODERN, edits, path
from tests.worlds.organization import Line, Someone, World


def told(line: Line) -> list[tuple[str, str, list[int]]]:
    """Return the flags that a queue has been told of, event by event."""
    return [(one["op"], one["flag"], one["messages"]) for one in line.events("update_message_flags")]


def read(*message_ids: int) -> list[tuple[str, str, list[int]]]:
    return [("add", "read", list(message_ids))]


def notice_of(world: World, channel: str = "lunch") -> int:
    """Return the notice that a channel was archived: it becomes read at once."""
    return world["olga"].finds(f"channel:{channel}", "topic:channel events")[-1]


def unread_of(who: Someone) -> list[int]:
    return who.finds("is:unread")


def leaves(who: Someone) -> None:
    who.leaves("lunch")


def is_removed(who: Someone) -> None:
    who.world["olga"].leaves("lunch", principals=[who.id])


def leaves_among_others(who: Someone) -> None:
    who.patch("/users/me/subscriptions", delete=["lunch"], add=[{"name": "plaza"}])


def sees_it_archived(who: Someone) -> None:
    who.world["olga"].delete(path(who.world, "lunch"))


ROADS = pytest.mark.parametrize("road", [leaves, is_removed, leaves_among_others, sees_it_archived])


@pytest.mark.every_case_on_postgresql
@ROADS
def test_clients_are_told_which_messages_became_read(
    world: World, ada: Someone, bea: Someone, road: Callable[[Someone], None]
) -> None:
    first, second, third, fourth = (ada.says("soup") for _ in range(4))
    bea.flagged("read", second, third)
    bea.flagged("read", third, op="remove")
    direct = ada.writes("soup?", "bea")
    lines = [bea.registers(), bea.opens_queue("update_message_flags", client_capabilities=MODERN)]
    others = world["cem"].opens_queue("update_message_flags")
    road(bea)
    notice = [notice_of(world)] if road is sees_it_archived else []
    assert [told(line) for line in lines] == [read(first, third, fourth, *notice)] * 2
    assert unread_of(bea) == [direct]
    if road is not sees_it_archived:
        bea.joins("lunch")
        assert [told(line) for line in lines] == [[], []]
    assert told(others) == []


@ROADS
def test_nothing_is_told_of_what_was_read(
    world: World, ada: Someone, bea: Someone, road: Callable[[Someone], None]
) -> None:
    bea.flagged("read", ada.says("soup"))
    line = bea.opens_queue("update_message_flags")
    road(bea)
    assert told(line) == (read(notice_of(world)) if road is sees_it_archived else [])


@ROADS
def test_very_many_messages_are_told_in_several_events(
    world: World, ada: Someone, bea: Someone, road: Callable[[Someone], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "BATCH", 2)
    sent = [ada.says("soup") for _ in range(4)]
    line = bea.opens_queue("update_message_flags")
    road(bea)
    *many, last = [*sent, *([notice_of(world)] if road is sees_it_archived else [ada.says("soup")])]
    if road is sees_it_archived:
        assert told(line) == [*read(many[0]), *read(*many[1:3]), *read(many[3], last)]
    else:
        assert told(line) == [*read(*many[:2]), *read(*many[2:])]


def test_each_client_is_told_of_its_own_unread_messages(
    world: World, olga: Someone, ada: Someone, bea: Someone, gus: Someone
) -> None:
    first, second = ada.says("soup"), ada.says("soup")
    for who in (ada, gus):
        who.flagged("read", first)
    lines = [who.opens_queue("update_message_flags") for who in (ada, bea, gus, world["cem"])]
    olga.delete(path(world, "lunch"))
    notice = notice_of(world)
    assert [told(line) for line in lines] == [
        read(second, notice),
        read(first, second, notice),
        read(second, notice),
        [],
    ]


def test_messages_of_somebody_muted_are_no_news(ada: Someone, bea: Someone) -> None:
    bea.post(f"/users/me/muted_users/{ada.id}")
    ada.says("soup")
    line = bea.opens_queue("update_message_flags")
    bea.leaves("lunch")
    assert told(line) == []


# -- bots that are called ---------------------------------------------------------------------------


def is_archived(world: World) -> None:
    world["olga"].delete(path(world, "plaza"))


def becomes_private(world: World) -> None:
    edits(world["olga"], "plaza", is_private=True)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("happens", [is_archived, becomes_private])
def test_a_bot_is_told_of_a_call_that_became_read(
    world: World, ada: Someone, robo: Someone, happens: Callable[[World], None]
) -> None:
    called = ada.says("@**Robo** ?", "plaza")
    line = robo.opens_queue("update_message_flags")
    happens(world)
    assert told(line) == read(called)
    assert unread_of(robo) == []


# -- moves ------------------------------------------------------------------------------------------


def moves(who: Someone, message_id: int, channel: str) -> None:
    where = {"stream_id": who.world.id(channel), "propagate_mode": "change_all"}
    who.patch(f"/messages/{message_id}", **where, send_notification_to_new_thread=False)


def test_who_is_not_where_messages_are_moved_is_told_that_they_are_read(
    world: World, olga: Someone, ada: Someone, bea: Someone, gus: Someone
) -> None:
    ada.leaves("plaza")
    first, second, third = (olga.says("soup", "lunch", topic) for topic in ("a", "b", "a"))
    bea.joins("plaza")
    lines = {who: who.opens_queue("update_message_flags", "delete_message") for who in (ada, bea, gus)}
    moves(olga, first, "plaza")
    assert told(lines[ada]) == read(first, third)
    assert unread_of(ada) == [second]
    assert told(lines[bea]) == []
    assert unread_of(bea) == [first, second, third]
    events = lines[gus].events()  # a guest loses what is in an open channel without a subscription
    assert [one["type"] for one in events] == ["update_message_flags", *["delete_message"] * 2]
    assert events[0]["messages"] == [first, third]


# -- a client that registers meanwhile --------------------------------------------------------------


@pytest.mark.every_case_on_postgresql
@ROADS
def test_a_client_that_registers_meanwhile_has_nothing_unread(
    world: World,
    ada: Someone,
    bea: Someone,
    road: Callable[[Someone], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The state is read before the change, and the queue is stored after it."""
    ada.says("soup")
    write = world.storage.write

    def write_later(unit: Callable[..., Any]) -> Any:
        monkeypatch.setattr(world.storage, "write", write)
        road(bea)
        return write(unit)

    monkeypatch.setattr(world.storage, "write", write_later)
    line = bea.registers(client_capabilities=MODERN)
    unread = {one for topic in line.state["unread_msgs"]["streams"] for one in topic["unread_message_ids"]}
    for event in line.events("update_message_flags"):
        unread -= set(event["messages"])
    assert unread == set()
