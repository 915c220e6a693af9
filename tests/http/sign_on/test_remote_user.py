"""A proxy that is believed says in a header who has logged in; anybody else says it in vain."""

from typing import Any
from urllib.parse import parse_qs

import pytest
from werkzeug.test import Client, TestResponse

from tests.worlds.browsers import cookie_in, is_known, logs_in, opens_browser
from tests.worlds.joining import ORIGIN
from tests.worlds.organization import FROM, MakeWorld, Someone, World

HEADER = "Remote-User"
PROXY = FROM["REMOTE_ADDR"]
SETTINGS: dict[str, Any] = {"remote_user_header": HEADER, "remote_user_proxies": (PROXY,)}
PATH = "/accounts/login/sso"


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(**SETTINGS)


def comes(
    world: World, person: str | None = None, *, peer: str = PROXY, cookie: str = "", **headers: str
) -> TestResponse:
    """A browser comes by a connection of this peer."""
    given = {"Accept": "text/html", **{name.replace("_", "-"): value for name, value in headers.items()}}
    if person is not None:
        given[HEADER] = person
    if cookie:
        given["Cookie"] = cookie
    client = Client(world.answers, use_cookies=False)
    return client.get(PATH, base_url=ORIGIN, headers=given, environ_base={"REMOTE_ADDR": peer})


def enters(world: World, person: str, **more: str) -> Someone:
    """The browser of whoever logs in so."""
    answer = comes(world, person, **more)
    assert (answer.status_code, answer.headers.get("Location")) == (302, f"{ORIGIN}/"), answer.text
    browser = opens_browser(world)
    browser.headers |= {"Cookie": cookie_in(answer), "X-Chat-Page": "1"}
    return browser


def me(browser: Someone) -> str:
    email: str = browser.get("/users/me")["delivery_email"]
    return email


def is_refused(world: World, answer: TestResponse, code: int = 400) -> None:
    assert answer.status_code == code, answer.headers
    assert "Set-Cookie" not in answer.headers
    assert answer.content_type == "text/html; charset=utf-8"
    assert '<a href="../../">' in answer.text
    assert world.count("browser_session") == 0


def test_whom_the_proxy_names_has_a_session(world: World) -> None:
    browser = enters(world, "ada@example.org")
    assert me(browser) == "ada@example.org"
    assert me(enters(world, "ADA@example.org")) == "ada@example.org"
    assert world["ada"].get("/users/me/sessions")["sessions"][0]["ip_address"] == PROXY


def test_the_session_of_the_browser_before_ends(world: World) -> None:
    before = enters(world, "ada@example.org")
    answer = comes(world, "bea@example.org", cookie=before.headers["Cookie"])
    assert answer.status_code == 302
    assert not is_known(before)


@pytest.mark.parametrize("peer", ["192.0.2.2", "", "unix", "192.0.2.1.example.org", "::1", "127.0.0.1"])
def test_sec_from_any_other_peer_the_header_is_ignored(world: World, peer: str) -> None:
    for name in (HEADER, HEADER.lower(), HEADER.upper()):
        is_refused(world, comes(world, peer=peer, **{name.replace("-", "_"): "ada@example.org"}))
    answer = comes(world, "ada@example.org", peer=peer, X_Forwarded_For=PROXY, Forwarded=f"for={PROXY}")
    is_refused(world, answer)


def test_sec_the_peer_is_the_proxy_whatever_it_forwards(make_world: MakeWorld) -> None:
    world = make_world(**SETTINGS, trusted_proxies=1)
    is_refused(world, comes(world, "ada@example.org", peer="192.0.2.2", X_Forwarded_For=PROXY))
    enters(world, "ada@example.org", X_Forwarded_For="198.51.100.7", X_Forwarded_Proto="https")
    (session,) = world["ada"].get("/users/me/sessions")["sessions"]
    assert session["ip_address"] == "198.51.100.7"


@pytest.mark.parametrize(
    ("places", "peer", "believed"),
    [
        (("10.1.0.0/16", "2001:db8::/32"), "10.1.2.3", True),
        (("10.1.0.0/16", "2001:db8::/32"), "2001:db8::7", True),
        (("10.1.0.0/16", "2001:db8::/32"), "::ffff:10.1.2.3", True),
        (("10.1.0.0/16", "2001:db8::/32"), "10.2.2.3", False),
        (("10.1.0.0/16",), "", False),
        (("unix",), "", True),
        (("unix",), "127.0.0.1", False),
    ],
)
def test_proxies_are_addresses_networks_and_a_socket(
    make_world: MakeWorld, places: tuple[str, ...], peer: str, believed: bool
) -> None:
    world = make_world(remote_user_header=HEADER, remote_user_proxies=places)
    assert comes(world, "ada@example.org", peer=peer).status_code == (302 if believed else 400)


def test_sec_without_the_setting_no_header_counts(make_world: MakeWorld) -> None:
    world = make_world()
    is_refused(world, comes(world, "ada@example.org"))


@pytest.mark.parametrize(
    "person",
    [
        None, "", " ", "(null)", "(NULL)", "-",
        "ada@example.org,bea@example.org", "bea@example.org, ada@example.org",
        "ädä@example.org", "\xff\xfe", "ada@example.org\x00", "x" * 256, "x" * 250 + "@example.org",
    ],
)  # fmt: skip
def test_sec_a_proxy_that_names_nobody_clearly_lets_nobody_in(world: World, person: str | None) -> None:
    raw = None if person is None else person.encode().decode("latin-1")
    environ = {} if raw is None else {"HTTP_REMOTE_USER": raw}
    page = {"Accept": "text/html"}
    answer = Client(world.answers).get(PATH, base_url=ORIGIN, headers=page, environ_base={**FROM, **environ})
    is_refused(world, answer)


def test_other_headers_have_the_address_the_name_and_the_groups(make_world: MakeWorld) -> None:
    world = make_world(
        **SETTINGS, remote_user_email_header="Remote-Email", remote_user_name_header="Remote-Name",
        remote_user_groups_header="Remote-Groups", remote_user_groups=("cooks", "staff"),
    )  # fmt: skip
    for name in ("cooks", "staff", "others"):
        world["olga"].post("/user_groups/create", name=name, description="", members=[])
    browser = enters(
        world, "a.l", Remote_Email="ada@example.org", Remote_Name="Zoë Lovelace".encode().decode("latin-1"),
        Remote_Groups="cooks; others,nothing",
    )  # fmt: skip
    assert me(browser) == "ada@example.org"
    assert browser.get("/users/me")["full_name"] == "Zoë Lovelace"
    groups = {one["name"]: one["members"] for one in world["olga"].get("/user_groups")["user_groups"]}
    ada = world["ada"].id
    assert [ada in groups[name] for name in ("cooks", "staff", "others")] == [True, False, False]
    assert me(enters(world, "A.L")) == "ada@example.org", "known by name from now on"
    groups = {one["name"]: one["members"] for one in world["olga"].get("/user_groups")["user_groups"]}
    assert ada not in groups["cooks"]
    assert comes(world, "b.l", Remote_Email="bea@example.org,olga@example.org").status_code == 400


def test_a_name_without_a_domain_gets_one(make_world: MakeWorld) -> None:
    world = make_world(**SETTINGS)
    is_refused(world, comes(world, "ada"), 403)
    world = make_world(**SETTINGS, remote_user_domain="example.org")
    assert me(enters(world, "ada")) == "ada@example.org"


def test_who_is_new_joins_where_everybody_can(world: World) -> None:
    is_refused(world, comes(world, "ned@example.org"), 403)
    world.change_organization(invite_required=False)
    assert me(enters(world, "ned@example.org")) == "ned@example.org"


def test_a_deactivated_account_stays_out(world: World) -> None:
    world.change_user("ada", is_active=False)
    is_refused(world, comes(world, "ada@example.org"), 401)


def test_clients_learn_of_the_way(world: World, make_world: MakeWorld) -> None:
    settings = world.nobody.get("/server_settings")
    assert settings["authentication_methods"]["remoteuser"] is True
    assert settings["external_authentication_methods"] == [
        {
            "name": "remoteuser",
            "display_name": "Single sign-on",
            "display_icon": None,
            "login_url": PATH,
            "signup_url": PATH,
        }
    ]
    state = world["ada"].post("/register", fetch_event_types=["realm"])
    assert state["realm_authentication_methods"]["RemoteUser"] == {"enabled": True, "available": True}
    settings = make_world().nobody.get("/server_settings")
    assert settings["authentication_methods"]["remoteuser"] is False
    assert settings["external_authentication_methods"] == []


def test_sec_an_owner_disables_passwords_who_comes_by_the_proxy(world: World) -> None:
    olga = world["olga"]
    for change in (
        {"password_auth_enabled": False},
        {"authentication_methods": {"Email": False, "RemoteUser": True}},
    ):
        assert "Log in in another way first" in olga.refused("PATCH", "/realm", **change)["msg"]
    enters(world, "ada@example.org")
    olga.refused("PATCH", "/realm", password_auth_enabled=False)
    enters(world, "olga@example.org")
    olga.patch("/realm", password_auth_enabled=False)
    assert world.nobody.get("/server_settings")["email_auth_enabled"] is False
    refusal = olga.refused("PATCH", "/realm", authentication_methods={"Email": True, "RemoteUser": False})
    assert refusal["msg"] == "The authentication method 'RemoteUser' cannot be disabled."


def test_logging_out_names_the_address_that_logs_out_of_the_proxy(make_world: MakeWorld) -> None:
    url = "https://login.example.com/logout"
    world = make_world(**SETTINGS, remote_user_logout_url=url)
    browser = enters(world, "ada@example.org")
    assert browser.post("/accounts/logout")["logout_url"] == url
    assert not is_known(browser)
    assert "logout_url" not in logs_in(world, "bea").post("/accounts/logout"), "who came by a password"


def test_a_login_leads_to_a_page_of_the_organization(world: World) -> None:
    at = {"base_url": ORIGIN, "headers": {HEADER: "ada@example.org"}, "environ_base": FROM}
    answer = Client(world.answers).get(PATH, query_string={"next": "/#drafts"}, **at)
    assert answer.headers["Location"] == f"{ORIGIN}/#drafts"
    for page in ("https://evil.example/", "//evil.example", "/\\evil.example", "drafts"):
        answer = Client(world.answers).get(PATH, query_string={"next": page}, **at)
        assert (answer.status_code, answer.get_json()["var_name"]) == (400, "next"), page


def test_a_mobile_app_gets_the_key_of_whom_the_proxy_names(make_world: MakeWorld) -> None:
    world = make_world(**SETTINGS, login_app_scheme="chatapp")
    pad = "0f" * 32
    at = {"base_url": ORIGIN, "environ_base": FROM, "query_string": {"mobile_flow_otp": pad}}
    answer = Client(world.answers).get(PATH, headers={HEADER: "ada@example.org"}, **at)
    place, _, query = answer.headers["Location"].partition("?")
    said = {name: value for name, (value,) in parse_qs(query).items()}
    assert (answer.status_code, place) == (302, "chatapp://login")
    assert "Set-Cookie" not in answer.headers
    key = int(said["otp_encrypted_api_key"], 16) ^ int(pad, 16)
    assert bytes.fromhex(f"{key:064x}").decode() == world.keys["ada"]
    assert (said["realm"], said["user_id"]) == (ORIGIN, str(world["ada"].id))
    assert Client(world.answers).get(PATH, **at).status_code == 400
