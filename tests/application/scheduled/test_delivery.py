"""The delivery of scheduled messages, with a clock that is set."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chatcore.application.messages import sending
from chatcore.application.organization.deactivation import deactivate_organization, reactivate_organization
from chatcore.application.scheduled import delivery, reminders
from chatcore.application.scheduled.delivery import UNEXPECTED, deliver_due
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import Position
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from chatcore.runtime import alarm
from chatcore.storage import StorageNotReady
from tests.waiting import until
from tests.worlds.organization import NOW, MakeWorld, Someone, World, at_once
from tests.worlds.waiting import passes, reminded, reminders_of, scheduled_of, schedules


def contents(someone: Someone, *narrow: str) -> list[str]:
    return [message["content"] for message in someone.reads(*narrow, apply_markdown=False)]


def test_a_message_is_sent_when_it_is_due(world: World, ada: Someone, bea: Someone) -> None:
    mine, hers = ada.opens_queue("scheduled_messages", "message"), bea.opens_queue("message")
    scheduled_id = schedules(ada, "soup, @**Bea**")
    mine.events()
    assert deliver_due(world.svc) == 60
    passes(world, 59.5)
    assert contents(bea, "channel:lunch") == []
    passes(world, 0.5)
    sent, removed = mine.events()
    assert (sent["type"], sent["message"]["timestamp"]) == ("message", NOW + 60)
    assert (removed["op"], removed["scheduled_message_id"]) == ("remove", scheduled_id)
    (received,) = hers.events()
    assert (received["message"]["content"], received["flags"]) == ("soup, @**Bea**", ["mentioned"])
    assert received["message"]["sender_id"] == ada.id
    assert (received["message"]["display_recipient"], received["message"]["subject"]) == ("lunch", "today")
    assert scheduled_of(ada) == []
    passes(world, 600)
    assert contents(bea, "channel:lunch") == ["soup, @**Bea**"]


def test_messages_are_sent_in_the_order_of_their_times(world: World, ada: Someone, bea: Someone) -> None:
    for seconds in (30, 10, 20):
        schedules(ada, f"{seconds}", seconds=seconds, type="direct", to=[bea.id])
    passes(world, 25)
    assert contents(bea, "is:dm") == ["10", "20"]
    passes(world, 5)
    assert contents(bea, "is:dm") == ["10", "20", "30"]


def test_what_was_due_while_no_server_ran_is_sent_later(make_world: MakeWorld) -> None:
    world = make_world()
    schedules(world["ada"], "soup")
    again = make_world()
    again.clock.advance(7 * 86_400)
    deliver_due(again.svc)
    assert contents(again["bea"], "channel:lunch") == ["soup"]


@pytest.mark.parametrize(
    ("agent", "more", "is_read"),
    [
        ("tests/1.0", {}, False),
        ("website/1.0", {}, True),
        ("tests/1.0", {"read_by_sender": True}, True),
        ("website/1.0", {"read_by_sender": False}, False),
    ],
)
def test_the_author_has_read_it_as_if_it_was_sent_by_hand(
    world: World, ada: Someone, agent: str, more: dict[str, Any], is_read: bool
) -> None:
    ada.headers["User-Agent"] = agent
    schedules(ada, **more)
    by_hand = ada.says("stew", **more)
    passes(world, 60)
    scheduled = max(ada.finds("channel:lunch"))
    assert ada.flags(scheduled) == ada.flags(by_hand) == ({"read"} if is_read else set())
    assert ada.message(scheduled)["client"] == ada.message(by_hand)["client"]


def test_mentions_and_names_are_those_of_the_time_of_sending(world: World, ada: Someone) -> None:
    ada.post("/user_groups/create", name="cooks", description="", members=[ada.id])
    group = max(one["id"] for one in ada.get("/user_groups")["user_groups"])
    schedules(ada, "@*cooks*")
    ada.post(f"/user_groups/{group}/members", add=[world["bea"].id])
    passes(world, 60)
    assert world["bea"].flags(max(world["bea"].finds("channel:lunch"))) == {"mentioned"}


def test_a_scheduled_poll_is_a_poll(world: World, ada: Someone) -> None:
    schedules(ada, "/poll Soup?\nyes\nno")
    passes(world, 60)
    (message,) = ada.reads("channel:lunch")
    assert len(message["submessages"]) == 1


# -- what cannot be sent ------------------------------------------------------------------------------


def leaves_secret(world: World) -> None:
    world["ada"].leaves("secret")


def nobody_may_send(world: World) -> None:
    world.permit("secret", can_send_message_group=GroupSetting.of(SystemGroup.NOBODY))


LOST: dict[str, tuple[dict[str, Any], Callable[[World], object], str]] = {
    "an archived channel": ({}, lambda world: world.archive("secret"), "secret"),
    "a channel without access": ({}, leaves_secret, "does not exist"),
    "a channel without permission": ({}, nobody_may_send, "do not have permission"),
    "a deactivated reader": (
        {"type": "direct", "to": "bea"},
        lambda world: world.change_user("bea", is_active=False),
        "Invalid user ID",
    ),
    "too many readers": (
        {"content": "@**all**"},
        lambda world: world.add_people(20, to="secret"),
        "",
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_what_cannot_be_sent_stays_and_its_author_is_notified(world: World, ada: Someone, name: str) -> None:
    given, lose, reason = LOST[name]
    place: dict[str, Any] = {"type": "channel", "to": world.id("secret"), **given}
    if place["to"] == "bea":
        place["to"] = [world["bea"].id]
    scheduled_id = schedules(ada, **{"content": "soup", **place})
    lose(world)
    line, before = ada.opens_queue("scheduled_messages", "message"), world.count("message")
    passes(world, 60)
    changed, notice = line.events()
    (failed,) = scheduled_of(ada)
    assert (failed["scheduled_message_id"], failed["failed"]) == (scheduled_id, True)
    assert (changed["op"], changed["scheduled_message"]) == ("update", failed)
    assert notice["message"]["sender_full_name"] == "Notification Bot"
    assert "2025-06-15T15:07:40+00:00" in notice["message"]["content"]
    assert reason in notice["message"]["content"]
    readers = {one["id"] for one in notice["message"]["display_recipient"]}
    assert readers == {ada.id, notice["message"]["sender_id"]}
    assert world.count("message") == before + 1
    passes(world, 600)
    assert line.events() == [], "it is not tried again"


def test_a_deactivated_author_sends_nothing_and_finds_the_reason_later(world: World, ada: Someone) -> None:
    schedules(ada, "soup")
    world.change_user("ada", is_active=False)
    before = world.count("message")
    passes(world, 60)
    world.change_user("ada", is_active=True)
    assert world.count("message") == before
    assert [one["failed"] for one in scheduled_of(ada)] == [True]
    passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == []


def test_what_could_not_be_sent_waits_again_with_a_new_time(world: World, ada: Someone) -> None:
    scheduled_id = schedules(ada, to=world.id("secret"))
    leaves_secret(world)
    passes(world, 60)
    path = f"/scheduled_messages/{scheduled_id}"
    ada.refused("PATCH", path, to=world.id("lunch"))
    ada.patch(path, to=world.id("lunch"), scheduled_delivery_timestamp=int(world.clock()) + 5)
    assert [one["failed"] for one in scheduled_of(ada)] == [False]
    passes(world, 5)
    assert contents(world["bea"], "channel:lunch") == ["soup"]


def test_what_could_not_be_sent_can_be_deleted(world: World, ada: Someone) -> None:
    scheduled_id = schedules(ada, to=world.id("secret"))
    leaves_secret(world)
    passes(world, 60)
    ada.delete(f"/scheduled_messages/{scheduled_id}")
    assert scheduled_of(ada) == []


def test_the_owner_of_a_bot_learns_what_it_could_not_send(world: World, ada: Someone, robo: Someone) -> None:
    schedules(robo, to=world.id("plaza"))
    world.archive("plaza")
    passes(world, 60)
    (notice,) = ada.reads("is:dm", apply_markdown=False)
    assert "your bot `robo@example.org`" in notice["content"]
    assert scheduled_of(robo)[0]["failed"]


def test_a_deactivated_owner_of_a_bot_is_not_notified(world: World, ada: Someone, robo: Someone) -> None:
    schedules(robo, "soup")
    world.archive("lunch")
    world.change_user("ada", is_active=False)
    passes(world, 60)
    assert [one["failed"] for one in scheduled_of(robo)] == [True]
    assert world.count("message") == 0


def test_nothing_in_a_reason_is_markup(world: World, ada: Someone) -> None:
    news = world.add_channel("`@**all** <b>", "ada")
    schedules(ada, to=news)
    world.sql("UPDATE channel SET is_archived = ? WHERE id = ?", True, news)
    passes(world, 60)
    (notice,) = ada.reads("is:dm")
    assert "<b>" not in notice["content"]
    assert 'class="user-mention' not in notice["content"]


def test_a_failure_does_not_hold_up_the_next_message(world: World, ada: Someone) -> None:
    schedules(ada, "one", to=world.id("secret"))
    schedules(ada, "two")
    leaves_secret(world)
    passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == ["two"]


def test_an_unexpected_failure_is_tried_again_and_then_reported(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [OSError("no luck")] * 2

    def unlucky(*given: Any) -> Any:
        if failures:
            raise failures.pop()
        return sending.send_in(*given)

    monkeypatch.setattr(delivery, "send_in", unlucky)
    schedules(ada, "soup")
    passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == ["soup"]
    failures += [OSError("no luck")] * 3
    schedules(ada, "stew")
    passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == ["soup"]
    (notice,) = ada.reads("is:dm", apply_markdown=False)
    assert UNEXPECTED in notice["content"]


def test_a_store_that_is_not_ready_is_no_failure_of_a_message(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_ready(*given: Any) -> Any:
        raise StorageNotReady("the disk is full")

    schedules(ada, "soup")
    with monkeypatch.context() as patch:
        patch.setattr(delivery, "send_in", not_ready)
        with pytest.raises(StorageNotReady):
            passes(world, 60)
    assert [one["failed"] for one in scheduled_of(ada)] == [False]
    deliver_due(world.svc)
    assert contents(world["bea"], "channel:lunch") == ["soup"]


def test_a_group_conversation_beyond_the_daily_limit_is_not_begun(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_new_group_conversations_per_user_and_day=1))
    ada = world["ada"]
    for name in ("cem", "gus"):
        schedules(ada, type="direct", to=[world["bea"].id, world[name].id])
    passes(world, 60)
    assert [one["failed"] for one in scheduled_of(ada)] == [True]
    assert world.count("conversation") == 1 + 1  # with the notification bot


def test_the_messages_of_one_author_do_not_wait_for_all_of_another(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "SHARE", 2)
    for number in range(8):
        schedules(ada, f"soup {number}")
    for number in range(3):
        schedules(bea, f"stew {number}")
    passes(world, 60)
    sent = contents(bea, "channel:lunch")
    assert [one for one in sent if "soup" in one] == [f"soup {number}" for number in range(8)]
    assert [one for one in sent if "stew" in one] == [f"stew {number}" for number in range(3)]
    assert sent.index("stew 1") < sent.index("soup 2")
    assert sent.index("stew 2") < sent.index("soup 4")


# -- once ---------------------------------------------------------------------------------------------


def test_processes_that_deliver_at_once_send_each_message_once(make_world: MakeWorld) -> None:
    worlds = [make_world() for _ in range(3)]
    ada, bea = worlds[0]["ada"], worlds[0]["bea"]
    for number in range(8):
        schedules(ada, f"soup {number}")
    line = bea.opens_queue("message")
    for world in worlds:
        world.clock.advance(60)
    at_once(*[lambda world=world: deliver_due(world.svc) for world in worlds])  # type: ignore[misc]
    assert contents(bea, "channel:lunch") == [f"soup {number}" for number in range(8)]
    assert len(line.events()) == 8
    assert scheduled_of(ada) == []


def test_what_is_changed_or_deleted_while_it_is_being_sent_is_not_sent_so(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = [
        lambda scheduled_id: ada.delete(f"/scheduled_messages/{scheduled_id}"),
        lambda scheduled_id: ada.patch(f"/scheduled_messages/{scheduled_id}", content="stew"),
    ]
    render = delivery.render_text
    for change in changes:
        scheduled_id = schedules(ada, "soup")
        pending = [change]

        def change_meanwhile(*given: Any, scheduled_id: int = scheduled_id, pending: Any = pending) -> Any:
            if pending:
                pending.pop()(scheduled_id)
            return render(*given)

        monkeypatch.setattr(delivery, "render_text", change_meanwhile)
        passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == ["stew"]


def test_what_is_deleted_while_it_fails_is_not_reported(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduled_id = schedules(ada, to=world.id("secret"))
    leaves_secret(world)
    render = delivery.render_text

    def delete_meanwhile(*given: Any) -> Any:
        ada.delete(f"/scheduled_messages/{scheduled_id}")
        return render(*given)

    monkeypatch.setattr(delivery, "render_text", delete_meanwhile)
    line = ada.opens_queue("scheduled_messages", "message")
    passes(world, 60)
    assert [event["op"] for event in line.events()] == ["remove"]


def test_a_reminder_never_quotes_a_text_that_was_edited_meanwhile(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    message_id = ada.says("soup")
    reminded(ada, message_id)
    render, pending = reminders.render_text, ["stew"]

    def edit_meanwhile(*given: Any) -> Any:
        if pending:
            ada.patch(f"/messages/{message_id}", content=pending.pop())
        return render(*given)

    monkeypatch.setattr(reminders, "render_text", edit_meanwhile)
    passes(world, 60)
    (notice,) = contents(ada, "is:dm")
    assert "stew" in notice
    assert "soup" not in notice


def test_a_reminder_that_another_process_has_delivered_meanwhile_is_not_delivered_again(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    reminded(ada, ada.says("soup"))
    text, pending = delivery.text_to_deliver, [lambda: deliver_due(world.svc)]

    def deliver_meanwhile(*given: Any) -> Any:
        found = text(*given)
        if pending:
            pending.pop()()
        return found

    monkeypatch.setattr(delivery, "text_to_deliver", deliver_meanwhile)
    line = ada.opens_queue("reminders", "message")
    passes(world, 60)
    assert sorted(event["type"] for event in line.events()) == ["message", "reminders"]
    assert len(contents(ada, "is:dm")) == 1


def test_a_reader_who_becomes_a_guest_meanwhile_is_not_reminded(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    cem = world["cem"]
    reminded(cem, ada.says("soup"))
    text = delivery.text_to_deliver

    def demote_meanwhile(*given: Any) -> Any:
        found = text(*given)
        world.change_user("cem", role=Role.GUEST)
        return found

    monkeypatch.setattr(delivery, "text_to_deliver", demote_meanwhile)
    passes(world, 60)
    assert [one["failed"] for one in reminders_of(cem)] == [True]
    assert all("soup" not in notice for notice in contents(cem, "is:dm"))


def test_no_reminder_is_stored_for_a_reader_who_loses_the_message_meanwhile(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    message_id = ada.says("soup", "secret")
    render = reminders.render_text

    def leave_meanwhile(*given: Any) -> Any:
        leaves_secret(world)
        return render(*given)

    monkeypatch.setattr(reminders, "render_text", leave_meanwhile)
    given = {"message_id": message_id, "scheduled_delivery_timestamp": NOW + 60}
    ada.refused("POST", "/reminders", **given)
    assert world.count("scheduled_message") == 0


def test_no_reminder_is_stored_for_a_reader_who_becomes_a_guest_meanwhile(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    render = reminders.render_text

    def demote_meanwhile(*given: Any) -> Any:
        world.change_user("cem", role=Role.GUEST)
        return render(*given)

    monkeypatch.setattr(reminders, "render_text", demote_meanwhile)
    given = {"message_id": ada.says("soup"), "scheduled_delivery_timestamp": NOW + 60}
    world["cem"].refused("POST", "/reminders", **given)
    assert world.count("scheduled_message") == 0


def test_a_message_is_not_sent_if_its_removal_fails(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are one unit of work."""
    schedules(ada, "soup")

    class Stop(BaseException):
        pass

    def die(**given: Any) -> Any:
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr(delivery, "ScheduledMessageRemoved", die)
        with pytest.raises(Stop):
            passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == []
    deliver_due(world.svc)
    assert contents(world["bea"], "channel:lunch") == ["soup"]


def test_a_server_that_stops_sends_nothing_more(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in ("soup", "stew"):
        schedules(ada, content)

    def send_and_stop(*given: Any) -> Any:
        world.svc.alarms.scheduled.stop()
        return sending.send_in(*given)

    monkeypatch.setattr(delivery, "send_in", send_and_stop)
    passes(world, 60)
    assert contents(world["bea"], "channel:lunch") == ["soup"]
    assert [one["content"] for one in scheduled_of(ada)] == ["stew"]


def test_work_of_others_comes_between_two_messages(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent_before: list[int] = []
    for content in ("soup", "stew"):
        schedules(ada, content)
    monkeypatch.setattr(delivery, "let_others", lambda: sent_before.append(world.count("message")))
    passes(world, 60)
    assert sent_before == [1, 2]


# -- the alarm ----------------------------------------------------------------------------------------


def test_a_server_delivers_by_itself(make_world: MakeWorld) -> None:
    world = make_world()
    bea = world["bea"]
    world.svc.alarms.scheduled.start()
    try:
        schedules(world["ada"], "soup", seconds=1)
        world.clock.advance(1)
        until(lambda: contents(bea, "channel:lunch") == ["soup"])
    finally:
        world.svc.alarms.scheduled.stop()
    schedules(world["ada"], "stew", seconds=1)
    world.clock.advance(1)
    assert "chatcore-scheduled" not in {thread.name for thread in threading.enumerate()}
    assert contents(bea, "channel:lunch") == ["soup"]


@pytest.fixture
def runs(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return the runs of the alarm's task, which by itself would run once an hour."""
    monkeypatch.setattr(alarm, "LONGEST_SLEEP", 3600)
    runs: list[int] = []

    def run() -> float:
        runs.append(len(runs))
        return 3600

    world.svc.alarms.scheduled.task = run
    yield runs
    world.svc.alarms.scheduled.stop()


def test_whatever_may_be_due_earlier_rings_the_alarm(world: World, ada: Someone, runs: list[int]) -> None:
    message_id = ada.says("soup")
    world.svc.alarms.scheduled.start()
    until(lambda: len(runs) == 1)
    scheduled_id = schedules(ada)
    until(lambda: len(runs) == 2)
    ada.patch(f"/scheduled_messages/{scheduled_id}", scheduled_delivery_timestamp=NOW + 5)
    until(lambda: len(runs) == 3)
    reminded(ada, message_id)
    until(lambda: len(runs) == 4)


def test_nothing_is_sent_in_a_deactivated_organization(world: World, ada: Someone) -> None:
    schedules(ada, "one")
    reminded(ada, ada.writes("soup", "ada"))
    deactivate_organization(world.svc, world.actor("olga"))
    head = world.storage.read(lambda snapshot: snapshot.log.head())
    passes(world, 60)
    after = world.storage.read(lambda snapshot: snapshot.log.after(Position(head), 100))
    assert "message" not in {one.event.type for one in after}
    reactivate_organization(world.svc)
    assert all(one["failed"] for one in scheduled_of(ada) + reminders_of(ada))
    assert contents(world["bea"], "channel:lunch") == []
