"""Attacks on sessions of browsers: guessed passwords, old cookies, other sites' pages."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from werkzeug.test import TestResponse

from chatcore.application.people import passwords
from chatcore.http.routes import ROUTES
from tests.http.files.test_tus import TUS, begins, offset, request, sends
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.browsers import PASSWORD, is_known, logs_in, opens_browser, tries
from tests.worlds.files import fetches, files_world, form, part, send_form, uploads
from tests.worlds.organization import Someone, World, at_once

__all__ = ["files_world"]

LOG_IN = ("POST", "/accounts/login")
OWN = "https://chat.example.org"


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


@pytest.fixture
def browser(world: World) -> Someone:
    """Ada's."""
    return logs_in(world, "ada")


# -- limits of a cookie, and its end ----------------------------------------------------------------


def test_sec_29_a_cookie_changes_no_account(world: World, browser: Someone) -> None:
    with nothing_changes(world):
        for method, path, given in (
            ("PATCH", "/settings", {"old_password": PASSWORD, "new_password": "staple battery"}),
            ("PATCH", "/settings", {"email": "eve@example.org", "full_name": "Eve"}),
            ("PATCH", f"/users/{world['ada'].id}", {"new_email": "eve@example.org"}),
            ("GET", "/users/me", {}),
            ("POST", "/register", {}),
        ):
            assert refusal(browser, method, path, **given)["status"] == 401


def test_sec_29_a_session_becomes_no_key(world: World, browser: Someone) -> None:
    browser.headers["X-Chat-Page"] = "1"
    assert browser.request("GET", "/users/me").status_code == 200
    with nothing_changes(world):
        for given in (
            {},
            {"current_api_key": ""},
            {"current_api_key": world.keys["bea"]},
            {"current_api_key": "\u2603"},
        ):
            refused = refusal(browser, "POST", "/users/me/api_key/regenerate", **given)
            assert (refused["status"], refused["code"]) == (400, "BAD_REQUEST"), given
    answer = browser.post("/users/me/api_key/regenerate", current_api_key=world.keys["ada"])
    assert answer["api_key"] != world.keys["ada"]


def test_sec_29_another_password_ends_all_sessions_at_once(world: World, browser: Someone) -> None:
    second, bea = logs_in(world, "ada"), logs_in(world, "bea")
    location = begins(browser, 4)
    world["ada"].patch("/settings", old_password=PASSWORD, new_password="staple battery")
    assert [is_known(one) for one in (browser, second, bea)] == [False, False, True]
    assert sends(browser, location, 0, b"soup").status_code == 401
    assert refusal(world["ada"], "GET", "/users/me")["status"] == 401, "and the key"
    assert tries(browser, "ada").status_code == 401
    assert tries(browser, "ada", "staple battery").status_code == 200


def test_sec_29_another_key_ends_all_sessions_at_once(world: World, browser: Someone) -> None:
    second = logs_in(world, "ada")
    world["ada"].post("/users/me/api_key/regenerate")
    assert [is_known(one) for one in (browser, second)] == [False, False]


def test_sec_30_a_deactivated_accounts_session_is_worth_nothing(world: World, browser: Someone) -> None:
    url = uploads(browser)["url"]
    world["olga"].delete(f"/users/{world['ada'].id}")
    with nothing_changes(world):
        assert not is_known(browser)
        assert send_form(browser, form(part(b"soup"))).status_code == 401
        assert fetches(browser, url).status_code == 401
        assert refusal(opens_browser(world), *LOG_IN, username="ada@example.org", password=PASSWORD) == {
            "status": 401,
            "result": "error",
            "msg": "Account is deactivated",
            "code": "USER_DEACTIVATED",
        }
    world["olga"].post(f"/users/{world['ada'].id}/reactivate")
    assert not is_known(browser), "nor later"


# -- guessing ---------------------------------------------------------------------------------------


def test_sec_32_every_failed_login_in_a_browser_looks_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ada", "bea"):
        world.change_user(name, password_hash=passwords.hash_password(PASSWORD))
    world.change_user("bea", is_active=False)
    hashes: list[str] = []
    verify = passwords.verify_password
    monkeypatch.setattr(passwords, "verify_password", lambda *given: hashes.append("one") or verify(*given))
    browser = opens_browser(world)
    answers = [tries(browser, name, "wrong") for name in ("ada", "bea", "cem", "robo", "nobody")]
    as_with_keys = refusal(
        world.nobody, "POST", "/fetch_api_key", username="ada@example.org", password="wrong"
    )
    for answer in answers:
        assert {"status": answer.status_code, **(answer.get_json() or {})} == as_with_keys
        assert "Set-Cookie" not in answer.headers
    assert len(hashes) == len(answers) + 1, "one to verify each time, which takes as long for a dummy"


def test_sec_34_tries_count_together_however_they_are_made(world: World) -> None:
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    browser = opens_browser(world)
    statuses = []
    for number in range(8):
        browser.headers |= {"X-Forwarded-For": f"10.0.0.{number}", "User-Agent": f"browser{number}/1"}
        path = LOG_IN[1] if number % 2 else "/fetch_api_key"
        statuses.append(
            refusal(browser, "POST", path, username="ADA@example.org", password="wrong")["status"]
        )
    assert statuses == [401] * 5 + [429] * 3
    locked = tries(browser, "ada")
    assert (locked.status_code, "Set-Cookie" in locked.headers) == (429, False)
    assert int(locked.headers["Retry-After"]) > 0
    world.clock.advance(1800)
    assert tries(browser, "ada").status_code == 200


def test_sec_34_tries_at_once_are_no_more_than_one_after_another(world: World) -> None:
    world.change_user("ada", password_hash=passwords.hash_password(PASSWORD))
    works: list[Callable[[], TestResponse]] = [
        lambda: tries(opens_browser(world), "ada", "wrong") for _ in range(12)
    ]
    statuses = sorted(response.status_code for response in at_once(*works))
    assert statuses == [401] * 5 + [429] * 7


def test_sec_37_without_passwords_no_session_is_begun(world: World, browser: Someone) -> None:
    world.change_organization(password_auth_enabled=False)
    given = {"username": "ada@example.org", "password": PASSWORD}
    with nothing_changes(world):
        for path in (LOG_IN[1], "//accounts/login", "/accounts/login/", "/fetch_api_key"):
            answer = refusal(browser, "POST", path, **given)
            assert (answer["status"], answer["code"]) == (401, "PASSWORD_AUTH_DISABLED"), path
        for method, path, status in (
            ("POST", "/accounts/LOGIN", 404),
            ("POST", "/accounts/register", 404),
            ("POST", "/accounts", 404),
            ("PUT", LOG_IN[1], 405),
            ("GET", LOG_IN[1], 405),
        ):
            assert refusal(browser, method, path, **given)["status"] == status
    for method in ("POST", "GET"):
        response = browser.client.open("/accounts/login", method=method, data=given, headers=browser.headers)
        assert response.status_code == 404


# -- other sites' pages -----------------------------------------------------------------------------

FOREIGN: list[dict[str, str]] = [
    {},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "https://evil.example.com"},
    {"Origin": "http://chat.example.org"},
    {"Origin": "https://chat.example.org:8443"},
    {"Origin": "https://chat.example.org.evil.example.com"},
    {"Origin": "https://chat.example.org/"},
    {"Origin": "https://evil.example.com", "Sec-Fetch-Site": "same-origin"},
    {"Origin": "https://evil.example.com", "Referer": f"{OWN}/", "Host": "evil.example.com"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "cross-site", "Referer": f"{OWN}/"},
]


def comes_from(browser: Someone, said: dict[str, str]) -> Someone:
    """Return a browser with the cookies of *browser*, on a page that sends these headers."""
    other = opens_browser(browser.world)
    del other.headers["Origin"]
    other.headers |= {"Cookie": browser.headers["Cookie"], **said}
    return other


def changes(browser: Someone, location: str) -> dict[str, TestResponse]:
    """Everything that a browser can change without a key."""
    return {
        "upload": send_form(browser, form(part(b"soup"))),
        "begin": request(browser, "POST", TUS, Upload_Length=4),
        "send": sends(browser, location, 0, b"soup"),
        "give up": request(browser, "DELETE", location),
        "log in": tries(browser, "ada"),
        "log out": browser.request("POST", "/accounts/logout"),
    }


@pytest.mark.parametrize("said", FOREIGN, ids=str)
def test_sec_74_other_sites_pages_change_nothing(
    world: World, browser: Someone, said: dict[str, str]
) -> None:
    location = begins(browser, 4)
    evil = comes_from(browser, said)
    with nothing_changes(world):
        answers = changes(evil, location)
    for what, response in answers.items():
        assert response.status_code == 403, what
        assert "Set-Cookie" not in response.headers
        answer: dict[str, Any] = response.get_json()
        if "message" in answer:
            continue  # in the form of the protocol for uploads
        assert (answer["code"], answer["result"]) == ("CSRF_FAILED", "error")
        assert answer["reason"]
    assert offset(browser, location) == 0


@pytest.mark.parametrize(
    "said",
    [
        *(said for said in FOREIGN if "Origin" in said),
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": OWN},
    ],
    ids=str,
)
def test_sec_74_other_sites_pages_change_nothing_with_credentials_that_a_browser_keeps(
    world: World, ada: Someone, said: dict[str, str]
) -> None:
    location = begins(ada, 4)
    ada.headers |= said
    with nothing_changes(world):
        for method, path, given in (
            ("POST", "/users/me/status", {"status_text": "owned"}),
            ("POST", "/messages", {"type": "channel", "to": '"lunch"', "topic": "t", "content": "owned"}),
            ("POST", "/register", {}),
            ("POST", "/fetch_api_key", {"username": ada.email, "password": PASSWORD}),
            ("PATCH", "/settings", {"full_name": "Owned"}),
            ("DELETE", "/users/me", {}),
        ):
            response = ada.request(method, path, **given)
            assert (response.status_code, response.get_json()["code"]) == (403, "CSRF_FAILED"), path
        for method in ("PATCH", "DELETE"):
            assert request(ada, method, location, b"soup", Upload_Offset=0).status_code == 403
            override = {"X_HTTP_Method_Override": method, "Upload_Offset": 0}
            assert request(ada, "POST", location, b"soup", **override).status_code == 403  # type: ignore[arg-type]
    assert ada.get("/users/me")["full_name"] == "Ada", "reading goes on; no other site gets to see the answer"


@pytest.mark.parametrize(
    "said", [{}, {"Origin": OWN, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}], ids=str
)
def test_sec_74_programs_and_own_pages_go_on_with_a_key(ada: Someone, said: dict[str, str]) -> None:
    ada.headers |= said
    ada.post("/users/me/status", status_text="here")
    assert ada.get(f"/users/{ada.id}/status")["status"] == {"status_text": "here"}


@pytest.mark.parametrize("said", [{"Origin": OWN}, {"Sec-Fetch-Site": "same-origin"}], ids=str)
def test_sec_74_own_pages_do(browser: Someone, said: dict[str, str]) -> None:
    location = begins(browser, 4)
    statuses = {
        what: response.status_code for what, response in changes(comes_from(browser, said), location).items()
    }
    assert statuses == {
        "upload": 200, "begin": 201, "send": 200, "give up": 403, "log in": 200, "log out": 200,
    }  # fmt: skip


@pytest.mark.parametrize("site", ["own", "another"])
def test_sec_74_with_a_cookie_no_header_names_another_method(
    world: World, browser: Someone, site: str
) -> None:
    location = begins(browser, 4)
    url = uploads(browser)["url"]
    other = comes_from(browser, {"Origin": OWN} if site == "own" else {})
    with nothing_changes(world):
        for method in ("GET", "HEAD", "POST"):
            for override in ("PATCH", "DELETE", "delete", "POST", "GET", ""):
                other.headers["X-HTTP-Method-Override"] = override
                response = request(other, method, location, b"soup", Upload_Offset=0)
                assert response.status_code in (403, 405), (method, override)
                assert request(other, method, url).status_code in (403, 405)
    assert offset(browser, location) == 0


def test_sec_74_reading_with_a_cookie_changes_nothing(world: World, browser: Someone) -> None:
    location, url = begins(browser, 4), uploads(browser)["url"]
    other = comes_from(browser, {"Sec-Fetch-Site": "cross-site"})
    with nothing_changes(world):
        for method in ("GET", "HEAD"):
            assert fetches(other, url, method=method).status_code == 200
            assert fetches(other, f"/avatar/{world['ada'].id}", method=method).status_code == 302
        assert offset(other, location) == 0
        assert browser.request("GET", "/accounts/logout").status_code == 405


# -- redirects --------------------------------------------------------------------------------------

REDIRECTS = ("next", "redirect", "redirect_to", "redirect_url", "return_to", "continue", "url", "to", "goto")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "elsewhere",
    ["//evil.example.com", "https:evil.example.com", "\\evil.example.com", "%2F%2Fevil.example.com"],
)
def test_sec_76_no_parameter_sends_a_browser_elsewhere(
    world: World, browser: Someone, ada: Someone, elsewhere: str
) -> None:
    given = dict.fromkeys(REDIRECTS, elsewhere)
    url = uploads(browser)["url"]
    upload = request(browser, "POST", f"{TUS}?next={elsewhere}", Upload_Length=1, Upload_Metadata="next eA==")
    answers = [
        tries(browser, "ada", **given),
        browser.request("POST", "/accounts/logout", **given),
        fetches(browser, f"{url}?{urlencode(given)}"),
        fetches(browser, f"/avatar/{ada.id}?{urlencode(given)}"),
        fetches(browser, f"/avatar/{elsewhere}"),
        fetches(browser, f"/user_uploads/1/{elsewhere}"),
        fetches(browser, f"/accounts/login/sso?{urlencode(given)}", accept="text/html"),
        upload,
    ]
    for answer in answers:
        location = answer.headers.get("Location", "/")
        ours = location.startswith("/") and not location.startswith(("//", "/\\"))
        assert ours, location
    declared = {p.name for route in ROUTES for p in route.declaration.parameters}
    # `to` is whom a message is for, and `next` a path of ours after a login (`require_destination`).
    assert declared & set(REDIRECTS) <= {"to", "next"}
