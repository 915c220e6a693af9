"""POST register, GET and DELETE events: the events of a queue, their form, and polling."""

from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder

from chatcore.application.events.queues import poll
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.errors import BadEventQueue
from chatcore.domain.limits import Limits
from chatcore.domain.topics import VisibilityPolicy
from chatcore.http.pipeline.routing import API_PREFIX
from chatcore.runtime.going_first import HAS_LET_GO_FIRST, LETS_GO_FIRST
from tests.worlds.organization import Line, MakeWorld, Someone, World

ALL_CAPABILITIES = {
    "notification_settings_null": True,
    "bulk_message_deletion": True,
    "user_avatar_url_field_optional": True,
    "stream_typing_notifications": True,
    "user_settings_object": True,
    "linkifier_url_template": True,
    "user_list_incomplete": True,
    "include_deactivated_groups": True,
    "archived_channels": True,
    "empty_topic_name": True,
    "simplified_presence_events": True,
}


def types(line: Line) -> list[str]:
    return [event["type"] for event in line.events()]


# -- registering ------------------------------------------------------------------------------------


@pytest.mark.shows("queue.registered", "register.last-event-id")
def test_a_queue_begins_where_its_state_ends(ada: Someone, bea: Someone) -> None:
    before = ada.says("soup")
    line = bea.registers()
    assert line.state["max_message_id"] == before
    assert line.last >= before
    after = ada.says("stew")
    assert line.messages() == [after]


@pytest.mark.shows(
    "conventions.success-envelope", "queue.registered", "register.queue-id", "register.versions",
    "version.reported",
)  # fmt: skip
def test_the_fields_of_the_queue_always_come(ada: Someone) -> None:
    answer = ada.post("/register", fetch_event_types=[])
    assert set(answer) == {
        "result",
        "msg",
        "queue_id",
        "last_event_id",
        "service_version",
        "service_feature_level",
        "service_merge_base",
    }


@pytest.mark.shows(
    "send.content-length", "send.topic-length", "register.max-message-length",
    "register.max-topic-length", "register.empty-topic-name", "register.max-file-size",
    "limit.message-length", "limit.topic-length",
)  # fmt: skip
def test_the_limits_are_in_the_state(make_world: MakeWorld) -> None:
    limits = Limits(max_message_length=40, max_topic_length=5, max_file_upload_size_mib=7)
    world = make_world(limits=limits)
    world.change_organization(empty_topic_display_name="misc")
    ada = world["ada"]
    state = ada.post("/register")
    assert state["max_message_length"] == 40
    assert state["max_topic_length"] == 5
    assert state["max_file_upload_size_mib"] == 7
    assert state["realm_empty_topic_display_name"] == "misc"
    message = ada.message(ada.says("x" * 41, topic="t" * 6), apply_markdown=False)
    assert (len(message["content"]), len(message["subject"])) == (40, 5)
    assert ada.message(ada.says("soup", topic=""))["subject"] == "misc"


@pytest.mark.shows("register.event-types", "register.fetch-event-types")
@pytest.mark.parametrize(
    ("parameters", "has", "has_not"),
    [
        ({}, {"realm_users", "subscriptions", "max_message_id", "realm_name"}, set()),
        ({"event_types": ["message"]}, {"max_message_id"}, {"realm_users", "unread_msgs", "streams"}),
        (
            {"event_types": ["message"], "fetch_event_types": ["realm_user"]},
            {"realm_users"},
            {"max_message_id"},
        ),
        ({"event_types": [], "fetch_event_types": ["stream"]}, {"streams"}, {"subscriptions"}),
        ({"fetch_event_types": ["message", "update_message_flags"]}, {"unread_msgs"}, {"streams"}),
        ({"fetch_event_types": ["nonsense"]}, set(), {"realm_users"}),
        ({"event_types": "null"}, {"realm_users"}, set()),
        ({"event_types": ["user_topic", "muted_topics"]}, {"user_topics"}, {"muted_topics"}),
        ({"event_types": ["muted_topics"]}, {"muted_topics"}, {"user_topics"}),
    ],
)
def test_the_types_that_are_asked_for_are_fetched(
    ada: Someone, parameters: dict[str, Any], has: set[str], has_not: set[str]
) -> None:
    answer = set(ada.post("/register", **parameters))
    assert has <= answer
    assert not has_not & answer


@pytest.mark.shows("register.event-types")
def test_types_that_are_not_known_are_no_error(ada: Someone) -> None:
    line = ada.opens_queue("message", "weather")
    ada.says("soup")
    assert types(line) == ["message"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"event_types": "message"},
        {"event_types": "[1]"},
        {"client_capabilities": "[]"},
        {"apply_markdown": "yes"},
        {"presence_history_limit_days": "long"},
        {"narrow": "{}"},
    ],
)
def test_a_parameter_in_another_form_is_refused(ada: Someone, parameters: dict[str, Any]) -> None:
    (name,) = parameters
    code = "REQUEST_VARIABLE_INVALID" if name in ("presence_history_limit_days", "narrow") else "BAD_REQUEST"
    answer = ada.refused("POST", "/register", code=code, **parameters)
    assert answer["var_name"] == name


@pytest.mark.shows("register.capabilities")
@pytest.mark.parametrize("value", ["yes", 1, None, {}])
def test_a_capability_is_there_or_not(ada: Someone, value: Any) -> None:
    ada.refused("POST", "/register", client_capabilities={"empty_topic_name": value})
    ada.post("/register", client_capabilities={**ALL_CAPABILITIES, "telepathy": "yes"}, fetch_event_types=[])
    for without in ("{}", '{"bulk_message_deletion": true}'):
        refused = ada.refused("POST", "/register", client_capabilities=without)
        assert "notification_settings_null" in refused["msg"]


@pytest.mark.shows("channel.subscribers", "register.include-subscribers")
@pytest.mark.parametrize(
    ("given", "lists"),
    [(True, True), ("true", True), (False, False), ("false", False), ("partial", True), (None, False)],
)
def test_subscribers_come_when_asked_for(ada: Someone, given: object, lists: bool) -> None:
    asked = {} if given is None else {"include_subscribers": given}
    state = ada.post("/register", fetch_event_types=["subscription"], **asked)
    assert all(("subscribers" in one) is lists for one in state["subscriptions"])
    ada.refused("POST", "/register", include_subscribers="some")


@pytest.mark.shows("channel.notifications", "register.null-notifications")
def test_a_client_that_knows_no_null_gets_its_own_defaults(world: World, ada: Someone) -> None:
    world.choose("ada", enable_stream_push_notifications=True)
    old, new = (
        ada.post("/register", fetch_event_types=["subscription"], client_capabilities=capabilities)
        for capabilities in ({}, ALL_CAPABILITIES)
    )
    assert [old["subscriptions"][0][name] for name in ("push_notifications", "desktop_notifications")] == [
        True,
        False,
    ]
    assert "wildcard_mentions_notify" not in old["subscriptions"][0]
    assert new["subscriptions"][0]["push_notifications"] is None
    assert new["subscriptions"][0]["wildcard_mentions_notify"] is None


@pytest.mark.shows("channel.archived", "register.without-archived-channels", "change.archived")
def test_archived_channels_are_for_clients_that_know_of_them(ada: Someone) -> None:
    old, new = (
        ada.post("/register", fetch_event_types=["stream"], client_capabilities=capabilities)
        for capabilities in ({}, {"archived_channels": True})
    )
    assert "attic" not in [one["name"] for one in old["streams"]]
    assert "attic" in [one["name"] for one in new["streams"]]


# -- without an account -----------------------------------------------------------------------------


@pytest.mark.shows("authentication.register")
def test_nobody_registers_in_a_closed_organization(world: World) -> None:
    world.nobody.refused("POST", "/register", status=401, code="UNAUTHENTICATED_USER")


@pytest.mark.shows(
    "register.client-gravatar-nobody", "register.include-subscribers-nobody", "register.queue-id",
    "authentication.register", "refused.register",
)  # fmt: skip
def test_nobody_gets_state_but_no_queue(world: World, ada: Someone) -> None:
    world.open_to_the_web()
    ada.says("soup", "plaza")
    queues = world.count("event_queue")
    answer = world.nobody.post("/register")
    assert answer["queue_id"] is None
    assert world.count("event_queue") == queues
    assert [one["name"] for one in answer["never_subscribed"]] == ["plaza"]
    assert answer["subscriptions"] == answer["unsubscribed"] == []
    assert {user["delivery_email"] for user in answer["realm_users"] if not user["is_bot"]} == {None}
    assert "ada@example.org" not in str(answer)
    for refused in ({"client_gravatar": True}, {"include_subscribers": True},
                    {"include_subscribers": "true"}, {"include_subscribers": "partial"}):  # fmt: skip
        world.nobody.refused("POST", "/register", **refused)
    world.nobody.post("/register", client_gravatar=False, include_subscribers=False)
    world.nobody.refused("POST", "/register", all_public_streams=True)


@pytest.mark.shows("register.client-gravatar-nobody")
def test_nobody_makes_no_pictures(world: World, ada: Someone) -> None:
    world.open_to_the_web()
    for state, is_left in ((world.nobody.post("/register"), False), (ada.post("/register"), True)):
        assert {user["avatar_url"] is None for user in state["realm_users"]} == {is_left}


def test_a_queue_needs_a_login(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    for method in ("GET", "DELETE"):
        world.nobody.refused(method, "/events", status=401, code="UNAUTHORIZED", queue_id=line.id)


# -- polling ----------------------------------------------------------------------------------------


@pytest.mark.shows("named.poll", "events.long-polling")
def test_events_are_repeated_until_they_are_acknowledged(ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("message")
    first, second = ada.says("soup"), ada.says("stew")
    assert [event["message"]["id"] for event in line.peek()] == [first, second]
    events = line.peek()
    assert [event["id"] for event in events] == [event["id"] for event in line.peek()]
    assert [event["message"]["id"] for event in line.peek(last_event_id=events[0]["id"])] == [second]
    line.refused("BAD_REQUEST")  # the registration's own id is behind what was acknowledged
    assert line.peek(last_event_id=events[1]["id"]) == []
    line.refused("BAD_REQUEST", last_event_id=events[0]["id"])


def test_minus_one_is_a_beginning_only(ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("message")
    sent = ada.says("soup")
    assert [event["message"]["id"] for event in line.peek(last_event_id=-1)] == [sent]
    assert line.messages() == [sent]
    line.events()
    line.refused("BAD_REQUEST", last_event_id=-1)


def test_an_id_that_never_was_is_refused(ada: Someone) -> None:
    line = ada.opens_queue("message")
    ada.says("soup")
    line.refused("BAD_REQUEST", last_event_id=-2)
    assert len(line.peek()) == 1


@pytest.mark.parametrize("ahead", [1, 10**9, 2**62])
def test_an_id_that_the_log_does_not_know_yet_ends_the_queue(ada: Someone, ahead: int) -> None:
    """The client has received events that the log does not contain, and has to register anew."""
    line, other = ada.opens_queue("message"), ada.opens_queue("message")
    sent = ada.says("soup")
    line.refused("BAD_EVENT_QUEUE_ID", last_event_id=sent + ahead)
    line.refused("BAD_EVENT_QUEUE_ID")
    assert other.messages() == [sent]


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("last", ["x", "1.0", "true", str(10**30), "[1]"])
def test_an_id_is_a_whole_number(ada: Someone, last: str) -> None:
    ada.opens_queue("message").refused("REQUEST_VARIABLE_INVALID", last_event_id=last)


@pytest.mark.shows("named.poll", "events.long-polling")
def test_a_poll_names_its_queue_and_where_it_is(ada: Someone) -> None:
    line = ada.opens_queue("message")
    for given in ({"queue_id": line.id}, {"last_event_id": 0}, {}):
        ada.refused("GET", "/events", dont_block=True, **given)
    assert ada.get("/events", queue_id=line.id, last_event_id=line.last, dont_block=True) == {
        "result": "success",
        "msg": "",
        "events": [],
        "queue_id": line.id,
    }


@pytest.mark.shows("code.bad-queue")
def test_an_unknown_and_a_foreign_queue_are_the_same(ada: Someone, bea: Someone) -> None:
    line = ada.opens_queue("message")
    ada.says("soup")
    for method in ("GET", "DELETE"):
        for queue_id in (line.id, "nowhere", ""):
            answer = bea.refused(
                method,
                "/events",
                code="BAD_EVENT_QUEUE_ID",
                queue_id=queue_id,
                last_event_id=0,
                dont_block=True,
            )
            assert answer["queue_id"] == queue_id
    assert len(line.events()) == 1


@pytest.mark.shows("queue.gone", "code.bad-queue")
def test_a_deleted_queue_is_gone(ada: Someone) -> None:
    line, other = ada.opens_queue("message"), ada.opens_queue("message")
    ada.delete("/events", queue_id=line.id)
    line.refused()
    ada.refused("DELETE", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=line.id)
    ada.says("soup")
    assert len(other.events()) == 1
    answer = ada.refused("DELETE", "/events", code="REQUEST_VARIABLE_MISSING")
    assert answer["var_name"] == "queue_id"


# -- waiting ----------------------------------------------------------------------------------------


@pytest.mark.shows("events.long-polling")
def test_a_poll_waits_for_the_first_event(ada: Someone, bea: Someone) -> None:
    poll = bea.opens_queue("message").waits()
    ada.says("hush", "vault")
    ada.flagged("starred", ada.says("not for her", "plaza"))
    assert not poll.is_over
    sent = ada.says("soup")
    assert [event["message"]["id"] for event in poll.answer()] == [sent]


def test_a_newer_poll_ends_the_older(ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("message")
    older = line.waits()
    newer = line.waits()
    assert older.answer() == []
    assert not newer.is_over
    sent = ada.says("soup")
    assert [event["message"]["id"] for event in newer.answer()] == [sent]


def test_a_poll_that_does_not_wait_ends_the_one_that_does(ada: Someone) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    assert line.peek() == []
    assert poll.answer() == []


def test_each_queue_has_a_poll_of_its_own(ada: Someone, bea: Someone) -> None:
    polls = [who.opens_queue("message").waits() for who in (ada, ada, bea)]
    sent = ada.says("soup")
    assert [[event["message"]["id"] for event in poll.answer()] for poll in polls] == [[sent]] * 3


def test_deleting_a_queue_ends_its_poll(ada: Someone) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    ada.delete("/events", queue_id=line.id)
    assert poll.answer() == []
    line.refused()


@pytest.mark.shows("queue.heartbeat", "events.heartbeat", "event.heartbeat", "limit.heartbeat")
def test_a_heartbeat_comes_within_a_minute(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    world.clock.advance(40)
    world.happens()
    assert not poll.is_over
    world.clock.advance(19)
    world.happens()
    (beat,) = poll.answer()
    assert set(beat) == {"id", "type"}
    assert (beat["type"], beat["id"] > line.last) == ("heartbeat", True)
    line.last = beat["id"]
    assert line.peek() == []
    # And so the next one does, a minute after the first.
    poll = line.waits()
    world.clock.advance(40)
    world.happens()
    assert not poll.is_over
    world.clock.advance(20)
    world.happens()
    (second,) = poll.answer()
    assert (second["type"], second["id"] > beat["id"]) == ("heartbeat", True)
    line.last = second["id"]
    sent = ada.says("soup")
    assert line.messages() == [sent]


def test_a_waiting_poll_keeps_its_queue_alive(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    for _ in range(15):
        poll = line.waits()
        world.clock.advance(59)
        world.happens()
        (beat,) = poll.answer()
        line.last = beat["id"]
    assert line.peek() == []


@pytest.mark.shows("limit.queue-idle")
def test_a_poll_counts_from_its_end(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    world.clock.advance(59)
    world.happens()
    (beat,) = poll.answer()
    world.clock.advance(595)
    line.last = beat["id"]
    assert line.peek() == []


# -- how long a queue lives -------------------------------------------------------------------------


@pytest.mark.shows("queue.dropped", "queue.gone", "events.dropped", "limit.queue-idle")
def test_a_queue_nobody_polls_is_dropped_after_ten_minutes(world: World, ada: Someone) -> None:
    line, other = ada.opens_queue("message"), ada.opens_queue("message")
    world.clock.advance(590)
    assert line.peek() == []
    world.clock.advance(20)
    other.refused()
    world.clock.advance(570)
    assert line.peek() == []
    world.clock.advance(601)
    line.refused()


@pytest.mark.parametrize(
    ("parameters", "life"),
    [
        ({}, 600),
        ({"queue_lifespan_secs": 0}, 600),
        ({"queue_lifespan_secs": 30}, 600),
        ({"queue_lifespan_secs": 3600}, 3600),
        ({"queue_lifespan_secs": 10**9}, 604_800),
        ({"idle_queue_timeout": 1200}, 1200),
        ({"idle_queue_timeout": "mobile"}, 600),
    ],
)
def test_a_client_may_ask_for_a_longer_life(
    world: World, ada: Someone, parameters: dict[str, Any], life: int
) -> None:
    line = ada.opens_queue("message", **parameters)
    world.clock.advance(life - 1)
    line.peek()
    world.clock.advance(life + 1)
    line.refused()
    ada.refused("POST", "/register", queue_lifespan_secs=-1)


def test_the_queue_idle_for_longest_makes_room(make_world: MakeWorld) -> None:
    world = make_world(limits=replace(Limits(), max_event_queues_per_user=3))
    ada, bea = world["ada"], world["bea"]
    hers = bea.opens_queue("message")
    lines = []
    for _ in range(3):
        lines.append(ada.opens_queue("message"))
        world.clock.advance(1)
    world.svc.hub.maintain()
    lines[0].peek()
    world.svc.hub.maintain()
    lines.append(ada.opens_queue("message"))
    lines[1].refused()
    with pytest.raises(BadEventQueue) as refused:
        poll(world.svc, ada.actor, lines[1].id, -1)
    assert "made room for newer ones" in "".join(refused.value.__notes__)
    for line in (lines[0], lines[2], lines[3], hers):
        assert line.peek() == []


def test_queues_of_an_account_have_so_much_room_together(make_world: MakeWorld) -> None:
    """A queue that ends frees its room, and no more queues are ended than necessary."""
    world = make_world(limits=Limits(max_event_queues_size_per_user=3500))
    ada = world["ada"]

    def register(size: int) -> Line:
        world.clock.advance(1)
        return ada.opens_queue("message", narrow=[["topic", "x" * size]])

    hers = world["bea"].opens_queue("message", narrow=[["topic", "x" * 3000]])
    first, second, third = (register(size) for size in (1000, 400, 1000))
    ada.delete("/events", queue_id=second.id)
    fourth = register(400)
    for line in (first, third, fourth):
        assert line.peek() == []
        world.clock.advance(1)
    fifth = register(1000)
    first.refused()
    for line in (third, fourth, fifth, hers):
        assert line.peek() == []
    ada.refused("POST", "/register", narrow=[["topic", "x" * 3500]])
    last = register(3000)
    for line in (third, fourth, fifth):
        line.refused()
    assert last.peek() == hers.peek() == []


# -- which events -----------------------------------------------------------------------------------


@pytest.mark.shows("message.id", "event.message")
def test_a_message_event_is_the_message_and_the_flags_beside_it(
    world: World, ada: Someone, bea: Someone
) -> None:
    line = bea.opens_queue("message", apply_markdown=True, client_gravatar=True)
    sent = [ada.says("*soup* @**Bea**"), ada.writes("*hello*", "bea", "cem")]
    for message_id, event in zip(sent, line.events(), strict=True):
        fetched = bea.message(message_id)
        flags = fetched.pop("flags")
        assert event == {"id": event["id"], "type": "message", "message": fetched, "flags": flags}
        assert event["id"] == message_id


@pytest.mark.shows("message.content-type", "register.apply-markdown", "register.client-gravatar")
def test_a_queue_has_messages_in_its_own_form(ada: Someone, bea: Someone) -> None:
    raw = bea.opens_queue("message")
    html = bea.opens_queue("message", apply_markdown=True, client_gravatar=False,
                        client_capabilities={"empty_topic_name": True})  # fmt: skip
    ada.says("*soup*", topic="")
    (first,), (second,) = raw.events(), html.events()
    assert (first["message"]["content"], first["message"]["content_type"]) == ("*soup*", "text/x-markdown")
    assert first["message"]["subject"] == "general chat"
    assert first["message"]["avatar_url"] is None
    assert (second["message"]["content"], second["message"]["subject"]) == ("<p><em>soup</em></p>", "")
    assert second["message"]["avatar_url"].startswith("/user_avatars/")


@pytest.mark.shows("event.message")
def test_messages_reach_those_who_receive_them(world: World, ada: Someone) -> None:
    lines = {name: world[name].opens_queue("message") for name in ("ada", "bea", "cem", "gus", "adi", "robo")}
    lunch, secret = ada.says("soup"), ada.says("hush", "secret")
    vault, note = ada.says("hush", "vault"), ada.writes("hello", "cem")
    assert {name: line.messages() for name, line in lines.items()} == {
        "ada": [lunch, secret, vault, note],
        "bea": [lunch, secret],
        "cem": [note],
        "gus": [lunch],
        "adi": [],
        "robo": [],
    }


def test_a_sender_who_is_not_subscribed_receives_no_event(cem: Someone) -> None:
    line = cem.opens_queue("message")
    cem.says("soup", queue_id=line.id, local_id="1")
    assert line.messages() == []


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("register.narrow")
@pytest.mark.parametrize(
    ("narrow", "received"),
    [
        ([], [0, 1, 2, 3, 4]),
        ([["channel", "LUNCH"]], [0, 1]),
        ([["stream", "plaza"]], [2]),
        ([["topic", "TODAY"]], [0, 2]),
        ([["channel", "lunch"], ["topic", "today"]], [0]),
        ([["sender", "ADA@example.org"]], [0, 1, 2, 3]),
        ([["is", "dm"]], [3, 4]),
        ([["is", "private"]], [3, 4]),
        ([["is", "mentioned"]], [1]),
        ([["is", "alerted"]], [1]),
        ([["is", "resolved"]], [1]),
        ([["is", "unread"]], [0, 1, 2, 3, 4]),
        ([["is", "starred"]], []),
        ([["is", "anything"]], [0, 1, 2, 3, 4]),
        ([["channel", "nowhere"]], []),
    ],
)
def test_a_queues_narrow_filters_messages(
    world: World, ada: Someone, bea: Someone, narrow: list[Any], received: list[int]
) -> None:
    bea.joins("plaza")
    line = bea.opens_queue("message", narrow=narrow)
    sent = [
        ada.says("soup"),
        ada.says("@**Bea**", topic="✔ done"),
        ada.says("soup", "plaza"),
        ada.writes("hello", "bea"),
        world["cem"].writes("hello", "bea"),
    ]
    assert line.messages() == [sent[index] for index in received]


@pytest.mark.shows("register.narrow")
def test_a_queues_narrow_knows_the_name_of_the_empty_topic(ada: Someone, bea: Someone) -> None:
    named, empty = (
        bea.opens_queue("message", narrow=[["channel", "lunch"], ["topic", topic]])
        for topic in ("general chat", "")
    )
    twice = bea.opens_queue("message", narrow=[["topic", "general chat"]] * 2)
    sent = ada.says("soup", topic="")
    ada.says("soup", topic="today")
    assert (named.messages(), empty.messages(), twice.messages()) == ([sent], [sent], [])


@pytest.mark.shows("register.narrow")
def test_a_queues_narrow_adds_nothing_and_leaves_other_events(ada: Someone, cem: Someone) -> None:
    line = cem.opens_queue("message", "update_message_flags", narrow=[["channel", "lunch"]])
    sent = ada.says("soup")
    cem.flagged("starred", sent)
    assert types(line) == ["update_message_flags"]


@pytest.mark.parametrize(
    "narrow",
    [
        [["is", "followed"]],
        [["search", "soup"]],
        [["dm", "ada@example.org"]],
        [["id", "5"]],
        [["in", "home"]],
        [["channel"]],
        [{"operator": "channel", "operand": "lunch"}],
        [["channel", 5]],
    ],
)
def test_a_queues_narrow_is_a_small_language(ada: Someone, narrow: list[Any]) -> None:
    ada.refused("POST", "/register", narrow=narrow)


@pytest.mark.shows("register.all-public-streams")
def test_a_queue_can_receive_all_public_channels(
    world: World, ada: Someone, cem: Someone, gus: Someone
) -> None:
    everything = cem.opens_queue("message", all_public_streams=True)
    narrowed = cem.opens_queue("message", all_public_streams=True, narrow=[["channel", "plaza"]])
    lunch, plaza = ada.says("@**all** soup"), ada.says("soup", "plaza")
    ada.says("hush", "secret")
    ada.says("hush", "vault")
    ada.writes("hush", "bea")
    mine = ada.writes("hello", "cem")
    events = everything.events()
    assert [event["message"]["id"] for event in events] == [lunch, plaza, mine]
    assert events[0]["flags"] == []
    assert narrowed.messages() == [plaza]
    gus.refused("POST", "/register", all_public_streams=True)
    world.change_user("cem", role=600)
    ada.says("soup")
    assert everything.events() == []


@pytest.mark.shows("flag.per-user")
def test_a_flag_is_sent_to_its_owner_only(ada: Someone, bea: Someone) -> None:
    mine, hers = ada.opens_queue("update_message_flags"), bea.opens_queue("update_message_flags")
    ada.flagged("starred", ada.says("soup"))
    assert (len(mine.events()), len(hers.events())) == (1, 0)


# -- subscriptions ----------------------------------------------------------------------------------


def ops(line: Line) -> list[tuple[str, str]]:
    return [(event["type"], event.get("op", "")) for event in line.events()]


@pytest.mark.shows("event.subscription")
def test_joining_a_public_channel_is_announced_to_those_who_see_it(world: World, cem: Someone) -> None:
    lines = {name: world[name].opens_queue("stream", "subscription") for name in ("cem", "ada", "adi", "gus")}
    cem.joins("lunch")
    assert {name: ops(line) for name, line in lines.items()} == {
        "cem": [("subscription", "add")],
        "ada": [("subscription", "peer_add")],
        "adi": [("subscription", "peer_add")],
        "gus": [("subscription", "peer_add")],
    }
    world["ada"].joins("vault", principals=[cem.id])
    assert {name: ops(line) for name, line in lines.items()} == {
        "cem": [("stream", "create"), ("subscription", "add")],
        "ada": [("subscription", "peer_add")],
        "adi": [("subscription", "peer_add")],
        "gus": [],
    }


def test_a_subscription_comes_whole(world: World, ada: Someone, cem: Someone) -> None:
    line = cem.opens_queue("subscription", client_capabilities=ALL_CAPABILITIES)
    cem.joins("plaza")
    (event,) = line.events()
    (subscription,) = event["subscriptions"]
    (listed,) = cem.get("/users/me/subscriptions", include_subscribers="true")["subscriptions"]
    assert subscription == listed


@pytest.mark.shows("event.stream")
def test_a_new_channel_is_announced_before_its_subscribers(world: World, ada: Someone) -> None:
    lines = {name: world[name].opens_queue("stream", "subscription") for name in ("ada", "bea", "adi", "gus")}
    ada.joins("garden")
    assert {name: ops(line) for name, line in lines.items()} == {
        "ada": [("stream", "create"), ("subscription", "add")],
        "bea": [("stream", "create"), ("subscription", "peer_add")],
        "adi": [("stream", "create"), ("subscription", "peer_add")],
        "gus": [],
    }
    ada.joins("shed", invite_only=True)
    assert {name: ops(line) for name, line in lines.items()} == {
        "ada": [("stream", "create"), ("subscription", "add")],
        "bea": [],
        "adi": [("stream", "create"), ("subscription", "peer_add")],
        "gus": [],
    }


@pytest.mark.shows("event.stream")
def test_a_channel_in_an_event_is_as_it_is_listed(world: World, ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("stream")
    ada.joins("garden", topics_policy="disable_empty_topic")
    (event,) = line.events()
    (created,) = event["streams"]
    (listed,) = [one for one in bea.get("/streams")["streams"] if one["name"] == "garden"]
    assert created == {**listed, "first_message_id": None, "subscriber_count": 0}


@pytest.mark.shows("event.subscription")
def test_leaving_is_announced_to_those_who_stay(world: World, ada: Someone, bea: Someone) -> None:
    lines = {name: world[name].opens_queue("stream", "subscription") for name in ("ada", "bea", "gus", "cem")}
    bea.leaves("secret", "lunch")
    assert {name: ops(line) for name, line in lines.items()} == {
        "ada": [("subscription", "peer_remove"), ("subscription", "peer_remove")],
        "bea": [("subscription", "remove"), ("stream", "delete"), ("subscription", "remove")],
        "gus": [("subscription", "peer_remove")],
        "cem": [("subscription", "peer_remove")],
    }


def test_removed_channels_are_named(world: World, bea: Someone, gus: Someone) -> None:
    line, his = bea.opens_queue("stream", "subscription"), gus.opens_queue("stream", "subscription")
    bea.leaves("secret")
    removed, deleted = line.events()
    secret = world.id("secret")
    assert removed["subscriptions"] == [{"stream_id": secret, "name": "secret"}]
    assert (deleted["stream_ids"], deleted["streams"]) == ([secret], [{"stream_id": secret}])
    gus.leaves("lunch")
    assert [event["type"] for event in his.events()] == ["subscription", "stream"]


def test_several_users_are_announced_together(world: World, ada: Someone) -> None:
    line = ada.opens_queue("subscription")
    people = sorted(world[name].id for name in ("cem", "mona", "gus"))
    ada.joins("plaza", principals=people)
    (event,) = line.events()
    assert (event["op"], event["stream_ids"], sorted(event["user_ids"])) == (
        "peer_add",
        [world.id("plaza")],
        people,
    )


# -- events after leaving ---------------------------------------------------------------------------


@pytest.mark.parametrize("waits", [True, False])
def test_former_subscribers_of_a_private_channel_receive_nothing_more_of_it(
    world: World, ada: Someone, bea: Someone, waits: bool
) -> None:
    line = bea.opens_queue("message")
    before = ada.says("before", "secret")
    bea.leaves("secret")
    if waits:
        line.last = line.events()[-1]["id"] if line.peek() else line.last
        poll = line.waits()
    ada.says("after", "secret")
    lunch = ada.says("soup")
    received = [e["message"]["id"] for e in poll.answer()] if waits else line.messages()
    assert received == [lunch]
    assert before not in received


def test_former_subscribers_of_a_public_channel_still_receive_earlier_messages(
    ada: Someone, bea: Someone
) -> None:
    line = bea.opens_queue("message")
    before = ada.says("before")
    bea.leaves("lunch")
    ada.says("after")
    assert line.messages() == [before]


def test_returning_subscribers_receive_events_from_then_on(ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("message")
    bea.leaves("lunch")
    ada.says("missed")
    bea.joins("lunch")
    after = ada.says("after")
    assert line.messages() == [after]


# -- other events -----------------------------------------------------------------------------------


@pytest.mark.shows("event.realm-user")
def test_a_new_user_is_shown_as_each_may_see_them(world: World, ada: Someone, gus: Someone) -> None:
    lines = [who.opens_queue("realm_user", client_gravatar=False) for who in (ada, gus, world["adi"])]
    login = create_user(world.svc, NewUser(email="dan@example.org", full_name="Dan"))
    for line in lines:
        (event,) = line.events()
        user = line.owner.get(
            f"/users/{login.user_id}", client_gravatar=False, include_custom_profile_fields=True
        )["user"]
        assert event == {"id": event["id"], "type": "realm_user", "op": "add", "person": user}


@pytest.mark.shows("channel.recently-active")
def test_a_channel_that_becomes_active_again_is_announced(world: World, ada: Someone, cem: Someone) -> None:
    world.clock.advance(200 * 86_400)
    line = cem.opens_queue("stream")
    ada.says("is anybody here?")
    ada.says("hello?")
    (event,) = line.events()
    assert event == {
        "id": event["id"],
        "type": "stream",
        "op": "update",
        "stream_id": world.id("lunch"),
        "name": "lunch",
        "property": "is_recently_active",
        "value": True,
    }


@pytest.mark.shows("register.without-empty-topic-name")
def test_the_empty_topic_has_a_name_for_older_clients(world: World, ada: Someone) -> None:
    world.choose("ada", automatically_follow_topics_policy=2)
    world.set_policy("ada", "lunch", "", VisibilityPolicy.MUTED)
    old, new = ada.registers(), ada.registers(client_capabilities={"empty_topic_name": True})
    sent = ada.says("soup", topic="", read_by_sender=True)
    ada.flagged("read", sent, op="remove")
    for line, topic in ((old, "general chat"), (new, "")):
        assert line.state["user_topics"][0]["topic_name"] == topic
        assert line.state["muted_topics"][0][1] == topic
        muted, policy, message, flag = line.events()
        assert muted["muted_topics"] == []
        assert policy["topic_name"] == topic
        assert message["message"]["subject"] == topic
        assert flag["message_details"][str(sent)]["topic"] == topic


# -- several servers and restarts -------------------------------------------------------------------


def test_a_queue_outlives_its_server(make_world: MakeWorld) -> None:
    world = make_world()
    line = world["bea"].opens_queue("message")
    first = world["ada"].says("soup")
    assert [event["message"]["id"] for event in line.peek()] == [first]
    line.last = line.peek()[-1]["id"]
    world.close()
    again = make_world()
    second = again["ada"].says("stew")
    line.owner = again["bea"]
    assert line.messages() == [second]


def test_any_server_answers_for_any_queue(make_world: MakeWorld) -> None:
    one, other = make_world(), make_world()
    line = one["bea"].opens_queue("message")
    line.owner = other["bea"]
    poll = line.waits()
    sent = one["ada"].says("soup")
    other.happens()  # SQLite notifies no other process; two of them share one database on PostgreSQL
    assert [event["message"]["id"] for event in poll.answer()] == [sent]
    line.owner = one["bea"]
    line.last = sent
    assert line.peek() == []
    other["bea"].delete("/events", queue_id=line.id)
    line.refused()


def test_a_poll_with_parameters_in_the_body_is_the_same(ada: Someone) -> None:
    line = ada.opens_queue("message")
    response = ada.client.open(
        f"{API_PREFIX}/events?queue_id={line.id}", method="DELETE", headers=ada.headers
    )
    assert response.status_code == 200
    line.refused()


def test_a_poll_lets_answers_go_first_once(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that lets answers go first before it reads the next poll says so."""
    line = ada.opens_queue("message")
    ada.says("soup")
    waits: list[str] = []
    hub = world.svc.hub
    monkeypatch.setattr(type(hub), "let_answers_go_first", lambda _: waits.append(""))

    def poll(has_let_go_first: object) -> object:
        environ = EnvironBuilder(
            f"{API_PREFIX}/events",
            query_string={"queue_id": line.id, "last_event_id": str(line.last)},
            headers=ada.headers,
        ).get_environ()
        environ[HAS_LET_GO_FIRST] = has_let_go_first
        statuses: list[str] = []
        list(world.answers(environ, lambda status, headers: statuses.append(status)))
        assert statuses == ["200 OK"]
        return environ[LETS_GO_FIRST]

    assert poll(None) == poll(lambda: None) == hub.let_answers_go_first
    assert len(waits) == 2
    assert poll(hub.let_answers_go_first) == hub.let_answers_go_first
    assert len(waits) == 2
