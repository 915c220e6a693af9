"""Pushes to browsers, as a push service and a browser get them."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import jwt
import pytest

from chatcore.application.events.secret_replacement import replace_secret
from chatcore.application.measuring import read_measurements
from chatcore.application.push import gathering, sending
from chatcore.application.push.sending import PushSender
from chatcore.domain.push.pushes import MAX_ATTEMPTS, PATIENCE, PAUSES
from chatcore.domain.sent_mail.missed import ACTIVE_SECONDS
from chatcore.domain.topics import VisibilityPolicy
from chatcore.runtime.measures import DUE_WAITING
from chatcore.storage.backlog import WaitingKind
from tests.storage_backends.spying import statements
from tests.waiting import until
from tests.worlds.browsers import logs_in
from tests.worlds.clients.push import Browser, PushService, push_service, send_waiting
from tests.worlds.organization import MakeWorld, World


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(outgoing_private_addresses=True)


@pytest.fixture
def bea(world: World, service: PushService) -> Browser:
    browser = Browser(service, "bea")
    browser.subscribes(world["bea"])
    return browser


def arrived(world: World, browser: Browser, after: int = PATIENCE) -> list[dict[str, Any]]:
    send_waiting(world.svc)
    world.clock.advance(after)
    send_waiting(world.svc)
    return [browser.reads(body) for path, _, body in browser.service.taken() if path == browser.path]


def test_a_direct_message_is_pushed_once_after_the_patience(world: World, bea: Browser) -> None:
    message_id = world["ada"].writes("Tea at *five*?\n\nOr ~~never~~ later", "bea")
    assert arrived(world, bea, PATIENCE - 1) == []
    (push,) = arrived(world, bea, 1)
    assert push["tag"]
    assert push == {
        "title": "Ada",
        "body": "Tea at five? Or never later",
        "tag": push["tag"],
        "path": f"#narrow/dm/{world['ada'].id}-dm/near/{message_id}",
        "time": int(world.clock()) - PATIENCE,
        "message_id": message_id,
    }
    assert arrived(world, bea, 1000) == []
    assert world.count("push") == 0


def test_a_push_has_the_headers_of_the_standard(world: World, bea: Browser) -> None:
    world["ada"].writes("Tea?", "bea")
    send_waiting(world.svc)
    world.clock.advance(PATIENCE)
    send_waiting(world.svc)
    ((_, headers, body),) = bea.service.taken()
    assert (headers["Content-Encoding"], headers["Urgency"]) == ("aes128gcm", "high")
    assert int(headers["TTL"]) > 0
    assert headers["Topic"] == bea.reads(body)["tag"]
    assert len(headers["Topic"]) <= 32
    token = headers["Authorization"].removeprefix("vapid t=").partition(",")[0]
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["aud"] == f"http://127.0.0.1:{bea.service.port}"
    assert claims["sub"].startswith(("https:", "mailto:"))
    assert headers["Authorization"].endswith(f", k={world['bea'].get('/web_push')['public_key']}")


def test_mentions_and_followed_topics_are_pushed_with_their_place(world: World, bea: Browser) -> None:
    world["ada"].says("nothing for you")
    world["ada"].says("@**Bea** soup?", topic="soup")
    world.set_policy("bea", "lunch", "tea", VisibilityPolicy.FOLLOWED)
    world["ada"].says("tea is ready", topic="tea")
    pushes = arrived(world, bea)
    assert sorted((push["title"], push["body"]) for push in pushes) == [
        ("Ada · #lunch > soup", "@Bea soup?"),
        ("Ada · #lunch > tea", "tea is ready"),
    ]
    assert len({push["tag"] for push in pushes}) == 2
    assert all(
        push["path"].startswith(f"#narrow/channel/{world.id('lunch')}-lunch/topic/") for push in pushes
    )


def test_messages_of_a_conversation_are_one_push_with_the_newest(world: World, bea: Browser) -> None:
    world["ada"].writes("one", "bea")
    newest = world["ada"].writes("two", "bea")
    (push,) = arrived(world, bea)
    assert (push["body"], push["message_id"]) == ("two", newest)
    world["ada"].writes("three", "bea")
    (other,) = arrived(world, bea)
    assert (other["body"], other["tag"]) == ("three", push["tag"])


def test_settings_and_muting_decide(world: World, bea: Browser) -> None:
    off = {"enable_offline_push_notifications": False, "enable_followed_topic_push_notifications": False}
    world.choose("bea", **off)
    world["ada"].writes("Tea?", "bea")
    world["ada"].says("@**Bea** soup?")
    assert arrived(world, bea) == []
    world.choose("bea", **off, enable_stream_push_notifications=True)
    world["ada"].says("soup for all")
    assert [push["body"] for push in arrived(world, bea)] == ["soup for all"]
    world.mute("bea", "lunch")
    world["ada"].says("more soup", topic="more")
    assert arrived(world, bea) == []


def test_a_channel_can_be_set_to_push_all(world: World, bea: Browser) -> None:
    change = [{"stream_id": world.id("lunch"), "property": "push_notifications", "value": True}]
    world["bea"].post("/users/me/subscriptions/properties", subscription_data=change)
    world["ada"].says("soup for all")
    assert [push["body"] for push in arrived(world, bea)] == ["soup for all"]


def test_what_is_read_or_deleted_meanwhile_is_not_pushed(world: World, bea: Browser) -> None:
    read, deleted = (world["ada"].writes(text, name) for text, name in (("a", "bea"), ("b", "bea")))
    send_waiting(world.svc)
    world["bea"].flagged("read", read)
    world["ada"].delete(f"/messages/{deleted}")
    assert arrived(world, bea) == []


def test_nobody_is_disturbed_while_active(world: World, bea: Browser) -> None:
    world["bea"].post("/users/me/presence", status="active")
    world.clock.advance(5)
    world["ada"].writes("Tea?", "bea")
    assert arrived(world, bea, PATIENCE) == []
    world["ada"].writes("Soup?", "bea")
    assert [push["body"] for push in arrived(world, bea, ACTIVE_SECONDS)] == ["Soup?"]


def test_who_is_active_after_a_message_has_seen_it(world: World, bea: Browser) -> None:
    world["ada"].writes("Tea?", "bea")
    world.clock.advance(2)
    world["bea"].post("/users/me/presence", status="active")
    assert arrived(world, bea, ACTIVE_SECONDS) == []


def test_a_new_browser_gets_nothing_from_before(world: World, service: PushService) -> None:
    world["ada"].writes("Tea?", "bea")
    world.clock.advance(1)
    browser = Browser(service, "new")
    browser.subscribes(world["bea"])
    assert arrived(world, browser) == []


def test_every_browser_of_a_person_is_pushed_and_nobody_elses(
    world: World, bea: Browser, service: PushService
) -> None:
    second, other = Browser(service, "phone"), Browser(service, "cem")
    second.subscribes(world["bea"])
    other.subscribes(world["cem"])
    world["ada"].writes("Tea?", "bea")
    send_waiting(world.svc)
    world.clock.advance(PATIENCE)
    send_waiting(world.svc)
    assert sorted(path for path, _, _ in service.taken()) == ["/send/bea", "/send/phone"]


def test_a_shared_browser_gets_nothing_of_its_former_person(world: World, bea: Browser) -> None:
    world["ada"].writes("for Bea", "bea")
    send_waiting(world.svc)
    bea.subscribes(world["cem"])
    assert arrived(world, bea) == []
    world["ada"].writes("for Cem", "cem")
    assert [push["body"] for push in arrived(world, bea)] == ["for Cem"]


def test_pushes_end_with_the_session_of_their_browser(world: World, service: PushService) -> None:
    person, browser = logs_in(world, "bea"), Browser(service, "session")
    browser.subscribes(person)
    world["ada"].writes("Tea?", "bea")
    assert len(arrived(world, browser)) == 1
    person.post("/accounts/logout")  # by the cookie
    assert world.count("push_subscription") == 0
    world["ada"].writes("Soup?", "bea")
    assert arrived(world, browser) == []


def test_pushes_end_when_the_session_is_old(world: World, service: PushService) -> None:
    person, browser = logs_in(world, "bea"), Browser(service, "session")
    browser.subscribes(person)
    world.clock.advance(world.svc.limits.session_idle + 1)
    world["ada"].writes("Tea?", "bea")
    assert arrived(world, browser) == []
    assert world["bea"].get("/web_push")["subscriptions"] == []


def test_pushes_end_with_the_account_and_with_the_secret(world: World, bea: Browser) -> None:
    Browser(bea.service, "cem").subscribes(world["cem"])
    world["ada"].writes("Tea?", "bea")
    send_waiting(world.svc)
    world["olga"].delete(f"/users/{world['bea'].id}")
    assert arrived(world, bea) == []
    assert world.count("push_subscription") == 1
    replace_secret(world.svc, b"n" * 32)
    assert world.count("push_subscription") == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(world: World, bea: Browser, status: int) -> None:
    bea.service.status = status
    world["ada"].writes("Tea?", "bea")
    assert len(arrived(world, bea)) == 1
    assert (world.count("push_subscription"), world.count("push")) == (0, 0)


def test_a_push_is_tried_again_and_given_up_at_last(world: World, bea: Browser) -> None:
    bea.service.status = 503
    world["ada"].writes("Tea?", "bea")
    assert len(arrived(world, bea)) == 1
    assert [len(arrived(world, bea, pause)) for pause in PAUSES] == [1] * (MAX_ATTEMPTS - 1)
    assert (world.count("push"), world.count("push_subscription")) == (0, 1)


def test_a_push_that_is_refused_is_not_tried_again(world: World, bea: Browser) -> None:
    bea.service.status = 403
    world["ada"].writes("Tea?", "bea")
    assert len(arrived(world, bea)) == 1
    assert (world.count("push"), world.count("push_subscription")) == (0, 1)


def test_messages_that_come_while_a_push_is_sent_are_pushed_too(
    world: World, bea: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = sending._post_push  # noqa: SLF001

    def post_slowly(*args: Any) -> None:
        monkeypatch.setattr(sending, "_post_push", post)
        world["ada"].writes("Soup?", "bea")
        gathering.gather_pushes(world.svc)
        post(*args)

    monkeypatch.setattr(sending, "_post_push", post_slowly)
    world["ada"].writes("Tea?", "bea")
    assert [push["body"] for push in arrived(world, bea)] == ["Tea?", "Soup?"]


def test_messages_that_come_while_a_push_fails_are_pushed_with_it(
    world: World, bea: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    retry = sending._retry_or_give_up  # noqa: SLF001

    def retry_later(*args: Any) -> None:
        world["ada"].writes("Soup?", "bea")
        gathering.gather_pushes(world.svc)
        retry(*args)

    monkeypatch.setattr(sending, "_retry_or_give_up", retry_later)
    bea.service.status = 503
    world["ada"].writes("Tea?", "bea")
    assert [push["body"] for push in arrived(world, bea)] == ["Tea?"]
    bea.service.status = 201
    assert [push["body"] for push in arrived(world, bea, PAUSES[0])] == ["Soup?"]


def test_a_push_that_a_clock_ahead_has_put_off_is_sent_once_it_is_right(world: World, bea: Browser) -> None:
    world.clock.advance(30 * 86400)
    world["ada"].writes("Tea?", "bea")
    gathering.gather_pushes(world.svc)
    world.clock.advance(-30 * 86400)
    assert len(arrived(world, bea, 0)) == 1


def test_looking_again_asks_nobody(world: World, bea: Browser) -> None:
    """However many browsers have subscribed: each push that was sent is followed by a look."""
    world["ada"].writes("Tea?", "bea")
    gathering.gather_pushes(world.svc)
    with statements(world.storage) as sent:
        gathering.gather_pushes(world.svc)
    assert not [statement for statement, _ in sent if "push_subscription" in statement]


def test_private_addresses_are_not_asked(make_world: MakeWorld, service: PushService) -> None:
    world = make_world()
    browser = Browser(service, "inside")
    address = f"https://127.0.0.1:{service.port}/send/inside"
    world["bea"].post("/web_push/subscriptions", **{**browser.subscription, "endpoint": address})
    world["ada"].writes("Tea?", "bea")
    assert arrived(world, browser) == []
    assert world.count("push") == 0


@pytest.mark.parametrize(("mode", "bodies"), [("notice", ["New message"]), ("off", [])])
def test_an_operator_decides_what_pushes_say(
    make_world: MakeWorld, service: PushService, mode: str, bodies: list[str]
) -> None:
    world = make_world(outgoing_private_addresses=True, web_push=mode)
    browser = Browser(service, "bea")
    if mode != "off":
        browser.subscribes(world["bea"])
    world["ada"].writes("Tea?", "bea")
    assert [push["body"] for push in arrived(world, browser)] == bodies


def test_a_person_decides_whether_direct_messages_are_quoted(world: World, bea: Browser) -> None:
    world.choose("bea", pm_content_in_desktop_notifications=False)
    world["ada"].writes("Tea?", "bea")
    world["ada"].says("@**Bea** soup?")
    assert sorted(push["body"] for push in arrived(world, bea)) == ["@Bea soup?", "New message"]


@pytest.mark.parametrize("bound", ["MAX_WAITING_OF_PERSON", "MAX_WAITING"])
def test_waiting_pushes_have_a_bound(
    world: World, bea: Browser, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(gathering, bound, 2)
    for topic in ("a", "b", "c"):
        world["ada"].says("@**Bea** soup?", topic=topic)
    assert len(arrived(world, bea)) == 2


def test_pushes_that_wait_are_measured_as_long_as_the_server_sends_them(world: World, bea: Browser) -> None:
    def waiting(**settings: str) -> list[float]:
        svc = replace(world.svc, settings=replace(world.svc.settings, **settings))
        return [
            reading.value
            for reading in read_measurements(svc)
            if reading.family is DUE_WAITING and reading.labels == (WaitingKind.PUSH,)
        ]

    assert waiting() == [0]
    world["ada"].writes("Tea?", "bea")
    gathering.gather_pushes(world.svc)
    assert waiting() == [1]
    assert waiting(web_push="off") == []


def test_a_server_sends_pushes_from_threads(world: World, bea: Browser) -> None:
    sender = PushSender(world.svc)
    world["ada"].writes("Tea?", "bea")
    sender.run()
    world.clock.advance(PATIENCE)
    sender.run()
    until(lambda: len(bea.service.received) == 1 and world.count("push") == 0)


def test_no_push_disturbs_within_the_times_that_the_person_chose(world: World, bea: Browser) -> None:
    world["bea"].patch("/users/me/do_not_disturb", until=int(world.clock()) + 600)
    world["ada"].writes("Tea?", "bea")
    assert arrived(world, bea) == []
    assert world.count("push") == 0
    world.clock.advance(600)
    assert arrived(world, bea) == []
    world["ada"].writes("Coffee?", "bea")
    (push,) = arrived(world, bea)
    assert push["body"] == "Coffee?"


def test_what_came_during_a_pause_is_not_pushed_at_its_end(world: World, bea: Browser) -> None:
    world["bea"].patch("/users/me/do_not_disturb", until=int(world.clock()) + 2)
    world["ada"].writes("Tea?", "bea")
    world.clock.advance(2)
    assert arrived(world, bea) == []
    assert world.count("push") == 0


def test_the_daily_times_are_those_of_the_time_zone_of_the_person(world: World, bea: Browser) -> None:
    world["bea"].patch("/settings", timezone="Asia/Tokyo")
    now = datetime.fromtimestamp(world.clock(), ZoneInfo("Asia/Tokyo"))
    world["bea"].patch("/users/me/do_not_disturb", daily=f"{now:%H:%M}-{now + timedelta(hours=1):%H:%M}")
    world["ada"].writes("Tea?", "bea")
    assert arrived(world, bea) == []
    world.clock.advance(3600)
    world["ada"].writes("Coffee?", "bea")
    assert [push["body"] for push in arrived(world, bea)] == ["Coffee?"]
