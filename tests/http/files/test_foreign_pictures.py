"""Pictures of other sites, by way of the server: what it fetches, for whom, and what readers get."""

import gzip
import re
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chatcore.application import asking
from chatcore.application.delivery.card_fetching import fetch_waiting
from chatcore.domain.ids import UserId
from chatcore.runtime import foreign_pictures as bounds
from chatcore.runtime import outgoing_requests
from chatcore.runtime.foreign_pictures import ForeignPictures, Picture, SiteIsSlow
from tests.waiting import PATIENCE
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.pictures import png
from tests.worlds.web_services import Answer, Request, Service, serves

PNG = png(3, 2)


@pytest.fixture
def service() -> Iterator[Service]:
    with serves() as service:
        service.sends(PNG, "image/png")
        yield service


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(outgoing_private_addresses=True)


def address_in(html: str) -> str:
    found = re.search(r"/external_content/[0-9a-f]{40}/[0-9a-f]+", html)
    assert found is not None, html
    return found[0]


def shown(someone: Someone, url: str) -> TestResponse:
    """Post a link to a picture and return the answer of the server to one who shows the message."""
    sent = someone.says(url)
    return fetch(someone, address_in(someone.message(sent)["content"]))


def fetch(someone: Someone, path: str) -> TestResponse:
    return someone.world.nobody.client.get(path, headers={"Host": someone.headers["Host"]})


def test_readers_get_a_picture_of_another_site_from_the_server(
    world: World, ada: Someone, service: Service
) -> None:
    answer = shown(ada, f"{service.url}a.png")
    assert (answer.status_code, answer.data, answer.content_type) == (200, PNG, "image/png")
    assert answer.headers["Cache-Control"] == "private, max-age=86400"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    (request,) = service.requests
    assert request.path == "/a.png"
    assert not {"cookie", "authorization", "referer", "x-forwarded-for"} & {*request.headers}
    assert shown(ada, f"{service.url}a.png").status_code == 200
    assert len(service.requests) == 1
    world.clock.advance(bounds.REMEMBERED_SECONDS + 1)
    assert shown(ada, f"{service.url}a.png").status_code == 200
    assert len(service.requests) == 2


def test_wherever_readers_get_html_pictures_come_from_the_server(
    world: World, ada: Someone, bea: Someone, service: Service
) -> None:
    url = f"{service.url}a.png"
    line = bea.opens_queue("message", "update_message", "scheduled_messages", apply_markdown=True)
    sent = ada.says(f"soup {url}")
    ada.patch(f"/messages/{sent}", content=f"hot soup {url}")
    scheduled = bea.post(
        "/scheduled_messages",
        type="channel",
        to=world.id("lunch"),
        topic="today",
        content=url,
        scheduled_delivery_timestamp=world.svc.now + 1000,
    )
    bea.patch(f"/scheduled_messages/{scheduled['scheduled_message_id']}", content=f"{url} later")
    search = [{"operator": "search", "operand": "soup"}]
    fetched = bea.get("/messages", anchor="newest", num_before=1, num_after=0, narrow=search)
    seen = [
        *line.events(),
        fetched,
        bea.get("/messages/matches_narrow", msg_ids=[sent], narrow=search),
        bea.get(f"/messages/{sent}/history"),
        bea.post("/messages/render", content=url),
        bea.get("/scheduled_messages"),
        bea.post("/register", event_types=["scheduled_messages"], fetch_event_types=["scheduled_messages"]),
    ]
    kinds = ["message", "update_message", "scheduled_messages", "scheduled_messages"]
    assert [one["type"] for one in seen[: len(kinds)]] == kinds
    for one in seen:
        assert "/external_content/" in f"{one}"
        assert f'src="{service.url}' not in f"{one}"
    assert service.requests == []


def test_a_sound_in_the_note_of_a_reminder_is_a_link(world: World, ada: Someone) -> None:
    """Notes are quoted, and quotations have no pictures."""
    line = ada.opens_queue("reminders")
    sent, due = ada.says("soup"), world.svc.now + 1000
    sound = "https://a.example/b.ogg"
    ada.post("/reminders", message_id=sent, note=f"![x]({sound})", scheduled_delivery_timestamp=due)
    registered = ada.post("/register", event_types=["reminders"], fetch_event_types=["reminders"])
    for one in (*line.events(), ada.get("/reminders"), registered):
        assert f'<a href="{sound}">x</a>' in one["reminders"][0]["rendered_content"]


def test_the_picture_of_a_card_comes_from_the_server(world: World, ada: Someone, service: Service) -> None:
    world.change_organization(inline_url_embed_preview=True)
    page = b'<title>Soup</title><meta property="og:image" content="/soup.png">'
    service.sends(page, "text/html")
    sent = ada.says(f"{service.url}page")
    fetch_waiting(world.svc)
    service.sends(PNG, "image/png")
    assert fetch(ada, address_in(ada.message(sent)["content"])).data == PNG
    assert [request.path for request in service.requests] == ["/page", "/soup.png"]


@pytest.mark.parametrize(
    ("mode", "source"),
    [("proxy", "/external_content/"), ("direct", "http://127.0.0.1:1/a.png"), ("off", None)],
)
def test_a_changed_setting_holds_for_old_messages(
    make_world: MakeWorld, mode: str, source: str | None
) -> None:
    sent = make_world(external_images="direct")["ada"].says("http://127.0.0.1:1/a.png")
    html = make_world(external_images=mode)["ada"].message(sent)["content"]
    assert ("<img" in html) == (source is not None)
    assert source is None or f'src="{source}' in html


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=b"<script>alert(1)</script>", headers={"Content-Type": "text/html"}),
        Answer(body=b"<script>alert(1)</script>", headers={"Content-Type": "image/png"}),
        Answer(body=PNG, headers={"Content-Type": "text/html"}),
        Answer(body=b'<svg xmlns="http://www.w3.org/2000/svg"/>', headers={"Content-Type": "image/svg+xml"}),
        Answer(body=PNG, headers={}),
        Answer(status=404, body=PNG, headers={"Content-Type": "image/png"}),
        Answer(status=500, body=PNG, headers={"Content-Type": "image/png"}),
        Answer(body=PNG + bytes(6 * 2**20), headers={"Content-Type": "image/png"}),
        Answer(body=PNG, headers={"Content-Type": "image/png", "Content-Length": f"{100 * 2**20}"}),
        Answer(
            body=gzip.compress(PNG + bytes(2**24)),
            headers={"Content-Type": "image/png", "Content-Encoding": "gzip"},
        ),
        Answer(status=302, headers={"Location": "/a.png"}),
        Answer(status=302, headers={"Location": "file:///etc/passwd"}),
    ],
)
def test_what_is_no_picture_is_not_shown_and_not_asked_for_again(
    world: World, ada: Someone, service: Service, answer: Answer
) -> None:
    service.answers = lambda request: answer
    for _ in range(2):
        refused = shown(ada, f"{service.url}a.png")
        assert refused.status_code == 404
        assert refused.headers["Cache-Control"] == "private, max-age=60"
        assert len(service.requests) <= asking.REDIRECTS + 1
    service.sends(PNG, "image/png")
    world.clock.advance(bounds.FAILED_SECONDS + 1)
    assert shown(ada, f"{service.url}a.png").status_code == 200


def test_no_picture_is_fetched_from_private_addresses(make_world: MakeWorld, service: Service) -> None:
    ada = make_world()["ada"]
    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert shown(ada, f"[a](http://{host}:{service.port}/a.png)").status_code == 404
    assert service.requests == []


def test_the_server_is_no_open_proxy(world: World, ada: Someone, service: Service) -> None:
    path = address_in(ada.message(ada.says(f"{service.url}a.png"))["content"])
    _, _, digest, encoded = path.split("/")
    other = f"{service.url}b.png".encode().hex()
    for forged in (
        f"{'0' * 40}/{encoded}",
        f"{digest}/{other}",
        f"{digest}/{encoded}0",
        f"{digest}/z",
        "é/é",
    ):
        assert fetch(ada, f"/external_content/{forged}").status_code == 404
    assert service.requests == []
    assert fetch(ada, path).status_code == 200


def test_a_slow_site_is_cut_off_and_left_alone_for_a_while(
    world: World, ada: Someone, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "FETCH_SECONDS", 0.2)
    closing = threading.Event()

    def drip(request: Request) -> Answer:
        closing.wait(PATIENCE)
        return Answer()

    service.answers = drip
    try:
        assert shown(ada, f"{service.url}a.png").status_code == 404
        assert shown(ada, f"{service.url}b.png").status_code == 404
        assert "/b.png" not in [request.path for request in service.requests]
    finally:
        closing.set()


def test_sites_whose_names_never_resolve_keep_no_picture_of_others_away(
    world: World, ada: Someone, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over, look_up = threading.Event(), socket.getaddrinfo

    def getaddrinfo(host: str, *more: Any, **named: Any) -> Any:
        if host.startswith("soup"):
            is_over.wait(PATIENCE)
        return look_up("127.0.0.1", *more, **named)

    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", getaddrinfo)
    try:
        with monkeypatch.context() as at_once:
            at_once.setattr(asking, "FETCH_SECONDS", 0.1)
            for number in range(asking.LOOKUPS_FOR_ALL - 1):
                assert shown(ada, f"http://soup{number}.example/a.png").status_code == 404
        assert shown(ada, f"{service.url}a.png").status_code == 200
        with monkeypatch.context() as at_once:
            at_once.setattr(asking, "FETCH_SECONDS", 0.1)
            assert shown(ada, "http://soup.example/a.png").status_code == 404
            assert shown(ada, f"{service.url}b.png").status_code == 404, "all lookups are taken"
    finally:
        is_over.set()
    assert shown(ada, f"{service.url}c.png").status_code == 200, "which is no fault of the site"


def test_an_account_looks_up_fewer_names_at_a_time_than_the_pictures_of_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over = threading.Event()
    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", lambda *_, **more: is_over.wait(PATIENCE))
    soup = outgoing_requests.Outgoing(url="http://soup.example/", seconds=0.1)
    failures = []
    try:
        for _ in range(asking.LOOKUPS_FOR_ALL):
            with pytest.raises(outgoing_requests.RequestTimedOut) as caught:
                asking.ask(world.svc, soup, UserId(world["ada"].id))
            failures.append(caught.type)
    finally:
        is_over.set()
    share = outgoing_requests.Asker("ada").lookups
    assert outgoing_requests.NoLookupInTime not in failures[:share]
    assert {*failures[share:]} == {outgoing_requests.NoLookupInTime}


# -- the bounds ---------------------------------------------------------------------------------------


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def picture(size: int = 1) -> Picture:
    return Picture("image/png", bytes(size))


def never() -> Picture:
    raise AssertionError("it is fetched again")


def test_readers_who_ask_at_the_same_time_wait_for_one_fetch() -> None:
    pictures, begun, going_on = ForeignPictures(Time()), threading.Event(), threading.Event()
    got: list[Picture | None] = []

    def slow() -> Picture:
        begun.set()
        assert going_on.wait(PATIENCE)
        return picture()

    first = threading.Thread(target=lambda: got.append(pictures.get("u", "s", slow)))
    first.start()
    assert begun.wait(PATIENCE)
    others = [threading.Thread(target=lambda: got.append(pictures.get("u", "s", never))) for _ in range(3)]
    for thread in others:
        thread.start()
    going_on.set()
    for thread in (first, *others):
        thread.join(PATIENCE)
    assert got == [picture()] * 4


def test_a_slow_site_leaves_places_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "WAIT_SECONDS", 0.05)
    pictures, going_on = ForeignPictures(Time()), threading.Event()
    begun = threading.Barrier(bounds.MAX_AT_ONCE_OF_SITE + 1, timeout=PATIENCE)

    def hang() -> None:
        begun.wait()
        assert going_on.wait(PATIENCE)
        raise SiteIsSlow

    threads = [
        threading.Thread(target=pictures.get, args=(f"u{number}", "slow", hang))
        for number in range(bounds.MAX_AT_ONCE_OF_SITE)
    ]
    for thread in threads:
        thread.start()
    begun.wait()
    assert pictures.get("more", "slow", never) is None
    assert pictures.get("u", "other", picture) == picture()
    going_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert pictures.get("more", "slow", never) is None


def test_a_place_at_a_site_is_given_back() -> None:
    pictures = ForeignPictures(Time())
    for number in range(2 * bounds.MAX_AT_ONCE_OF_SITE):
        assert pictures.get(f"u{number}", "s", picture) == picture()


def test_an_outdated_picture_takes_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_BYTES", 10)
    time = Time()
    pictures = ForeignPictures(time)
    for _ in range(3):
        pictures.get("a", "s", lambda: picture(5))
        time.now += bounds.REMEMBERED_SECONDS
    pictures.get("a", "s", lambda: picture(5))
    pictures.get("b", "s", lambda: picture(5))
    assert [pictures.get(url, "s", never) for url in ("a", "b")] == [picture(5)] * 2


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_BYTES", 10)
    monkeypatch.setattr(bounds, "MAX_FAILURES", 2)
    pictures = ForeignPictures(Time())
    for url in ("a", "b", "a", "c"):
        pictures.get(url, "s", lambda: picture(5))
    assert pictures.get("a", "s", never) == picture(5)
    assert pictures.get("b", "s", lambda: replace(picture(5), content_type="new")) is not None
    assert pictures.get("x", "s", lambda: picture(11)) == picture(11)
    for url in ("f1", "f2", "f3"):
        assert pictures.get(url, "s", lambda: None) is None
    assert pictures.get("f1", "s", picture) == picture()
    assert pictures.get("f3", "s", never) is None
