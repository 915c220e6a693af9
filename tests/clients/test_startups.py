"""The calls with which other clients of the API begin, in their order and with their parameters.

The programs themselves are not run here: a terminal client, a library in JavaScript and a mobile client. Each
call is made as that program makes it, over a connection of its own.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import pytest

from tests.clients.served import PASSWORD, Served
from tests.waiting import PATIENCE

FORM: Final = "application/x-www-form-urlencoded"
FIRST_UNREAD_OF_NONE: Final = 10_000_000_000_000_000
"""The anchor in an answer to a request for the first unread message when all are read."""


class Program:
    """A client that keeps a connection and writes requests in its own way."""

    user_agent = "Program/1.0"

    def __init__(self, served: Served) -> None:
        self.brand = served.brand
        self.connection = HTTPConnection(urlsplit(served.url).netloc, timeout=PATIENCE)
        self._login = ""

    def login(self, email: str, api_key: str) -> None:
        self._login = "Basic " + b64encode(f"{email}:{api_key}".encode()).decode()

    def call(self, method: str, path: str, **given: Any) -> dict[str, Any]:
        """Make a request; return the answer, which is a success."""
        status, answer = self.calls(method, path, **given)
        assert (status, answer["result"], answer["msg"]) == (200, "success", ""), answer
        return answer

    def calls(self, method: str, path: str, **given: Any) -> tuple[int, dict[str, Any]]:
        texts = {name: one if isinstance(one, str) else json.dumps(one) for name, one in given.items()}
        query, kind, body = self.encode(method, texts)
        headers = {"User-Agent": self.user_agent}
        if kind:
            headers["Content-Type"] = kind
        if self._login:
            headers["Authorization"] = self._login
        self.connection.request(method, f"/api/v1{path}{query}", body, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def encode(self, method: str, texts: Mapping[str, str]) -> tuple[str, str, bytes]:
        """Return query, media type and body of a request."""
        if method == "GET":
            return (f"?{urlencode(texts, quote_via=quote)}" if texts else ""), "", b""
        return "", FORM, urlencode(texts).encode()


class JavaScript(Program):
    """Sends each POST as a form of several parts, and all others in the query."""

    user_agent = "node"

    def encode(self, method: str, texts: Mapping[str, str]) -> tuple[str, str, bytes]:
        if method != "POST":
            return super().encode("GET", texts)
        parts = [
            f'--limit\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'
            for name, text in texts.items()
        ]
        return "", "multipart/form-data; boundary=limit", "".join([*parts, "--limit--\r\n"]).encode()


@pytest.fixture
def terminal(served: Served) -> Iterator[Program]:
    program = Program(served)
    program.user_agent = "TerminalClient/0.7 (Debian GNU/Linux; 12)"
    yield program
    program.connection.close()


@pytest.fixture
def javascript(served: Served) -> Iterator[Program]:
    program = JavaScript(served)
    yield program
    program.connection.close()


@pytest.fixture
def mobile(served: Served) -> Iterator[Program]:
    program = Program(served)
    program.user_agent = "MobileClient/30.0 (Android 14)"
    yield program
    program.connection.close()


def logs_in(program: Program, served: Served, name: str = "bea") -> dict[str, Any]:
    answer = program.call(
        "POST", "/fetch_api_key", username=served.accounts[name]["email"], password=PASSWORD
    )
    program.login(answer["email"], answer["api_key"])
    return answer


# -- the terminal client ----------------------------------------------------------------------------

TERMINAL_EVENTS: Final = [
    "message",
    "update_message",
    "reaction",
    "submessage",
    "subscription",
    "typing",
    "update_message_flags",
    "user_settings",
    "realm_emoji",
    "realm_user",
]
TERMINAL_STATE: Final = [
    "realm",
    "presence",
    "subscription",
    "message",
    "starred_messages",
    "update_message_flags",
    "muted_topics",
    "realm_user",
    "realm_user_groups",
    "user_settings",
    "realm_emoji",
    "custom_profile_fields",
]


def registers_the_terminal(program: Program, *, first: bool = True) -> dict[str, Any]:
    more = {"fetch_event_types": [*TERMINAL_STATE, f"{program.brand}_version"]} if first else {}
    return program.call(
        "POST",
        "/register",
        event_types=TERMINAL_EVENTS,
        client_gravatar=True,
        apply_markdown=True,
        include_subscribers=True,
        narrow="[]",
        **more,
    )


def test_the_terminal_client_begins(served: Served, terminal: Program) -> None:
    settings = terminal.call("GET", "/server_settings")
    assert settings["email_auth_enabled"] is True
    assert settings["require_email_format_usernames"] in (True, False)
    status, refused = terminal.calls(
        "POST", "/fetch_api_key", username=served.accounts["bea"]["email"], password="wrong password"
    )
    assert (status, refused["result"]) == (401, "error")
    logs_in(terminal, served)
    terminal.call("POST", "/mark_all_as_read")
    messages = terminal.call(
        "GET",
        "/messages",
        anchor="0",
        use_first_unread_anchor="true",
        num_before=30,
        num_after=10,
        narrow="[]",
        apply_markdown="true",
        client_gravatar="true",
    )
    assert messages["anchor"] == FIRST_UNREAD_OF_NONE
    state = registers_the_terminal(terminal)
    assert state["email"] in {one["email"] for one in state["realm_users"]}
    presence = terminal.call("POST", "/users/me/presence", status="active", new_user_input="true")
    assert state["email"] in presence["presences"]
    (event,) = terminal.call("GET", "/events", queue_id=state["queue_id"], last_event_id=-1, dont_block=True)[
        "events"
    ] or [{"type": "heartbeat"}]
    assert event["type"] in ("heartbeat", "presence")
    again = registers_the_terminal(terminal, first=False)
    assert again["queue_id"] != state["queue_id"]
    newest = {"anchor": FIRST_UNREAD_OF_NONE, "num_before": 5, "num_after": 0, "narrow": "[]"}
    assert terminal.call("GET", "/messages", **newest)["found_newest"] is True


# -- the library in JavaScript ----------------------------------------------------------------------


def test_the_javascript_library_begins(served: Served, javascript: Program) -> None:
    logs_in(javascript, served)
    queue = javascript.call("POST", "/register", event_types="null")
    assert isinstance(queue["last_event_id"], int)
    assert queue["realm_users"]
    sent = javascript.call(
        "POST", "/messages", type="private", to=json.dumps([served.accounts["ada"]["email"]]), content="so"
    )["id"]
    javascript.call("PATCH", f"/messages/{sent}", message_id=sent, content="so, too")
    got = javascript.call("GET", "/events", queue_id=queue["queue_id"], last_event_id=-1)["events"]
    assert sent in [one["message"]["id"] for one in got if one["type"] == "message"]
    javascript.call("POST", f"/messages/{sent}/reactions", emoji_name="tada")
    javascript.call("DELETE", f"/messages/{sent}/reactions", emoji_name="tada")
    javascript.call("DELETE", "/events", queue_id=queue["queue_id"])


# -- the mobile client ------------------------------------------------------------------------------

MOBILE_CAPABILITIES: Final = (
    "notification_settings_null",
    "bulk_message_deletion",
    "user_avatar_url_field_optional",
    "stream_typing_notifications",
    "user_settings_object",
    "include_deactivated_groups",
    "empty_topic_name",
    "individual_emoji_changes",
)


def registers_the_mobile(program: Program) -> dict[str, Any]:
    return program.call(
        "POST",
        "/register",
        apply_markdown=True,
        client_gravatar=False,
        slim_presence=True,
        client_capabilities=dict.fromkeys(MOBILE_CAPABILITIES, True),
    )


def test_the_mobile_client_begins(served: Served, mobile: Program) -> None:
    settings = mobile.call("GET", "/server_settings")
    assert settings[f"{mobile.brand}_merge_base"]
    assert settings["realm_uri"] == served.url
    account = logs_in(mobile, served)
    state = registers_the_mobile(mobile)
    assert account["user_id"] in {one["user_id"] for one in state["realm_users"]}
    table = urlsplit(state["server_emoji_data_url"])
    assert table.scheme
    mobile.connection.request("GET", table.path)
    names = json.loads(mobile.connection.getresponse().read())["code_to_names"]
    assert "tada" in names["1f389"]
    presence = mobile.call(
        "POST",
        "/users/me/presence",
        status="active",
        new_user_input=True,
        ping_only=False,
        slim_presence=True,
        last_update_id=-1,
    )
    assert str(account["user_id"]) in presence["presences"]
    listening = {"queue_id": state["queue_id"], "last_event_id": state["last_event_id"]}
    sent = mobile.call("POST", "/messages", type="direct", to=[account["user_id"]], content="so")["id"]
    got = mobile.call("GET", "/events", **listening)["events"]
    assert sent in [one["message"]["id"] for one in got if one["type"] == "message"]


# -- programs on top of the Python library ----------------------------------------------------------


def test_a_bridge_and_an_archive_begin(bea: Any) -> None:
    for path in ("users/me", "users", "users/me/subscriptions?include_subscribers=true"):
        assert bea.call_endpoint(url=path, method="GET")["result"] == "success"
    assert bea.register(event_types=["message"])["queue_id"]
    anchor, seen = "oldest", []
    while True:
        answer = bea.get_messages({"anchor": anchor, "num_before": 0, "num_after": 2, "narrow": []})
        assert answer["result"] == "success"
        seen += [one["id"] for one in answer["messages"] if one["id"] not in seen]
        if answer["found_newest"]:
            break
        anchor = answer["messages"][1]["id"]
    assert seen == sorted(seen)
    assert seen
