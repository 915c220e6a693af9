"""Two organizations behind one application, distinguished by the Host of a request."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import EnvironBuilder, run_wsgi_app
from werkzeug.wrappers import Response

from chatcore.http.pipeline.routing import AnyRoute
from chatcore.http.routes import ROUTES
from chatcore.settings import BadSetting, Settings
from chatcore.sites import Sites
from chatcore.storage import StorageNotReady
from tests.conftest import Template
from tests.http.files.test_tus import begins, request
from tests.postgres import PostgresServer
from tests.waiting import until
from tests.worlds.files import fetches, uploads
from tests.worlds.organization import HOST, Someone, World, succeeded

CLUB = "club.example.org"
NOWHERE = "nowhere.example.org"
REALM = {
    "realm_url",
    "realm_uri",
    "realm_name",
    "realm_icon",
    "realm_description",
    "realm_web_public_access_enabled",
}


@pytest.fixture
def other_url(
    store_url: str, tmp_path: Path, sqlite_template: Template, request: pytest.FixtureRequest
) -> Iterator[str]:
    """A second empty store, of the same kind."""
    if store_url.startswith("sqlite:"):
        yield f"sqlite:///{shutil.copyfile(sqlite_template(), tmp_path / 'other.db')}"
        return
    postgres: PostgresServer = request.getfixturevalue("postgres")
    with postgres.database() as url:
        yield url


@pytest.fixture
def team(store_url: str, tmp_path: Path) -> Iterator[World]:
    world = World(store_url, data_dir=tmp_path / "team", secret_key=b"t" * 32)
    yield world
    world.close()


@pytest.fixture
def club(other_url: str, tmp_path: Path) -> Iterator[World]:
    world = World(
        other_url, data_dir=tmp_path / "club", secret_key=b"c" * 32, external_url=f"https://{CLUB}:8443"
    )
    world.change_organization(name="Garden Club")
    yield world
    world.close()


@pytest.fixture
def sites(team: World, club: World) -> Sites:
    """Return both worlds, served by one application."""
    sites = Sites(Settings())
    for world in (team, club):
        sites.add(world.svc)
    team.application = club.application = sites.application()
    return sites


@pytest.fixture
def ada(team: World, sites: Sites) -> Someone:
    """Ada of the team."""
    return team["ada"]


@pytest.fixture
def gardener(club: World, sites: Sites) -> Someone:
    """The account of the same name, number and address in the club."""
    someone = club["ada"]
    someone.headers["Host"] = CLUB
    return someone


def asks(sites: Sites, path: str, host: str | None, method: str = "GET", **environ: Any) -> Any:
    """The answer to a request with exactly this Host."""
    builder = EnvironBuilder(path=path, method=method)
    environment = {**builder.get_environ(), **environ}
    builder.close()
    del environment["HTTP_HOST"]
    if host is not None:
        environment["HTTP_HOST"] = host
    return Response(*run_wsgi_app(sites.application(), environment, buffered=True))


def is_nowhere(response: Any) -> None:
    answer = response.get_json()
    assert (response.status_code, answer["result"]) == (404, "error")
    assert answer["code"] == "NONEXISTENT_SUBDOMAIN"


# -- which one is meant -----------------------------------------------------------------------------


def test_each_organization_describes_itself_at_its_host(ada: Someone, gardener: Someone) -> None:
    first, second = ada.get("/server_settings"), gardener.get("/server_settings")
    assert (first["realm_name"], first["realm_url"]) == ("Analytical Society", f"https://{HOST}")
    assert (second["realm_name"], second["realm_url"]) == ("Garden Club", f"https://{CLUB}:8443")
    assert first.keys() == second.keys() > REALM
    names = [json.loads(fetches(one, "/manifest.webmanifest").data)["name"] for one in (ada, gardener)]
    assert names == ["Analytical Society", "Garden Club"], "by which their browsers install the client"


def test_elsewhere_the_settings_are_without_an_organization(sites: Sites, ada: Someone) -> None:
    answer = succeeded(asks(sites, "/api/v1/server_settings", NOWHERE))
    assert answer.keys() == ada.get("/server_settings").keys() - REALM
    assert not any(answer["authentication_methods"].values())
    unused = succeeded(asks(sites, "/api/v1/server_settings?nonsense=1", NOWHERE))
    assert unused["ignored_parameters_unsupported"] == ["nonsense"]


def test_elsewhere_too_the_brand_is_spoken(team: World) -> None:
    sites = Sites(Settings(compat_brand="acme"))
    sites.add(team.svc)
    for host in (HOST, NOWHERE):
        answer = succeeded(asks(sites, "/api/v1/server_settings", host))
        assert answer["acme_feature_level"] == answer["service_feature_level"]


def filled(route: AnyRoute) -> str:
    """A path of the route."""
    path = route.full_path
    for name in route.path_names:
        for kind in (":int", ":path", ""):
            path = path.replace(f"{{{name}{kind}}}", "1")
    return path


def test_elsewhere_nothing_else_is_found(sites: Sites, ada: Someone) -> None:
    given = {"HTTP_AUTHORIZATION": ada.headers["Authorization"], "HTTP_TUS_RESUMABLE": "1.0.0"}
    for route in ROUTES:
        if route.at_every_host:
            continue
        response = asks(sites, filled(route), NOWHERE, method=route.method, **given)
        assert response.status_code == 404, route
        if response.mimetype == "application/json" and "/tus" not in route.path:
            is_nowhere(response)
    assert [route.path for route in ROUTES if route.at_every_host] == ["/server_settings"]


def test_pages_of_the_server_are_at_every_host(sites: Sites) -> None:
    for path in ("/health", "/ready", "/api/v1/openapi.json"):
        assert asks(sites, path, NOWHERE, HTTP_ACCEPT_ENCODING="gzip").status_code == 200
    is_nowhere(asks(sites, "/api/v1/openapi.json", NOWHERE))  # too large to be counted for nobody


SPELLINGS = (CLUB, CLUB.upper(), f"{CLUB}:9991", f"{CLUB}.", f"{CLUB}.:443", f"{CLUB}:", f"{CLUB}:port")


def test_a_host_has_several_spellings(sites: Sites) -> None:
    for host in SPELLINGS:
        answer = succeeded(asks(sites, "/api/v1/server_settings", host))
        assert answer["realm_name"] == "Garden Club", host


ODD_HOSTS = (
    None, "", ".", ":", ":9991", "..", f".{CLUB}", f"{CLUB}..", f"x{CLUB}", f"www.{CLUB}",
    f"{CLUB}@{NOWHERE}", f"{CLUB}/", f"{CLUB}\0", f"{CLUB}\r\nX: y", f" {CLUB}", f"{CLUB},{HOST}",
    "\x7f\x01", "[", "[::1", "[::1]:1", "127.0.0.1", "x" * 100_000,
    "é.example.org", "\xff\xfe", "xn--", "%63lub.example.org", "*",
)  # fmt: skip


def test_an_odd_host_is_that_of_no_organization(sites: Sites, ada: Someone) -> None:
    key = {"HTTP_AUTHORIZATION": ada.headers["Authorization"]}
    for host in ODD_HOSTS:
        is_nowhere(asks(sites, "/api/v1/users/me", host, **key))
        assert "realm_name" not in succeeded(asks(sites, "/api/v1/server_settings", host))


@pytest.mark.parametrize(("headers", "is_believed"), [({"for", "proto"}, False), ({"for", "host"}, True)])
def test_a_forwarded_host_counts_where_the_proxy_sets_it(
    team: World, club: World, headers: set[str], is_believed: bool
) -> None:
    sites = Sites(Settings(trusted_proxies=1, forwarded_headers=frozenset(headers)))
    for world in (team, club):
        sites.add(world.svc)
    for host in (HOST, "127.0.0.1:9991"):
        said = succeeded(asks(sites, "/api/v1/server_settings", host, HTTP_X_FORWARDED_HOST=CLUB))
        asked = {HOST: "Analytical Society"}.get(host)
        assert said.get("realm_name") == ("Garden Club" if is_believed else asked)


# -- separation of organizations --------------------------------------------------------------------


def test_a_key_is_of_one_organization(ada: Someone, gardener: Someone) -> None:
    assert ada.id == gardener.id
    assert ada.email == gardener.email
    assert ada.headers["Authorization"] != gardener.headers["Authorization"]
    gardener.headers["Authorization"] = ada.headers["Authorization"]
    gardener.refused("GET", "/users/me", status=401, code="UNAUTHORIZED")


def test_messages_people_and_channels_are_of_one_organization(
    team: World, ada: Someone, gardener: Someone
) -> None:
    for word in ("first", "second"):
        sent = ada.says(word, "plaza")
    new = team.add_user("newcomer")
    ada.joins("archery")
    channel_id = team.id("archery")
    assert gardener.reads("search:second") == []
    gardener.refused("GET", f"/messages/{sent}")
    gardener.refused("GET", f"/users/{new.id}")
    gardener.refused("GET", f"/users/me/{channel_id}/topics")
    gardener.refused("GET", "/get_stream_id", stream="archery")
    gardener.says("hello", "plaza")
    assert [message["content"] for message in ada.reads("channel:plaza")] == ["<p>first</p>", "<p>second</p>"]


def test_a_queue_is_of_one_organization(ada: Someone, gardener: Someone) -> None:
    here, there = ada.opens_queue("message"), gardener.opens_queue("message")
    gardener.refused(
        "GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=here.id, last_event_id=-1, dont_block=True
    )
    gardener.refused("DELETE", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=here.id)
    sent = ada.says("soup")
    assert here.messages() == [sent]
    assert there.messages() == []


def test_a_poll_waits_for_its_own_organization(ada: Someone, gardener: Someone) -> None:
    poll = ada.opens_queue("message").waits()
    gardener.says("roses")
    assert not poll.is_over
    sent = ada.says("soup")
    assert [event["message"]["id"] for event in poll.answer()] == [sent]


def test_files_are_of_one_organization(ada: Someone, gardener: Someone) -> None:
    url = uploads(ada, b"soup")["url"]
    ada.says(url, "plaza")
    address = ada.get(url)["url"]
    assert fetches(gardener, url).status_code == 404
    gardener.refused("GET", url, status=404)
    assert fetches(gardener, address).status_code == 400
    assert fetches(ada, address).data == b"soup"
    assert gardener.get("/attachments")["attachments"] == []


def test_a_resumable_upload_is_of_one_organization(ada: Someone, gardener: Someone) -> None:
    location = begins(ada, 4)
    for method in ("HEAD", "DELETE"):
        assert request(gardener, method, location).status_code == 404
    assert request(ada, "HEAD", location).headers["Upload-Offset"] == "0"


# -- the server -------------------------------------------------------------------------------------


def test_two_organizations_with_one_secret_are_refused(team: World, other_url: str, tmp_path: Path) -> None:
    copy = World(other_url, data_dir=tmp_path / "copy", secret_key=b"t" * 32, external_url=f"https://{CLUB}")
    sites = Sites(Settings())
    sites.add(team.svc)
    with pytest.raises(BadSetting, match=f"{HOST} and {CLUB} have the same secret"):
        sites.add(copy.svc)
    copy.close()


def test_an_unused_organization_costs_no_thread(
    team: World, club: World, ada: Someone, gardener: Someone
) -> None:
    before = set(threading.enumerate())
    for someone in (ada, gardener):
        someone.get("/users/me")
        someone.registers()
    assert set(threading.enumerate()) <= before, "those of other tests may end meanwhile"
    ada.opens_queue("message").peek()
    assert team.svc.hub.is_following
    assert not club.svc.hub.is_following


def test_each_organization_is_ready_or_not_and_the_server_is_if_any_is(
    sites: Sites, team: World, club: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise StorageNotReady("the disk is out for lunch")

    def states() -> list[int]:
        return [asks(sites, "/ready", host).status_code for host in (HOST, CLUB, NOWHERE)]

    assert states() == [200, 200, 200]
    monkeypatch.setattr(club.storage, "check", broken)
    assert states() == [200, 503, 200]
    monkeypatch.setattr(team.storage, "check_writing", broken)
    assert states() == [503, 503, 503]


def test_all_are_stopped_and_closed_whatever_happens_to_one(
    sites: Sites, team: World, club: World, ada: Someone, gardener: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls = [someone.opens_queue("message").waits() for someone in (ada, gardener)]
    sites.stop()
    assert [poll.answer() for poll in polls] == [[], []]
    until(lambda: not any(world.svc.hub.waiting for world in (team, club)))
    closed: list[str] = []

    def close(name: str) -> None:
        closed.append(name)
        raise OSError(f"{name} cannot be closed")

    with monkeypatch.context() as patched:
        patched.setattr(team.storage, "close", lambda: close("team"))
        patched.setattr(club.storage, "close", lambda: close("club"))
        with pytest.raises(OSError, match="cannot be closed"):
            sites.close()
    assert sorted(closed) == ["club", "team"]
