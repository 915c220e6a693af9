"""The size of events in the log, in memory and in answers, and the cost of finding none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from chatcore.domain.ids import Position
from chatcore.domain.limits import Limits
from chatcore.storage.events import LoggedEvent
from storage_backends.sql.events import EventLog
from tests.waiting import until
from tests.worlds.organization import MakeWorld, Someone, World

LONG = "x" * 55


def logged(world: World) -> list[LoggedEvent]:
    return list(world.storage.read(lambda snapshot: snapshot.log.after(Position(0), 10_000)))


def mutes(who: Someone, number: int) -> None:
    where = who.world.id("lunch")
    who.post("/user_topics", stream_id=where, topic=f"{number} {LONG}", visibility_policy=1)


def adds_a_word(who: Someone, number: int) -> None:
    who.post("/users/me/alert_words", alert_words=json.dumps([f"{number} {LONG}"]))


def mutes_a_user(who: Someone, number: int) -> None:
    who.post(f"/users/me/muted_users/{who.world.add_user(f'user{number}').id}")


def makes_a_field(who: Someone, number: int) -> None:
    choices = {LONG: {"text": LONG, "order": "1"}}
    who.post("/realm/profile_fields", field_type=3, name=f"{number}", field_data=json.dumps(choices))


def makes_a_linkifier(who: Someone, number: int) -> None:
    template = "https://example.com/{id}?" + LONG
    who.post("/realm/filters", pattern=f"{number}-(?P<id>[0-9]+)", url_template=template)


def makes_a_playground(who: Someone, number: int) -> None:
    template = "https://example.com/{code}?" + LONG
    who.post("/realm/playgrounds", name=f"{number}", highlighter_language="Python", url_template=template)


def chooses_a_channel(who: Someone, number: int) -> None:
    who.post("/default_streams", stream_id=who.world.add_channel(f"channel {number}"))


MODERN = {"notification_settings_null": True, "linkifier_url_template": True}

LISTS: dict[str, tuple[Callable[[Someone, int], None], str, str]] = {
    "muted_topics": (mutes, "muted_topics", "muted_topics"),
    "alert_words": (adds_a_word, "alert_words", "alert_words"),
    "muted_users": (mutes_a_user, "muted_users", "muted_users"),
    "custom_profile_fields": (makes_a_field, "fields", "custom_profile_fields"),
    "realm_linkifiers": (makes_a_linkifier, "realm_linkifiers", "realm_linkifiers"),
    "realm_playgrounds": (makes_a_playground, "realm_playgrounds", "realm_playgrounds"),
    "default_streams": (chooses_a_channel, "default_streams", "realm_default_streams"),
}
"""How a list grows, and the names of the list in its event and in the register state."""


@pytest.mark.parametrize("event_type", LISTS)
def test_a_list_is_not_repeated_in_the_log_and_is_sent_as_it_is(
    world: World, olga: Someone, event_type: str
) -> None:
    grow, in_event, in_state = LISTS[event_type]
    line = olga.opens_queue(event_type, client_capabilities=MODERN)
    poll = olga.opens_queue(event_type, client_capabilities=MODERN).waits()
    for number in range(3):
        grow(olga, number)
    state = olga.post("/register", fetch_event_types=[event_type], client_capabilities=MODERN)[in_state]
    announced = [event[in_event] for event in line.events()]
    assert announced == [state] * 3, "every change has its event, each with the list of now"
    assert len(state) >= 3
    assert poll.answer()[0][in_event][0] == state[0], "also who waits"
    sizes = {one.size for one in logged(world) if one.event.type == event_type}
    assert len(sizes) == 1, "the list does not make the events longer"
    assert max(sizes) < 120


def test_an_answer_has_an_end_and_the_rest_comes_with_the_next_polls(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_event_size_per_answer=5000))["ada"]
    line = ada.opens_queue("message")
    sent = [ada.says("soup " * 500) for _ in range(7)]
    assert [event["message"]["id"] for event in line.peek()] == sent[:2]
    assert line.messages() == sent
    poll = line.waits()
    sent = [ada.says("soup " * 500) for _ in range(5)]
    found = [event["message"]["id"] for event in poll.answer()]
    line.last = found[-1]
    assert found + line.messages() == sent


def test_a_process_remembers_no_more_than_so_large(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_remembered_size=15_000, max_event_size_per_read=8000))
    ada, bea = world["ada"], world["bea"]
    line, hub = bea.opens_queue("message"), world.svc.hub
    polls = [bea.opens_queue("message").waits(), ada.opens_queue("message").waits()]
    sent = [ada.says("soup " * 200) for _ in range(30)]
    until(lambda: world.svc.hub.position >= sent[-1])
    assert 0 < hub.remembered_size <= 15_000
    assert line.messages() == sent, "what is not remembered is in the log"
    assert all(poll.answer() for poll in polls)
    huge = ada.says("soup " * 1900)
    until(lambda: world.svc.hub.position >= huge)
    assert (line.messages(), hub.remembered_size) == ([huge], 0)


def test_a_queue_without_events_is_not_searched_again(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(limits=Limits(max_events_per_read=4, max_remembered_events=2))
    ada, cem = world["ada"], world["cem"]
    typing, messages = cem.opens_queue("typing"), cem.opens_queue("message")
    after, read = EventLog.after, []

    def counting(log: EventLog, position: Position, *limits: Any, **named: Any) -> Any:
        found = after(log, position, *limits, **named)
        if named.get("types") is not None:
            read.append(len(found))
        return found

    ada.opens_queue("typing").peek()  # so that the hub follows the log
    monkeypatch.setattr(EventLog, "after", counting)
    last = [ada.says("soup") for _ in range(10)][-1]
    world.happens()
    until(lambda: world.svc.hub.position > last)
    assert typing.peek() == []
    assert read == [0], "what is of no type asked for is not even read"
    assert messages.peek() == []
    assert sum(read) == 10
    read.clear()
    assert typing.peek() == messages.peek() == []
    assert read == []
    announced = ada.writes("soup", "cem")
    assert messages.messages() == [announced]


def test_messages_that_go_together_take_one_row_for_all_clients(world: World, ada: Someone) -> None:
    olga = world["olga"]
    capable = {"notification_settings_null": True, "bulk_message_deletion": True}
    bulk = ada.opens_queue("delete_message", client_capabilities=capable)
    single = ada.opens_queue("delete_message")
    poll = ada.opens_queue("delete_message").waits()
    sent = [ada.says("soup", topic="soup") for _ in range(5)]
    olga.post(f"/streams/{world.id('lunch')}/delete_topic", topic_name="soup")
    assert sum(one.event.type == "delete_message" for one in logged(world)) == 1
    (event,) = bulk.events()
    assert event["message_ids"] == sent
    assert [event["message_id"] for event in poll.answer()] == sent
    announced = single.peek()
    assert [event["message_id"] for event in announced] == sent
    assert [event["id"] for event in announced] == list(range(event["id"] - 4, event["id"] + 1))
    single.last = announced[1]["id"]
    assert [event["message_id"] for event in single.events()] == sent[2:], "from where the client has been"


# -- how much there may be --------------------------------------------------------------------------


def test_sec_79_the_number_of_topic_policies_is_limited(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_topic_policies_per_user=2))
    ada, where = world["ada"], world.id("lunch")
    world.choose("ada", automatically_follow_topics_policy=2)
    mutes(ada, 1)
    mutes(ada, 2)
    ada.refused("POST", "/user_topics", stream_id=where, topic="3", visibility_policy=1)
    ada.says("soup", topic="4")
    assert world.policy("ada", "lunch", "4") == 0, "nothing is followed by itself either"
    ada.post("/user_topics", stream_id=where, topic=f"1 {LONG}", visibility_policy=3)
    ada.post("/user_topics", stream_id=where, topic=f"1 {LONG}", visibility_policy=0)
    ada.says("soup", topic="4")
    assert world.policy("ada", "lunch", "4") == 3


def test_sec_79_the_data_of_all_profile_fields_is_limited(world: World, olga: Someone) -> None:
    def choices(count: int) -> str:
        named = {f"{n} {LONG}": {"text": f"{n} {LONG * 3}", "order": str(n)} for n in range(count)}
        return json.dumps(named)

    for number in range(2):
        olga.post("/realm/profile_fields", field_type=3, name=f"{number}", field_data=choices(400))
    olga.refused("POST", "/realm/profile_fields", field_type=3, name="more", field_data=choices(400))
    (first, _) = olga.get("/realm/profile_fields")["custom_fields"]
    olga.patch(f"/realm/profile_fields/{first['id']}", field_data=choices(10))
    olga.post("/realm/profile_fields", field_type=3, name="more", field_data=choices(300))
