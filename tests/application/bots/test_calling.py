"""Bots that answer: outgoing webhooks with services of the test, and embedded bots."""

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import parse_qs

import pytest

from chatcore.application.bots import calling
from chatcore.application.bots.calling import FAILURE, answer, answer_due, free_abandoned_calls, take
from chatcore.application.bots.turns import RUNNING_OF_ACCOUNT, Turns
from chatcore.domain.bots.calls import BEGIN_SECONDS, LEASE_SECONDS, MAX_ATTEMPTS, PAUSES
from chatcore.domain.limits import Limits
from tests.waiting import PATIENCE, until
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.web_services import Answer, Request, Service, serves


@pytest.fixture
def service() -> Iterator[Service]:
    with serves() as service:
        yield service


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(outgoing_private_addresses=True)


def calls(world: World, service: Service, name: str = "echo", owner: str = "ada", **more: Any) -> Someone:
    """Make a bot that posts to a service."""
    given = {"bot_type": 3, "payload_url": service.url, **more}
    made = world[owner].post("/bots", full_name=name.title(), short_name=name, **given)
    return known(world, made)


def embeds(world: World, program: str) -> Someone:
    given = {"bot_type": 4, "service_name": program}
    return known(world, world["ada"].post("/bots", full_name="Prog", short_name="prog", **given))


def known(world: World, made: dict[str, Any]) -> Someone:
    world.storage.read(world.know)
    name = next(name for name, user in world.users.items() if user.id == made["user_id"])
    world.keys[name] = made["api_key"]
    return world[name]


def said_by(who: Someone, bot: Someone, *narrow: str) -> list[str]:
    found = who.reads(*narrow, apply_markdown=False)
    return [message["content"] for message in found if message["sender_id"] == bot.id]


def notices(world: World, name: str = "ada") -> list[str]:
    """Return what the notification bot has written to somebody."""
    found = world[name].reads("is:dm", apply_markdown=False)
    return [one["content"] for one in found if one["sender_id"] == world.users["system"].id]


def test_a_mention_is_posted_and_the_answer_sent(world: World, service: Service) -> None:
    ada, bea, echo = world["ada"], world["bea"], calls(world, service)
    service.says(content="soup, @**Bea**")
    line = bea.opens_queue("message")
    sent = ada.says("@**Echo** what is there?", topic="menu")
    assert service.requests == []
    assert answer_due(world.svc) == 1
    (request,) = service.requests
    assert (request.method, request.headers["content-type"]) == ("POST", "application/json")
    assert request.headers["host"] == f"127.0.0.1:{service.port}"
    (own,) = ada.post("/register", event_types=["realm_bot"])["realm_bots"][-1]["services"]
    payload = request.json
    assert payload["token"] == own["token"]
    assert (payload["bot_email"], payload["bot_full_name"]) == (echo.email, "Echo")
    assert (payload["data"], payload["trigger"]) == ("@**Echo** what is there?", "mention")
    message = payload["message"]
    assert (message["id"], message["content"], message["sender_email"]) == (sent, payload["data"], ada.email)
    assert (message["type"], message["display_recipient"], message["subject"]) == ("stream", "lunch", "menu")
    assert "user-mention" in message["rendered_content"]
    first, second = line.events()
    assert first["message"]["id"] == sent
    answered = second["message"]
    assert (answered["sender_id"], answered["content"]) == (echo.id, "soup, @**Bea**")
    assert (answered["display_recipient"], answered["subject"]) == ("lunch", "menu")
    assert "mentioned" in second["flags"]
    assert (answer_due(world.svc), world.count("bot_call"), len(service.requests)) == (0, 0, 1)


def test_a_service_gets_pictures_of_other_sites_as_readers_do(world: World, service: Service) -> None:
    calls(world, service)
    world["ada"].writes("https://a.example/b.png", "echo-bot")
    answer_due(world.svc)
    (request,) = service.requests
    html = request.json["message"]["rendered_content"]
    assert 'src="/external_content/' in html
    assert 'src="https://a.example' not in html


@pytest.mark.parametrize("names", [("echo-bot",), ("bea", "echo-bot")])
def test_a_direct_message_is_posted(world: World, service: Service, names: tuple[str, ...]) -> None:
    ada, echo = world["ada"], calls(world, service)
    service.says(content="hello")
    ada.writes("@**Echo** hi", *names)
    answer_due(world.svc)
    (request,) = service.requests
    assert request.json["trigger"] == "direct_message"
    people = {one["id"] for one in request.json["message"]["display_recipient"]}
    assert people == {ada.id, echo.id} | ({world["bea"].id} if len(names) == 2 else set())
    assert said_by(ada, echo, "is:dm") == ["hello"]


def test_bots_call_no_bots(world: World, service: Service) -> None:
    echo, other, robo = calls(world, service), calls(world, service, "other"), world["robo"]
    service.says(content="@**Echo** @**Other** and so on")
    robo.says("@**Echo**", "plaza")
    robo.writes("hi", "echo-bot")
    assert world.count("bot_call") == 0
    world["ada"].says("@**Echo**")
    assert answer_due(world.svc) == 1
    assert (len(service.requests), world.count("bot_call")) == (1, 0)
    other.writes("hi", "echo-bot")
    assert world.count("bot_call") == 0
    assert said_by(world["ada"], echo, "channel:lunch") == ["@**Echo** @**Other** and so on"]


@pytest.mark.parametrize(
    "text", ["echo", "@_**Echo**", "`@**Echo**`", "@**all**", "> @**Echo**", "@**Robo**", "@**topic**"]
)
def test_what_does_not_mention_the_bot_does_not_call_it(world: World, service: Service, text: str) -> None:
    calls(world, service)
    world["ada"].says(text)
    assert world.count("bot_call") == 0


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"content": "hi"}', ["hi"]),
        (b'{"response_string": "hi"}', ["hi"]),
        (b'{"content": "hi", "response_not_required": true}', []),
        (b'{"response_not_required": true}', []),
        (b"{}", []),
        (b'""', []),
        (b'{"content": "  "}', []),
        (b'{"content": null}', []),
        (b"", [FAILURE]),
        (b"hi", [FAILURE]),
        (b"[1]", [FAILURE]),
        (b"[" * 100_000, [FAILURE]),
        (b'{"content": 1}', [FAILURE]),
        (b'{"content": "\\u0000"}', [FAILURE]),
        (b'{"content": "\\ud800"}', [FAILURE]),
        (b'\xef\xbb\xbf{"content": "hi"}', ["hi"]),
        (b"\xff\xfe", [FAILURE]),
        (b'{"content": "hi", "widget_content": 3}', [FAILURE]),
        *[
            (
                b'{"content": "hi", "widget_content": {"widget_type": "soup", "extra_data": {"a": %s}}}'
                % data,
                [FAILURE],
            )
            for data in (
                rb'"\ud800"',
                rb'"\u0000\ud800"',
                b"NaN",
                b"1e999",
            )
        ],
        (b'{"content": "hi", "widget_content": {"widget_type": "\\ud800"}}', [FAILURE]),
        (b'{"content": "' + b"x" * 2**21 + b'"}', [FAILURE]),
    ],
)
def test_an_answer_of_a_service_is_sent_or_counts_as_a_failure(
    world: World, service: Service, body: bytes, said: list[str]
) -> None:
    echo = calls(world, service)
    service.answers = lambda request: Answer(body=body)
    world["ada"].says("@**Echo**")
    answer_due(world.svc)
    assert said_by(world["ada"], echo, "channel:lunch") == said
    assert (len(notices(world)), world.count("bot_call")) == (said == [FAILURE], 0)


def test_an_answer_may_be_a_widget(world: World, service: Service) -> None:
    calls(world, service)
    widget = {"widget_type": "poll", "extra_data": {"question": "Soup?", "options": ["yes"]}}
    service.says(content="/poll", widget_content=widget)
    world["ada"].says("@**Echo**")
    answer_due(world.svc)
    (submessage,) = world["ada"].reads("channel:lunch")[-1]["submessages"]
    assert "Soup?" in submessage["content"]


def test_the_text_interface_sends_a_form(world: World, service: Service) -> None:
    ada, echo = world["ada"], calls(world, service, interface_type=2)
    service.says(text="soup")
    ada.says("@**Echo** menu?")
    ada.writes("hi", "echo-bot")
    answer_due(world.svc)
    (request,) = service.requests
    fields = parse_qs(request.body.decode())
    assert (fields["text"], fields["channel_name"], fields["user_name"]) == (
        ["@**Echo** menu?"],
        ["lunch"],
        ["Ada"],
    )
    assert said_by(ada, echo, "channel:lunch") == ["soup"]
    assert said_by(ada, echo, "is:dm") == [FAILURE]


def test_a_service_that_fails_is_asked_again_and_given_up(world: World, service: Service) -> None:
    ada, echo = world["ada"], calls(world, service)
    service.answers = lambda request: Answer(status=503, body=b"@**all** later")
    ada.says("@**Echo**")
    for number, pause in enumerate(PAUSES, 1):
        assert answer_due(world.svc) == 1
        assert answer_due(world.svc) == 0
        assert (len(service.requests), said_by(ada, echo, "channel:lunch")) == (number, [])
        world.clock.advance(pause)
    assert answer_due(world.svc) == 1
    assert said_by(ada, echo, "channel:lunch") == [FAILURE]
    (notice,) = notices(world)
    assert "503" in notice
    assert "`@**all** later`" in notice
    world.clock.advance(10_000)
    assert (answer_due(world.svc), len(service.requests), world.count("bot_call")) == (0, 5, 0)


@pytest.mark.parametrize("status", [301, 302, 307, 400, 401, 404, 410])
def test_a_service_that_refuses_is_not_asked_again(world: World, service: Service, status: int) -> None:
    echo = calls(world, service)
    service.answers = lambda request: Answer(status=status, headers={"Location": service.url})
    world["ada"].says("@**Echo**")
    assert answer_due(world.svc) == 1
    assert (len(service.requests), world.count("bot_call")) == (1, 0)
    assert said_by(world["ada"], echo, "channel:lunch") == [FAILURE]
    assert str(status) in notices(world)[0]


@pytest.mark.parametrize("status", [408, 425, 429, 500])
def test_a_service_that_is_busy_is_asked_again(world: World, service: Service, status: int) -> None:
    echo = calls(world, service)
    service.answers = lambda request: Answer(status=status)
    world["ada"].says("@**Echo**")
    answer_due(world.svc)
    service.says(content="hi")
    world.clock.advance(PAUSES[0])
    assert answer_due(world.svc) == 1
    assert said_by(world["ada"], echo, "channel:lunch") == ["hi"]


def test_private_addresses_need_a_setting(make_world: MakeWorld, service: Service) -> None:
    world = make_world()
    echo = calls(world, service)
    world["ada"].says("@**Echo**")
    answer_due(world.svc)
    assert service.requests == []
    assert said_by(world["ada"], echo, "channel:lunch") == [FAILURE]
    assert "not permitted" in notices(world)[0]


def test_the_answer_follows_the_message_and_is_dropped_with_it(world: World, service: Service) -> None:
    ada, echo = world["ada"], calls(world, service)
    service.says(content="hi")
    moved, deleted = ada.says("@**Echo**", topic="one"), ada.says("@**Echo**", topic="two")
    ada.patch(f"/messages/{moved}", topic="three", propagate_mode="change_one")
    world["olga"].delete(f"/messages/{deleted}")
    assert answer_due(world.svc) == 2
    assert [
        message["subject"] for message in ada.reads("channel:lunch") if message["sender_id"] == echo.id
    ] == ["three"]
    assert len(service.requests) == 1


def test_a_deactivated_bot_is_not_called(world: World, service: Service) -> None:
    echo = calls(world, service)
    world["ada"].says("@**Echo**")
    world["ada"].delete(f"/bots/{echo.id}")
    answer_due(world.svc)
    assert (service.requests, world.count("bot_call")) == ([], 0)


def test_a_bot_that_may_not_write_there_says_so_to_its_owner(world: World, service: Service) -> None:
    echo = calls(world, service)
    service.says(content="hi")
    world["ada"].says("@**Echo**")
    world.archive("lunch")
    answer_due(world.svc)
    assert (world.count("bot_call"), len(notices(world))) == (0, 1)
    assert said_by(world["ada"], echo) == []


# -- processes and threads ------------------------------------------------------------------------------


def test_two_processes_never_have_the_same_call(make_world: MakeWorld, service: Service) -> None:
    one, other = make_world(outgoing_private_addresses=True), make_world(outgoing_private_addresses=True)
    calls(one, service)
    service.says(content="hi")
    one["ada"].says("@**Echo**")
    taken = take(one.svc, Turns())
    assert taken is not None
    assert take(other.svc, Turns()) is None
    answer(one.svc, taken.call)
    assert (len(service.requests), one.count("bot_call")) == (1, 0)


def test_the_call_of_a_dead_process_is_taken_after_its_lease(make_world: MakeWorld, service: Service) -> None:
    dead, other = make_world(outgoing_private_addresses=True), make_world(outgoing_private_addresses=True)
    echo = calls(dead, service)
    service.says(content="hi")
    dead["ada"].says("@**Echo**")
    late = take(dead.svc, Turns())
    assert late is not None
    other.clock.advance(LEASE_SECONDS - 1)
    assert take(other.svc, Turns()) is None
    other.clock.advance(1)
    assert answer_due(other.svc) == 1
    answer(dead.svc, late.call)  # it was only slow: its answer comes too late
    assert said_by(dead["ada"], echo, "channel:lunch") == ["hi"]


def test_the_call_of_a_dead_process_is_taken_before_its_lease_is_over(
    make_world: MakeWorld, service: Service
) -> None:
    """The lease ends with the process, and a try counts when the service is asked."""
    dead, other = make_world(outgoing_private_addresses=True), make_world(outgoing_private_addresses=True)
    echo = calls(dead, service)
    service.says(content="hi")
    dead["ada"].says("@**Echo**")
    for _ in range(2 * MAX_ATTEMPTS):
        assert take(dead.svc, Turns()) is not None
        for world in (dead, other):
            world.clock.advance(BEGIN_SECONDS)
        free_abandoned_calls(other.svc)
    assert answer_due(other.svc) == 1
    assert said_by(other["ada"], echo, "channel:lunch") == ["hi"]


def test_the_call_of_a_living_process_is_left_to_it(make_world: MakeWorld, service: Service) -> None:
    one, other = make_world(outgoing_private_addresses=True), make_world(outgoing_private_addresses=True)
    echo = calls(one, service)
    go_on, asked = threading.Event(), threading.Event()

    def reply(request: Request) -> Answer:
        asked.set()
        assert go_on.wait(PATIENCE)
        return Answer(body=b'{"content": "hi"}')

    service.answers = reply
    one["ada"].says("@**Echo**")
    answering = threading.Thread(target=answer_due, args=(one.svc,))
    answering.start()
    assert asked.wait(PATIENCE)
    other.clock.advance(2 * BEGIN_SECONDS)
    assert answer_due(other.svc) == 0
    go_on.set()
    answering.join(PATIENCE)
    assert said_by(other["ada"], echo, "channel:lunch") == ["hi"]
    assert len(service.requests) == 1


@pytest.mark.parametrize("was_refused", [False, True])
def test_a_call_does_not_wait_for_a_clock_that_was_set_back(
    world: World, service: Service, was_refused: bool
) -> None:
    calls(world, service)
    service.answers = lambda request: Answer(status=503)
    world["ada"].says("@**Echo**")
    if was_refused:
        assert answer_due(world.svc) == 1
    else:  # and its process is killed
        assert take(world.svc, Turns()) is not None
    assert take(world.svc, Turns()) is None
    world.clock.advance(-7200)
    assert take(world.svc, Turns()) is not None


def test_nothing_is_sent_without_the_removal_of_the_call(
    world: World, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = calls(world, service)
    service.says(content="hi")
    world["ada"].says("@**Echo**")

    class Stop(BaseException):
        pass

    def die(*given: Any, **more: Any) -> Any:
        send(*given, **more)
        raise Stop

    send = calling.send_in
    with monkeypatch.context() as patch:
        patch.setattr(calling, "send_in", die)
        with pytest.raises(Stop):
            answer_due(world.svc)
    assert said_by(world["ada"], echo, "channel:lunch") == []
    world.clock.advance(LEASE_SECONDS)
    assert answer_due(world.svc) == 1
    assert said_by(world["ada"], echo, "channel:lunch") == ["hi"]


def fails(*given: Any, **more: Any) -> Any:
    raise RuntimeError


@pytest.mark.parametrize("step", ["content_of_call", "_ask_service", "look_up"])
def test_a_call_that_ends_every_attempt_is_given_up(
    world: World, service: Service, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Such a call would keep all later messages from the bot. Its attempts have pauses, as others have."""
    echo = calls(world, service)
    service.says(content="hi")
    world["ada"].says("@**Echo**")
    with monkeypatch.context() as patch:
        patch.setattr(calling, step, fails)
        for pause in (*PAUSES, 0):
            with pytest.raises(RuntimeError):
                answer_due(world.svc)
            if pause:
                world.clock.advance(pause - 1)
                assert answer_due(world.svc) == 0
                world.clock.advance(1)
    world["ada"].says("@**Echo**")
    assert answer_due(world.svc) == 2
    assert said_by(world["ada"], echo, "channel:lunch") == [FAILURE, "hi"]
    assert (len(notices(world)), world.count("bot_call")) == (1, 0)


@pytest.mark.parametrize("steps", [["look_up"], ["content_of_call", "render_text"]])
def test_a_call_of_which_nobody_can_be_told_is_dropped(
    world: World, service: Service, monkeypatch: pytest.MonkeyPatch, steps: list[str]
) -> None:
    echo = calls(world, service)
    service.says(content="hi")
    world["ada"].says("@**Echo**")
    with monkeypatch.context() as patch:
        for step in steps:
            patch.setattr(calling, step, fails)
        for _ in range(MAX_ATTEMPTS + 1):
            with pytest.raises(RuntimeError):
                answer_due(world.svc)
            world.clock.advance(max(PAUSES))
        assert world.count("bot_call") == 0
    world["ada"].says("@**Echo**")
    assert answer_due(world.svc) == 1
    assert said_by(world["ada"], echo, "channel:lunch") == ["hi"]


def test_a_fault_that_comes_too_late_leaves_the_call_to_others(
    make_world: MakeWorld, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, other = make_world(outgoing_private_addresses=True), make_world(outgoing_private_addresses=True)
    echo = calls(slow, service)
    service.says(content="hi")
    slow["ada"].says("@**Echo**")
    late = take(slow.svc, Turns())
    assert late is not None
    other.clock.advance(LEASE_SECONDS)
    taken = take(other.svc, Turns())
    assert taken is not None
    with monkeypatch.context() as patch:
        patch.setattr(calling, "look_up", fails)
        with pytest.raises(RuntimeError):
            answer(slow.svc, late.call)
    answer(other.svc, taken.call)
    assert said_by(other["ada"], echo, "channel:lunch") == ["hi"]


def test_a_call_that_was_taken_again_meanwhile_is_not_freed(
    make_world: MakeWorld, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may take them between the look for calls of ended processes and the end of their lease."""
    dead, one, other = (make_world(outgoing_private_addresses=True) for _ in range(3))
    calls(dead, service)
    dead["ada"].says("@**Echo**")
    assert take(dead.svc, Turns()) is not None
    for world in (one, other):
        world.clock.advance(BEGIN_SECONDS)
    read = one.svc.storage.read

    def read_early(work: Any) -> Any:
        monkeypatch.setattr(one.svc.storage, "read", read)
        found = read(work)
        free_abandoned_calls(other.svc)
        assert take(other.svc, Turns()) is not None
        return found

    monkeypatch.setattr(one.svc.storage, "read", read_early)
    free_abandoned_calls(one.svc)
    assert take(one.svc, Turns()) is None


@pytest.fixture
def held(service: Service) -> Iterator[threading.Event]:
    """Requests to the service wait for this event."""
    release = threading.Event()
    service.answers = lambda request: Answer() if release.wait(PATIENCE) else Answer(status=500)
    try:
        yield release
    finally:
        release.set()
        until(lambda: "chatcore-bot" not in {thread.name for thread in threading.enumerate()})


def called_now(service: Service) -> Counter[str]:
    """Return the owners of the bots that are being called, by the first letters of their bots."""
    return Counter(request.json["bot_full_name"][:3] for request in service.requests)


PEOPLE: Final = ("ada", "bea", "cem", "adi", "mona")


def test_so_many_bots_are_called_at_the_same_time(
    world: World, service: Service, held: threading.Event
) -> None:
    for name in PEOPLE:
        for number in range(RUNNING_OF_ACCOUNT):
            calls(world, service, f"{name}{number}", owner=name)
            world[name].writes("hi", f"{name}{number}-bot")
    caller = calling.BotCaller(world.svc)
    caller.run()
    caller.run()
    until(lambda: len(service.requests) == calling.THREADS)
    assert sum(thread.name == "chatcore-bot" for thread in threading.enumerate()) == calling.THREADS
    held.set()
    until(lambda: "chatcore-bot" not in {thread.name for thread in threading.enumerate()})
    assert world.count("bot_call") == len(PEOPLE) * RUNNING_OF_ACCOUNT - calling.THREADS


def test_one_owner_has_few_calls_at_a_time(world: World, service: Service, held: threading.Event) -> None:
    for number in range(calling.THREADS):
        calls(world, service, f"ada{number}")
        world[PEOPLE[number % 3]].writes("hi", f"ada{number}-bot")
    caller = calling.BotCaller(world.svc)
    caller.run()
    calls(world, service, "bea0", owner="bea")
    world["bea"].writes("hi", "bea0-bot")
    caller.run()
    until(lambda: called_now(service) == {"Ada": RUNNING_OF_ACCOUNT, "Bea": 1})


def test_one_caller_has_few_calls_at_a_time(world: World, service: Service, held: threading.Event) -> None:
    for name in PEOPLE:
        calls(world, service, f"{name}0", owner=name)
        world["ada"].writes("hi", f"{name}0-bot")
    caller = calling.BotCaller(world.svc)
    caller.run()
    until(lambda: len(service.requests) == RUNNING_OF_ACCOUNT)
    calls(world, service, "cem1", owner="cem")
    world["bea"].writes("hi", "cem1-bot")
    caller.run()
    until(lambda: called_now(service)["Cem"] == 1)
    assert len(service.requests) == RUNNING_OF_ACCOUNT + 1


def test_calls_of_somebody_with_slow_bots_do_not_hold_those_of_others_to_the_same_bot(
    world: World, service: Service, held: threading.Event
) -> None:
    for number in range(RUNNING_OF_ACCOUNT):
        calls(world, service, f"bea{number}", owner="bea")
        world["bea"].writes("hi", f"bea{number}-bot")
    caller = calling.BotCaller(world.svc)
    caller.run()
    until(lambda: called_now(service) == {"Bea": RUNNING_OF_ACCOUNT})
    calls(world, service, "cem0", owner="cem")
    world["bea"].writes("by bea", "cem0-bot")
    for content in ("by ada", "by ada, too"):
        world["ada"].writes(content, "cem0-bot")
    caller.run()
    until(lambda: called_now(service)["Cem"] == 1)
    assert service.requests[-1].json["message"]["content"] == "by ada"
    held.set()
    until(lambda: "chatcore-bot" not in {thread.name for thread in threading.enumerate()})
    answer_due(world.svc)
    told = [request.json["message"]["content"] for request in service.requests[RUNNING_OF_ACCOUNT:]]
    assert told == ["by ada", "by bea", "by ada, too"]


def test_a_slow_service_does_not_hold_others(world: World, service: Service) -> None:
    slow, quick, release = calls(world, service, "slow"), calls(world, service, "quick"), threading.Event()

    def reply(request: Request) -> Answer:
        if request.json["bot_full_name"] == "Slow":
            release.wait(PATIENCE)
        return Answer(body=b'{"content": "hi"}')

    service.answers = reply
    world.svc.alarms.bots.start()
    try:
        for _ in range(20):
            world["ada"].says("@**Slow**")
        for _ in range(3):
            world["ada"].says("@**Quick**")
        until(lambda: len(said_by(world["ada"], quick, "channel:lunch")) == 3)
        assert said_by(world["ada"], slow, "channel:lunch") == []
        assert sum(request.json["bot_full_name"] == "Slow" for request in service.requests) == 1
        release.set()
        until(lambda: len(said_by(world["ada"], slow, "channel:lunch")) == 20)
        until(lambda: world.count("bot_call") == 0)
    finally:
        release.set()
        world.svc.alarms.bots.stop()
        until(lambda: "chatcore-bot" not in {thread.name for thread in threading.enumerate()})


def test_the_owner_and_the_bot_that_were_called_longest_ago_come_first(
    world: World, service: Service
) -> None:
    for name, owner in (("one", "ada"), ("other", "ada"), ("last", "bea")):
        calls(world, service, name, owner=owner)
    for name in ("one", "one", "one", "other", "last", "last"):
        world["ada"].writes("hi", f"{name}-bot")
    turns, order = Turns(), []
    for at in range(6):
        taken = take(world.svc, turns)
        assert taken is not None
        turns.begin(taken, at)
        turns.end(taken)
        world.svc.storage.write(lambda tx, call=taken.call: tx.bot_calls.remove(call.id))
        order.append(next(name for name, user in world.users.items() if user.id == taken.call.bot_id))
    assert [name.removesuffix("-bot") for name in order] == ["one", "last", "other", "last", "one", "one"]


@pytest.mark.parametrize("limits", [Limits(max_bot_calls=2), Limits(max_bot_calls_of_account=2)])
def test_too_many_waiting_messages_call_nobody(
    make_world: MakeWorld, service: Service, limits: Limits
) -> None:
    world = make_world(limits=limits, outgoing_private_addresses=True)
    calls(world, service)
    for _ in range(4):
        world["ada"].says("@**Echo**")
    assert world.count("bot_call") == 2
    (notice,) = notices(world)
    assert "too many wait" in notice
    world["bea"].writes("hi", "echo-bot")
    assert world.count("bot_call") == min(3, limits.max_bot_calls)


# -- embedded bots --------------------------------------------------------------------------------------


def test_an_embedded_bot_answers_and_remembers(world: World) -> None:
    prog = embeds(world, "incrementor")
    for _ in range(3):
        world["ada"].says("@**Prog**")
    world["bea"].writes("more", "prog-bot")
    assert answer_due(world.svc) == 4
    assert said_by(world["ada"], prog, "channel:lunch") == ["1", "2", "3"]
    assert said_by(world["bea"], prog, "is:dm") == ["4"]
    assert prog.get("/bot_storage")["storage"] == {"number": "4"}


def test_a_program_that_fails_says_so(world: World) -> None:
    prog = embeds(world, "incrementor")
    prog.put("/bot_storage", storage={"number": "x"})
    world["ada"].says("@**Prog**")
    answer_due(world.svc)
    assert said_by(world["ada"], prog, "channel:lunch") == [FAILURE]
    assert world.count("bot_call") == 0


def test_a_program_runs_again_where_its_memory_changed_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    prog, render, once = embeds(world, "incrementor"), calling.render_text, [5]

    def change_meanwhile(*given: Any, **named: Any) -> Any:
        if once:
            prog.put("/bot_storage", storage={"number": f"{once.pop()}"})
        return render(*given, **named)

    monkeypatch.setattr(calling, "render_text", change_meanwhile)
    world["ada"].says("@**Prog**")
    assert answer_due(world.svc) == 2
    assert said_by(world["ada"], prog, "channel:lunch") == ["6"]


@pytest.mark.parametrize(
    ("program", "text", "said"),
    [
        ("helloworld", "@**Prog**", "beep boop"),
        ("encrypt", "@**Prog** Hello", "Encrypted/Decrypted text: Uryyb"),
        ("converter", "@**Prog** 2 km mile", "2 km = 1.24274238447 mile"),
        ("converter", "@**Prog** 1 km day", "`km` is a unit of length, `day` one of time."),
    ],
)
def test_each_embedded_bot_answers(world: World, program: str, text: str, said: str) -> None:
    prog = embeds(world, program)
    world["ada"].says(text)
    answer_due(world.svc)
    assert said_by(world["ada"], prog, "channel:lunch") == [said]


def test_sec_4_a_service_gets_nothing_that_its_bot_may_not_read_any_more(
    world: World, service: Service
) -> None:
    ada, _ = world["ada"], calls(world, service)
    service.answers = lambda request: Answer(status=503)
    sent = ada.says("@**Echo** first")
    answer_due(world.svc)
    ada.patch(f"/messages/{sent}", stream_id=world.id("vault"), topic="hidden")
    ada.patch(f"/messages/{sent}", content="@**Echo** second")
    world.clock.advance(PAUSES[0])
    service.says(content="hi")
    assert answer_due(world.svc) == 1
    assert (len(service.requests), world.count("bot_call")) == (1, 0)


def test_a_deleted_message_calls_nobody(world: World, service: Service) -> None:
    ada, _ = world["ada"], calls(world, service)
    ada.delete(f"/messages/{ada.says('@**Echo** first')}")
    answer_due(world.svc)
    assert (service.requests, world.count("bot_call")) == ([], 0)
