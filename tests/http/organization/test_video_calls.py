"""Video calls on the operator's BigBlueButton server, and calls that there are not."""

import hashlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from werkzeug.test import TestResponse

from chatcore.configuration import from_environment
from chatcore.settings import BadSetting
from tests.worlds.browsers import logs_in
from tests.worlds.files import fetches
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.web_services import CREATED, Answer, Service, serves

CREATE = "/calls/bigbluebutton/create"
SECRET = "a secret of both"
NAMED = {"meeting_name": "lunch > soup & salad"}


@pytest.fixture
def service() -> Iterator[Service]:
    with serves() as service:
        service.answers = lambda request: Answer(body=CREATED)
        yield service


def calling(make_world: MakeWorld, service: Service, **settings: Any) -> World:
    given = {"outgoing_private_addresses": True, "bigbluebutton_secret": SECRET, **settings}
    return make_world(bigbluebutton_url=f"{service.url}bbb", **given)


@pytest.fixture
def world(make_world: MakeWorld, service: Service) -> World:
    return calling(make_world, service)


def read(address: str, action: str) -> dict[str, str]:
    """The parameters of an address of the server, with the right signature."""
    parts = urlsplit(address)
    query, _, checksum = parts.query.rpartition("&checksum=")
    assert parts.path == f"/bbb/api/{action}"
    assert hashlib.sha256(f"{action}{query}{SECRET}".encode()).hexdigest() == checksum
    return {name: value for name, (value,) in parse_qs(query).items()}


def joins(someone: Someone, url: str) -> dict[str, str]:
    answer = fetches(someone, url)
    assert answer.status_code == 302, answer.text
    return read(answer.headers["Location"], "join")


def test_people_join_a_call_by_its_link(ada: Someone, gus: Someone, service: Service) -> None:
    url = ada.get(CREATE, **NAMED)["url"]
    assert url.startswith("/calls/bigbluebutton/join?bigbluebutton=")
    assert service.requests == []
    assert joins(gus, url) | {"meetingID": ""} == {
        "meetingID": "",
        "fullName": gus.get("/users/me")["full_name"],
        "userID": str(gus.id),
        "role": "VIEWER",
    }
    mine = joins(ada, url)
    assert (mine["role"], mine["userID"]) == ("MODERATOR", str(ada.id))
    begun = [read(request.path, "create") for request in service.requests]
    assert begun == [{"name": NAMED["meeting_name"], "meetingID": mine["meetingID"]}] * 2
    assert joins(gus, ada.get(CREATE, **NAMED)["url"])["meetingID"] != mine["meetingID"]


def test_a_call_of_voices_begins_without_cameras(ada: Someone, service: Service) -> None:
    joins(ada, ada.get(CREATE, **NAMED, voice_only=True)["url"])
    assert read(service.requests[0].path, "create")["lockSettingsDisableCam"] == "true"


def test_a_call_has_a_name_of_some_length(ada: Someone, service: Service) -> None:
    joins(ada, ada.get(CREATE, meeting_name=" " + "ü" * 300)["url"])
    assert read(service.requests[0].path, "create")["name"] == "ü" * 256
    for name in ("", " "):
        ada.refused("GET", CREATE, meeting_name=name)
    ada.refused("GET", CREATE, code="REQUEST_VARIABLE_MISSING")
    ada.refused("GET", CREATE, **NAMED, voice_only="x")


@pytest.mark.parametrize("change", ["", "x", "ä", "tail", "other"])
def test_nobody_joins_by_a_link_that_is_made_up(
    world: World, ada: Someone, service: Service, change: str
) -> None:
    path, _, token = ada.get(CREATE, **NAMED)["url"].partition("=")
    other = world.svc.settings.secret_key.hex() * 3
    given = {"tail": token[:-2], "other": other}.get(change, change)
    assert fetches(ada, f"{path}={given}").get_json()["code"] == "BAD_REQUEST"
    assert service.requests == []


def as_page(browser: Someone, url: str) -> TestResponse:
    headers = {**browser.headers, "Accept": "text/html"}
    return browser.client.get(url, headers=headers)


def test_a_browser_joins_by_its_cookie_and_reads_refusals_as_pages(
    world: World, ada: Someone, service: Service
) -> None:
    url = ada.get(CREATE, **NAMED)["url"]
    assert fetches(logs_in(world, "bea"), url).status_code == 302
    for answer, status in ((as_page(world.nobody, url), 401), (as_page(ada, url[:-3]), 400)):
        assert (answer.status_code, answer.mimetype) == (status, "text/html")
    assert fetches(world.nobody, url).get_json()["code"] == "UNAUTHORIZED"
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=500, body=CREATED),
        Answer(body=b"<returncode>FAILED</returncode>"),
        Answer(body=CREATED + b"x" * 2**17),
        Answer(status=302, headers={"Location": "/elsewhere"}),
    ],
)
def test_a_server_that_fails_is_named_as_the_cause(ada: Someone, service: Service, answer: Answer) -> None:
    url = ada.get(CREATE, **NAMED)["url"]
    service.answers = lambda request: answer
    refusal = fetches(ada, url)
    assert (refusal.status_code, "BigBlueButton server" in refusal.get_json()["msg"]) == (400, True)
    assert len(service.requests) == 1


def test_no_request_goes_to_private_addresses(make_world: MakeWorld, service: Service) -> None:
    ada = calling(make_world, service, outgoing_private_addresses=False)["ada"]
    assert fetches(ada, ada.get(CREATE, **NAMED)["url"]).status_code == 400
    assert service.requests == []


@pytest.mark.parametrize("settings", [{"bigbluebutton_url": ""}, {"bigbluebutton_secret": ""}])
def test_without_a_server_there_are_no_calls(make_world: MakeWorld, settings: dict[str, Any]) -> None:
    given = {"bigbluebutton_url": "https://calls.example.com", "bigbluebutton_secret": SECRET, **settings}
    world = make_world(**given)
    ada = world["ada"]
    assert ada.refused("GET", CREATE, **NAMED)["msg"] == "BigBlueButton is not configured."
    assert fetches(ada, "/calls/bigbluebutton/join?bigbluebutton=x").status_code == 400
    assert "big_blue_button" not in providers(ada)
    world["adi"].refused("PATCH", "/realm", video_chat_provider=4)


def providers(someone: Someone) -> dict[str, Any]:
    state: dict[str, Any] = someone.registers(fetch_event_types=["realm"]).state
    found: dict[str, Any] = state["realm_available_video_chat_providers"]
    return found


def test_administrators_choose_the_provider_that_there_is(world: World, ada: Someone) -> None:
    assert providers(ada)["big_blue_button"] == {"name": "BigBlueButton", "id": 4}
    line = ada.opens_queue("realm")
    world["adi"].patch("/realm", video_chat_provider=4)
    (event,) = line.events("realm")
    assert (event["property"], event["value"]) == ("video_chat_provider", 4)


def test_there_are_no_calls_of_zoom(ada: Someone) -> None:
    for given in ({}, {"is_video_call": False}):
        refusal = ada.refused("POST", "/calls/zoom/create", **given)
        assert refusal["msg"] == "Zoom credentials have not been configured"
    ada.refused("POST", "/calls/zoom/create", is_video_call="x")


def test_the_operator_sets_the_server() -> None:
    settings = from_environment(
        {
            "CHATCORE_BIGBLUEBUTTON_URL": "https://calls.example.com/bigbluebutton/",
            "CHATCORE_BIGBLUEBUTTON_SECRET": SECRET,
        }
    )
    assert settings.bigbluebutton_url == "https://calls.example.com/bigbluebutton"
    assert settings.has_bigbluebutton
    assert SECRET not in repr(settings)
    with pytest.raises(BadSetting, match="CHATCORE_BIGBLUEBUTTON_URL"):
        from_environment({"CHATCORE_BIGBLUEBUTTON_URL": "calls.example.com"})
