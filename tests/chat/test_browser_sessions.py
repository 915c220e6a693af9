"""A program that knows its users logs their browsers in to the web client."""

from collections.abc import Iterator

import pytest
from werkzeug.test import Client, TestResponse

from chatcore import (
    Actor,
    BadRequest,
    BadSetting,
    Chat,
    OrganizationDeactivated,
    Settings,
    UserDeactivated,
    open_chat,
)
from chatcore.configuration import from_environment

SITE = "https://club.example.com"
PAGE = {"X-Chat-Page": "1", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def chat() -> Iterator[Chat]:
    settings = Settings(external_url=f"{SITE}/chat", frame_ancestors=(SITE, "http://[::1]:8000"))
    with open_chat(settings=settings, first_messages=False) as chat:
        yield chat


@pytest.fixture
def gus(chat: Chat) -> Actor:
    return chat.users.create("gus@example.com", "Gus")


def cookie_of(header: str) -> str:
    return header.partition(";")[0]


def attributes_of(header: str) -> set[str]:
    return {part.strip() for part in header.split(";")[1:] if "Expires" not in part}


def asks(chat: Chat, cookie: str, path: str = "/api/v1/users/me") -> TestResponse:
    return Client(chat.application(), use_cookies=False).get(
        path, headers={**PAGE, "Cookie": cookie}, base_url=SITE
    )


def test_a_browser_acts_as_its_user(chat: Chat, gus: Actor) -> None:
    header = chat.users.begin_session(gus, user_agent="Firefox", address="192.0.2.7")
    assert asks(chat, cookie_of(header)).json["full_name"] == "Gus"
    assert header.startswith("__Host-")
    assert attributes_of(header) >= {"Path=/", "Secure", "HttpOnly", "SameSite=Lax"}
    (session,) = chat.users.sessions(gus)
    assert (session["ip_address"], session["user_agent"]) == ("192.0.2.7", "Firefox")


def test_the_cookie_is_the_one_of_a_login_with_a_password(chat: Chat, gus: Actor) -> None:
    chat.users.create("bea@example.com", "Bea", password="correct horse")
    answer = Client(chat.application()).post(
        "/api/v1/accounts/login",
        data={"username": "bea@example.com", "password": "correct horse"},
        headers={"Origin": SITE},
        base_url=SITE,
    )
    given, made = answer.headers["Set-Cookie"], chat.users.begin_session(gus)
    assert attributes_of(made) == attributes_of(given)
    assert made.partition("=")[0] == given.partition("=")[0]


def test_a_session_that_the_browser_has_ends(chat: Chat, gus: Actor) -> None:
    bea = chat.users.create("bea@example.com", "Bea")
    first = cookie_of(chat.users.begin_session(bea))
    second = cookie_of(chat.users.begin_session(gus, cookie=f"other=1; {first}"))
    third = cookie_of(chat.users.begin_session(gus, cookie="other=1"))
    assert [asks(chat, cookie).status_code for cookie in (first, second, third)] == [401, 200, 200]


def test_sessions_end_with_the_key_and_when_the_program_says_so(chat: Chat, gus: Actor) -> None:
    first = cookie_of(chat.users.begin_session(gus))
    chat.users.renew_own_key(gus)
    second = cookie_of(chat.users.begin_session(gus))
    assert [asks(chat, cookie).status_code for cookie in (first, second)] == [401, 200]
    chat.users.end_sessions(gus)
    assert asks(chat, second).status_code == 401


def test_only_people_with_an_account_in_use_have_sessions(chat: Chat, gus: Actor) -> None:
    owner = chat.users.actor("owner@example.com")
    bot = chat.users.create("bot@example.com", "Bot", is_bot=True, owner=gus)
    with pytest.raises(BadRequest):
        chat.users.begin_session(bot)
    chat.users.deactivate(owner, gus)
    with pytest.raises(UserDeactivated):
        chat.users.begin_session(gus)
    chat.users.reactivate(owner, gus)
    assert chat.users.sessions(gus) == []
    chat.organization.deactivate(owner)
    with pytest.raises(OrganizationDeactivated):
        chat.users.begin_session(gus)


# -- frames -------------------------------------------------------------------------------------------


def policy(chat: Chat, path: str) -> str:
    header = asks(chat, "", path).headers["Content-Security-Policy"]
    (found,) = [rule for rule in header.split("; ") if rule.startswith("frame-ancestors ")]
    return found.removeprefix("frame-ancestors ")


def test_pages_of_the_settings_alone_may_show_the_client_alone(chat: Chat) -> None:
    assert policy(chat, "/") == f"{SITE} http://[::1]:8000"
    assert policy(chat, "/api/docs") == "'none'"
    with open_chat() as other:
        assert policy(other, "/") == "'none'"


def test_origins_can_be_set_in_the_environment() -> None:
    found = from_environment({"CHATCORE_FRAME_ANCESTORS": f" {SITE},http://localhost:8000 ,"})
    assert found.frame_ancestors == (SITE, "http://localhost:8000")
    assert from_environment({"CHATCORE_FRAME_ANCESTORS": ""}).frame_ancestors == ()


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "'self'",
        "'none'",
        "https:",
        "https://*",
        "https://*.example.com",
        "https://club.example.com/",
        "https://club.example.com/chat",
        "https://club.example.com:*",
        "https://club.example.com:0",
        "https://club.example.com:70000",
        "https://Club.example.com",
        "https://club.example.com https://evil.example.com",
        "https://club.example.com; script-src *",
        "https://club.example.com\r\nSet-Cookie: a=b",
        "https://club.example.com\n",
        "https://user@club.example.com",
        "https://club..example.com",
        "https://.example.com",
        "https://clüb.example.com",
        "ftp://club.example.com",
        "data:",
        "club.example.com",
        "",
    ],
)
def test_nothing_but_an_origin_may_show_it(origin: str) -> None:
    with pytest.raises(BadSetting, match="frame_ancestors"):
        Settings(frame_ancestors=(SITE, origin))
    if origin.strip() not in ("", SITE):
        with pytest.raises(BadSetting, match="CHATCORE_FRAME_ANCESTORS"):
            from_environment({"CHATCORE_FRAME_ANCESTORS": f"{SITE},{origin}"})


def test_a_text_is_no_list_of_origins() -> None:
    with pytest.raises(BadSetting):
        Settings(frame_ancestors=SITE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "base", "mount"),
    [
        ("http://127.0.0.1:5000/", "http://127.0.0.1:5000", ""),
        ("http://127.0.0.1:5000/chat/#narrow/is/dm?y", "http://127.0.0.1:5000", "/chat"),
        ("http://127.0.0.1:80", "http://127.0.0.1", ""),
        ("https://[::1]:443/chat", "https://[::1]", "/chat"),
        ("http://localhost:5000/café", "http://localhost:5000", "/café"),
        ("http://localhost:5000/caf%C3%A9", "http://localhost:5000", "/café"),
    ],
)
def test_the_cookie_is_found_at_the_address_that_the_browser_shows(url: str, base: str, mount: str) -> None:
    with open_chat(first_messages=False) as chat:
        gus = chat.users.create("gus@example.com", "Gus")
        cookie = cookie_of(chat.users.begin_session(gus, url=url))
        script_name = mount.encode().decode("latin-1")
        answer = Client(chat.application(), use_cookies=False).get(
            "/api/v1/users/me",
            headers={**PAGE, "Cookie": cookie},
            base_url=base,
            environ_overrides={"SCRIPT_NAME": script_name},
        )
        assert answer.json["full_name"] == "Gus"


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:5000",
        "javascript://127.0.0.1:5000",
        "http://",
        "http://[::1",
        "http://a/\ud800",
        f"http://a/{'b' * 1000}",
    ],
)
def test_a_session_begins_at_an_address_of_the_web(chat: Chat, gus: Actor, url: str) -> None:
    with pytest.raises(BadRequest):
        chat.users.begin_session(gus, url=url)
    assert chat.users.sessions(gus) == []
