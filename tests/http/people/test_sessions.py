"""Sessions of browsers: what their cookie is, what it does and where it does nothing."""

from dataclasses import replace

import pytest

from chatcore.application.people.passwords import hash_password
from chatcore.application.people.sessions import Browser, find_actor
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.sessions import COOKIE
from chatcore.http.routes import ROUTES
from chatcore.settings import Settings
from tests.http.files.test_tus import TUS, begins, offset, request, sends
from tests.http.test_public_access import asks, name_of
from tests.worlds.browsers import PASSWORD, cookie_in, is_known, logs_in, opens_browser, tries
from tests.worlds.files import attachments, can_read, fetches, files_world, shows_picture, uploads
from tests.worlds.organization import DAY, MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import picture

__all__ = ["files_world"]

BY_COOKIE = {
    "POST /api/v1/user_uploads",
    "POST /api/v1/tus",
    *(f"{method} /api/v1/tus/{{upload_id:path}}" for method in ("HEAD", "PATCH", "DELETE")),
    "GET /user_uploads/{realm_id:int}/{filename:path}",
    "GET /user_uploads/exports/{token}/{filename}",
    "GET /user_uploads/thumbnail/{realm_id:int}/{filename:path}",
    "GET /user_uploads/download/{realm_id:int}/{filename:path}",
    "GET /calls/bigbluebutton/join",
    "GET /avatar/{email_or_id}",
    "GET /avatar/{email_or_id}/medium",
}


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


@pytest.fixture
def browser(world: World) -> Someone:
    """Ada's."""
    return logs_in(world, "ada")


@pytest.mark.shows("authentication.tus-cookies")
def test_a_browser_uploads_in_parts(world: World, browser: Someone, ada: Someone) -> None:
    location = begins(browser, 6)
    assert sends(browser, location, 0, b"soup").status_code == 204
    assert offset(browser, location) == 4
    assert offset(ada, location) == 4, "the upload is ada's, however she comes"
    url = sends(browser, location, 4, b"!!").get_json()["url"]
    assert fetches(browser, url).data == b"soup!!"
    assert request(browser, "DELETE", begins(browser, 9)).status_code == 204
    assert [one["path_id"] for one in attachments(ada)] == [url.removeprefix("/user_uploads/")]
    del browser.headers["Cookie"]
    assert request(browser, "POST", TUS, Upload_Length=6).status_code == 401


def test_a_browser_uploads_and_reads_what_its_person_may(
    world: World, browser: Someone, bea: Someone
) -> None:
    own = uploads(browser)["url"]
    shared, kept = uploads(bea)["url"], uploads(bea)["url"]
    bea.says(shared)
    shows_picture(bea, picture())
    nobody = opens_browser(world)
    for url, readable in ((own, True), (shared, True), (kept, False)):
        for address in (url, url.replace("/user_uploads/", "/user_uploads/download/")):
            assert can_read(browser, address) == readable
            assert fetches(nobody, address).status_code == 401
    for size in ("", "/medium"):
        assert fetches(browser, f"/avatar/{bea.id}{size}").status_code == 302
        assert fetches(nobody, f"/avatar/{bea.id}{size}").status_code == 401


def test_a_login_answers_the_user_and_not_the_key(world: World, browser: Someone) -> None:
    answer = succeeded(tries(browser, "ada", remember="true"))
    assert answer == {
        "result": "success",
        "msg": "",
        "user_id": world["ada"].id,
        "email": "ada@example.org",
        "ignored_parameters_unsupported": ["remember"],
    }


@pytest.mark.parametrize(
    ("external_url", "name", "also"),
    [
        ("https://chat.example.org", "__Host-chat_session", {"Secure"}),
        ("https://Chat.Example.org:443/team", "__Host-chat_session%3A443%2Fteam", {"Secure"}),
        ("http://127.0.0.1:9991", "chat_session%3A9991", set()),
        ("http://[::1]:9991/a/b;c", "chat_session%3A9991%2Fa%2Fb%3Bc", set()),
    ],
)
def test_the_cookie_is_for_the_server_alone(
    make_world: MakeWorld, external_url: str, name: str, also: set[str]
) -> None:
    world = make_world(external_url=external_url)
    browser = opens_browser(world)
    world.change_user("ada", password_hash=hash_password(PASSWORD))
    response = tries(browser, "ada")
    (header,) = response.headers.getlist("Set-Cookie")
    cookie, *attributes = header.split("; ")
    assert cookie.startswith(f"{name}=")
    assert set(attributes) == {"HttpOnly", "Path=/", "SameSite=Lax", f"Max-Age={365 * DAY}", *also} | {
        one for one in attributes if one.startswith("Expires=")
    }
    assert response.headers["Cache-Control"] == "no-store"
    browser.headers["Cookie"] = cookie
    assert is_known(browser)
    gone = browser.request("POST", "/accounts/logout")
    assert succeeded(gone) == {"result": "success", "msg": ""}
    assert cookie_in(gone) == f"{name}="
    assert {"Max-Age=0", "HttpOnly", "Path=/", *also} <= set(gone.headers["Set-Cookie"].split("; "))


def test_servers_at_one_host_do_not_log_each_other_out(make_world: MakeWorld) -> None:
    places = ("http://chat.example.org", "http://chat.example.org:9991", "http://chat.example.org/team")
    worlds = [make_world(external_url=place) for place in places]
    browsers = [logs_in(world, "ada") for world in worlds]
    jar = "; ".join(browser.headers["Cookie"] for browser in browsers)
    for browser in browsers:
        browser.headers["Cookie"] = jar
    assert all(map(is_known, browsers))
    assert len({cookie.partition("=")[0] for cookie in jar.split("; ")}) == len(browsers)
    assert browsers[0].request("POST", "/accounts/logout").status_code == 200
    assert [is_known(browser) for browser in browsers] == [False, True, True]


def test_the_name_of_the_cookie_is_that_of_the_address_in_use(make_world: MakeWorld) -> None:
    """A server at port 0 listens at another one, and keeps its sessions if it is started again there."""
    for port in (0, 9993):
        world = make_world(external_url=f"http://127.0.0.1:{port}", url_is_a_guess=True)
        browser = opens_browser(world)
        browser.headers |= {"Host": "127.0.0.1:9993", "Origin": "http://127.0.0.1:9993"}
        world.change_user("ada", password_hash=hash_password(PASSWORD))
        assert cookie_in(tries(browser, "ada")).startswith("chat_session%3A9993=")


@pytest.mark.parametrize(
    ("external_url", "origin"),
    [
        ("https://Chat.Example.org", "https://chat.example.org"),
        ("https://chat.example.org:443/team", "https://chat.example.org"),
        ("https://chat.example.org:80", "https://chat.example.org:80"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:9991/", "http://[::1]:9991"),
    ],
)
def test_an_origin_is_written_as_browsers_write_it(external_url: str, origin: str) -> None:
    assert Settings(external_url=external_url).origin == origin


@pytest.mark.parametrize(
    ("headers", "kind"),
    [
        ({"Sec-Fetch-Mode": "cors"}, "Session"),
        ({"Sec-Fetch-Mode": "no-cors"}, "Session"),
        ({"Sec-Fetch-Mode": "navigate"}, "Session"),
        ({"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:78.0) Gecko/20100101 Firefox/78.0"}, "Session"),
        ({}, "Basic"),
    ],
)
def test_no_browser_asks_for_a_password_itself(world: World, headers: dict[str, str], kind: str) -> None:
    nobody = opens_browser(world)
    nobody.headers |= headers
    for refused in (tries(nobody, "ada"), request(nobody, "POST", TUS), fetches(nobody, "/user_uploads/1/x")):
        assert refused.status_code == 401
        (challenge,) = refused.headers.getlist("WWW-Authenticate")
        assert challenge == f'{kind} realm="chat"'


# -- where it counts --------------------------------------------------------------------------------


def test_the_cookie_counts_for_files_and_nowhere_else(world: World, browser: Someone) -> None:
    assert {name_of(route) for route in ROUTES if route.by_cookie} == BY_COOKIE
    world.open_to_the_web()
    for route in ROUTES:
        if route.auth in (Auth.NONE, Auth.OWN_PAGE):
            continue
        answer = asks(browser, route)
        if not route.by_cookie:
            assert answer.get_json() == asks(world.nobody, route).get_json(), route
        elif route.auth is Auth.REQUIRED:
            assert answer.status_code != 401, route


SCRIPT = {"X-Chat-Page": "1"}
OWN_ORIGIN = "(own)"
OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize(
    ("headers", "reads", "writes"),
    [
        ({**SCRIPT, **OWN}, True, True),
        ({**SCRIPT, "Origin": OWN_ORIGIN}, True, True),
        (SCRIPT, True, False),  # a browser at an address without TLS says nothing more when it reads
        (OWN, False, False),
        ({**SCRIPT, "Sec-Fetch-Site": "same-site"}, False, False),
        ({**SCRIPT, "Origin": "https://evil.example"}, False, False),
        ({**SCRIPT, **OWN, "Origin": "https://evil.example"}, False, False),
    ],
)
def test_for_scripts_of_own_pages_the_cookie_counts_everywhere(
    world: World, browser: Someone, headers: dict[str, str], reads: bool, writes: bool
) -> None:
    own_origin = browser.headers.pop("Origin")
    browser.headers |= {name: own_origin if value == OWN_ORIGIN else value for name, value in headers.items()}
    assert browser.request("GET", "/users/me").status_code == (200 if reads else 401)
    response = browser.request("POST", "/messages", type="direct", to=[world["ada"].id], content="soup")
    assert (response.status_code == 200) == writes


def test_beside_a_key_the_cookie_counts_for_nothing(world: World, browser: Someone, bea: Someone) -> None:
    both = opens_browser(world)
    both.headers |= {"Cookie": browser.headers["Cookie"], "Authorization": bea.headers["Authorization"]}
    del both.headers["Origin"]
    url = uploads(both)["url"]
    assert can_read(bea, url)
    assert not can_read(browser, url)
    assert uploads(browser)["url"]
    both.headers["Authorization"] = "Basic " + "A" * 12
    assert fetches(both, url).status_code == 401
    assert not is_known(both)


# -- how long it counts -----------------------------------------------------------------------------


def test_a_session_ends_without_use_and_a_year_after_its_login(world: World, browser: Someone) -> None:
    unused = logs_in(world, "ada")
    for _ in range(13):
        world.clock.advance(28 * DAY - 1)
        assert is_known(browser)
    assert not is_known(unused)
    world.clock.advance(DAY + 12)
    assert is_known(browser)
    world.clock.advance(1)
    assert not is_known(browser)


def test_an_old_cookie_does_not_authenticate(world: World, browser: Someone, ada: Someone) -> None:
    url = uploads(ada)["url"]
    ada.says(url, "plaza")
    world.open_to_the_web()
    world.clock.advance(28 * DAY)
    assert fetches(browser, url).status_code == 200, "browsers keep sending what is over"
    assert succeeded(tries(browser, "ada"))["user_id"] == ada.id


def test_no_cookie_can_be_made_up(world: World, browser: Someone, ada: Someone) -> None:
    name, _, token = browser.headers["Cookie"].partition("=")
    temporary = ada.get(uploads(ada)["url"])["url"].split("/")[3]
    made_up = [
        f"{name}={wrong}"
        for wrong in (
            "", "x", "é", "\xff", "Ã©", "a" * 7000, token[:-1], token[1:], token + token, token.swapcase(),
             temporary, str(ada.id), world.keys["ada"],
        )
    ]  # fmt: skip
    for cookie in [*made_up, f"{COOKIE}={token}", f"{name.lower()}={token}", token, ";;=;", "\x01=\x02"]:
        browser.headers["Cookie"] = cookie
        assert not is_known(browser), cookie
    browser.headers["Cookie"] = f"theme=dark; {name}={token}; other=1"
    assert is_known(browser)


def test_a_copy_of_the_store_is_worth_nothing_without_the_secret(world: World, browser: Someone) -> None:
    token = browser.headers["Cookie"].partition("=")[2]
    assert world.storage.read(lambda snapshot: snapshot.browser_sessions.find(token)) is None
    elsewhere = replace(world.svc, settings=replace(world.svc.settings, secret_key=b"t" * 32))
    assert find_actor(world.svc, Browser(token=token)) is not None
    assert find_actor(elsewhere, Browser(token=token)) is None


# -- the list of them -------------------------------------------------------------------------------


def page_of(browser: Someone, user_agent: str = "") -> Someone:
    """The scripts of a page in this browser."""
    browser.headers |= SCRIPT
    if user_agent:
        browser.headers["User-Agent"] = user_agent
    return browser


def test_a_person_sees_the_own_sessions(world: World, browser: Someone, ada: Someone) -> None:
    logs_in(world, "bea")
    began = int(world.clock())
    world.clock.advance(5000)
    second = opens_browser(world)
    second.headers["User-Agent"] = "Mozilla/5.0 (☕)\x85\x9f" + "x" * 400
    second.headers["Cookie"] = cookie_in(tries(second, "ada"))
    world.clock.advance(3599)
    first, other = page_of(second).get("/users/me/sessions")["sessions"]
    assert (first["is_current"], other["is_current"]) == (True, False)
    assert first["last_used"] == first["date_created"] == began + 5000, "uses are noted once an hour"
    assert len(first["user_agent"]) == 300
    assert first["user_agent"].isprintable()
    world.clock.advance(1)
    (first, other) = page_of(browser).get("/users/me/sessions")["sessions"]
    assert first == {
        "id": first["id"],
        "date_created": began,
        "last_used": began + 8600,
        "user_agent": first["user_agent"],
        "ip_address": "192.0.2.1",
        "is_current": True,
    }
    assert [one["is_current"] for one in ada.get("/users/me/sessions")["sessions"]] == [False, False]
    world.clock.advance(28 * DAY)
    assert ada.get("/users/me/sessions")["sessions"] == []


def test_logging_out_ends_the_session_and_no_other(world: World, browser: Someone) -> None:
    copy, other = opens_browser(world), logs_in(world, "ada")
    copy.headers["Cookie"] = browser.headers["Cookie"]
    queue = page_of(browser).registers()
    browser.post("/accounts/logout")
    assert [is_known(one) for one in (browser, copy, other)] == [False, False, True]
    page_of(other).refused("GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=queue.id, last_event_id=-1)
    browser.post("/accounts/logout")


def test_another_login_of_a_browser_replaces_its_session(
    world: World, browser: Someone, ada: Someone
) -> None:
    copy = opens_browser(world)
    copy.headers["Cookie"] = browser.headers["Cookie"]
    queue = page_of(copy).registers()
    assert tries(browser, "ada").status_code == 200
    assert not is_known(copy)
    ada.refused("GET", "/events", code="BAD_EVENT_QUEUE_ID", queue_id=queue.id, last_event_id=-1)
    assert len(ada.get("/users/me/sessions")["sessions"]) == 1


@pytest.mark.parametrize("which", ["the newest", "all others"])
def test_the_pages_of_an_ended_session_notice_at_once(world: World, browser: Someone, which: str) -> None:
    other = page_of(logs_in(world, "ada"))
    queue = other.registers()
    page = page_of(browser)
    newest = page.get("/users/me/sessions")["sessions"][0]["id"]
    page.delete(f"/users/me/sessions/{newest}" if which == "the newest" else "/users/me/sessions")
    ended = {"code": "BAD_EVENT_QUEUE_ID", "queue_id": queue.id, "last_event_id": -1}
    page.refused("GET", "/events", **ended)
    assert not is_known(other)


def test_sessions_are_ended_one_by_one_or_all_others(world: World, browser: Someone, bea: Someone) -> None:
    others = [logs_in(world, "ada") for _ in range(3)]
    page = page_of(browser)
    newest = page.get("/users/me/sessions")["sessions"][0]["id"]
    bea.refused("DELETE", f"/users/me/sessions/{newest}", status=404)
    page.delete(f"/users/me/sessions/{newest}")
    page.refused("DELETE", f"/users/me/sessions/{newest}", status=404)
    assert [is_known(one) for one in others] == [True, True, False]
    of_bea = logs_in(world, "bea")
    page.delete("/users/me/sessions")
    assert [is_known(one) for one in (browser, *others, of_bea)] == [True, False, False, False, True]
    world["ada"].delete("/users/me/sessions")
    assert not is_known(browser)


@pytest.mark.parametrize("change", ["password", "key"])
def test_a_browser_that_changes_the_key_goes_on_and_no_other(
    world: World, browser: Someone, change: str
) -> None:
    other = logs_in(world, "ada")
    if change == "password":
        page_of(browser).patch("/settings", old_password=PASSWORD, new_password="staple battery")
    else:
        page_of(browser).post("/users/me/api_key/regenerate", current_api_key=world.keys["ada"])
    assert [is_known(one) for one in (browser, other)] == [True, False]
