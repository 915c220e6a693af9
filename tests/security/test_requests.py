"""Malformed requests: invalid JSON, long lists, odd paths; and many at once."""

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.application.people.logins import authenticate
from chatcore.domain.limits import Limits
from chatcore.http.app import Application
from chatcore.http.parameters.types import ParameterKind
from chatcore.http.pipeline.auth import Auth
from chatcore.http.pipeline.routing import API_PREFIX, AnyRoute
from chatcore.http.routes import ROUTES
from tests.http.files.test_tus import begins
from tests.security.attacking import nothing_changes, refusal
from tests.worlds.files import files_world, uploads
from tests.worlds.organization import MakeWorld, Someone, World, at_once, is_

__all__ = ["files_world"]

# JSON that no store can hold.
NOT_STORABLE = {"2^63": str(2**63), "surrogate": '["\\ud800"]', "null character": '["\\u0000"]'}
# The same, and JSON on which parsers disagree.
MALFORMED = {
    **NOT_STORABLE,
    "NaN": "NaN",
    "infinity": "Infinity",
    "beyond floats": "1e999",
    "5,000 digits": "1" * 5000,
    "duplicate keys": '{"a": 1, "a": 2}',
    "deep lists": "[" * 2000,
    "closed deep lists": "[" * 1000 + "]" * 1000,
    "deep objects": '{"a":' * 1000 + "1" + "}" * 1000,
    "half": '["a',
    "comments": "[1] // x",
    "single quotes": "['a']",
    "bare minus": "-",
}
MISFITS = {
    "true for a number": "true",
    "float for an id": "1.0",
    "text": '"1"',
    "an object": '{"x": 1}',
    "mixed": '[1, "a", null]',
}
GOOD = {
    "type": "channel", "to": "lunch", "topic": "today", "content": "soup", "messages": "[1]", "op": "add",
    "flag": "read", "anchor": "newest", "num_before": "1", "num_after": "0", "narrow": "[]", "queue_id": "x",
    "last_event_id": "0", "subscriptions": '[{"name": "lunch"}]', "stream": "lunch", "username": "x",
    "password": "y",
}  # fmt: skip
ANY_TEXT = {"idle_queue_timeout", "message_retention_days"}
"""Parameters for which any text is valid at first; the second is checked later."""


def json_parameters() -> list[tuple[AnyRoute, str]]:
    return [
        (route, parameter.name)
        for route in ROUTES
        for parameter in route.declaration.parameters
        if route.full_path.startswith(API_PREFIX)
        and parameter.kind is not ParameterKind.BARE
        and parameter.attribute not in route.path_names
        and parameter.name not in ANY_TEXT
    ]


PARAMETERS = json_parameters()


def call(world: World, route: AnyRoute, name: str, value: str) -> tuple[int, Any]:
    ids = {"user_id": world["ada"].id, "stream_id": world.id("lunch"), "email": "ada@example.org"}
    path = re.sub(r"\{(\w+)(?::\w+)?\}", lambda piece: str(ids.get(piece[1], 1)), route.path)
    needed = {p.name: GOOD[p.name] for p in route.declaration.parameters if p.required and p.name in GOOD}
    who = world.nobody if route.auth is Auth.NONE else world["ada"]
    response = who.request(route.method, path, **{**needed, name: value})
    return response.status_code, response.get_json()


def test_sec_69_odd_json_is_refused_by_every_parameter(world: World, store_kind: str) -> None:
    values = MALFORMED if store_kind == "sqlite" else NOT_STORABLE  # all others end before any store
    for route, name in PARAMETERS:
        for kind, value in values.items():
            with_nothing = (route, name, kind)
            status, answer = call(world, route, name, value)
            assert (status, answer["result"]) == (400, "error"), with_nothing
    assert world.count("message") == 0


@pytest.mark.parametrize("store_kind", ["sqlite"])  # it ends before any store
def test_sec_69_endless_json_is_refused(world: World, store_kind: str) -> None:
    for route, name in PARAMETERS[::10]:
        status, answer = call(world, route, name, "[" * 100_000)
        assert (status, answer["result"]) == (400, "error"), (route, name)


def test_sec_69_values_of_the_wrong_type_are_refused_and_never_fail(world: World) -> None:
    for route, name in PARAMETERS:
        for value in MISFITS.values():
            status, answer = call(world, route, name, value)
            assert status in (200, 302, 400, 404)
            if status != 302:  # a redirection to a picture has no JSON
                assert answer["result"] == ("success" if status == 200 else "error")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("id", ["1.0", "true", '"5"', "-0.0", "1e0", "[5]", "null", "0x5", "٥"])
def test_sec_69_an_id_is_written_in_one_way(ada: Someone, id: str) -> None:
    for parameters in (
        {"messages": f"[{id}]", "op": "add", "flag": "read"},
        {"messages": id, "op": "add", "flag": "read"},
    ):
        refusal(ada, "POST", "/messages/flags", **parameters)
    if id == '"5"':
        return  # which names a channel or user, and stands for a message's number in the pair form
    for field in ("channel", "sender", "id", "with"):
        narrow = f'[{{"operator": "{field}", "operand": {id}}}]'
        refusal(ada, "GET", "/messages", anchor="newest", num_before=1, num_after=0, narrow=narrow)


WINDOW = {"anchor": "newest", "num_before": 1, "num_after": 0}

# -- lists ------------------------------------------------------------------------------------------


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/messages", {"message_ids": list(range(10**5))}),
        ("/messages", {"message_ids": [1] * 5001}),
        ("/messages", {"anchor": "newest", "num_before": 10**9, "num_after": 0}),
        ("/messages", {"anchor": "newest", "num_before": -1, "num_after": 0}),
        ("/messages", {"anchor": "newest", "num_before": 5001, "num_after": 0}),
        ("/messages", {**WINDOW, "narrow": [["topic", "x"]] * 101}),
        ("/messages", {**WINDOW, "narrow": [["topic", "x" * 500_000]]}),
        ("/messages", {**WINDOW, "narrow": [is_("dm", list(range(1, 20_000)))]}),
        ("/messages", {**WINDOW, "narrow": [["search", " ".join(f"w{n}" for n in range(2000))]]}),
        ("/messages", {"anchor": "9" * 100_000 + "x", "num_before": 1, "num_after": 0}),
    ],
)  # fmt: skip
def test_sec_71_work_stays_bounded_when_reading(ada: Someone, path: str, parameters: dict[str, Any]) -> None:
    answer = refusal(ada, "GET", path, **parameters)
    assert len(str(answer)) < 1000


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/messages/flags", {"messages": list(range(10**5)), "op": "add", "flag": "read"}),
        ("/messages/flags", {"messages": list(range(10**6)), "op": "add", "flag": "read"}),
        ("/messages/flags", {"messages": [-1, 2**62], "op": "add", "flag": "read"}),
        ("/messages", {"type": "direct", "to": list(range(1, 20_000)), "content": "x"}),
        (
            "/messages",
            {"type": "direct", "to": ",".join(f"p{n}@example.org" for n in range(20_000)), "content": "x"},
        ),
        ("/users/me/subscriptions", {"subscriptions": [{"name": f"c{n}"} for n in range(10_001)]}),
        (
            "/users/me/subscriptions",
            {"subscriptions": [{"name": "lunch"}], "principals": list(range(20_000))},
        ),
        ("/register", {"narrow": [["topic", "x"]] * 200}),
    ],
)
def test_sec_71_work_stays_bounded_when_writing(world: World, path: str, parameters: dict[str, Any]) -> None:
    with nothing_changes(world):
        answer = refusal(world["ada"], "POST", path, **parameters)
    assert len(str(answer)) < 1000


def test_sec_71_all_negations_of_all_are_an_empty_list(ada: Someone) -> None:
    ada.says("soup")
    narrow = ["-channel:lunch", "-channel:plaza", "-is:dm", "-is:unread", "-has:link", "-in:home", "-topic:x"]
    assert ada.finds(*narrow * 10) == []


# -- pages ------------------------------------------------------------------------------------------


def test_sec_72_hidden_messages_do_not_make_empty_pages(world: World, ada: Someone, cem: Someone) -> None:
    cem.joins("plaza")
    seen = [ada.says("soup", "plaza") for _ in range(3)]
    for _ in range(120):
        ada.says("soup", "secret")
    page = cem.page(num_before=2)
    assert [m["id"] for m in page["messages"]] == seen[1:]
    assert page["found_oldest"] is False
    page = cem.page("search:soup", num_before=5)
    assert [m["id"] for m in page["messages"]] == seen
    assert page["found_oldest"] is True
    page = cem.page("channels:public", anchor="oldest", num_before=0, num_after=2)
    assert [m["id"] for m in page["messages"]] == seen[:2]
    assert page["found_newest"] is False
    answer = cem.post(
        "/messages/flags/narrow",
        anchor="newest",
        num_before=2,
        num_after=0,
        narrow=[],
        op="add",
        flag="starred",
    )
    assert (answer["processed_count"], answer["first_processed_id"]) == (2, seen[1])


# -- search -----------------------------------------------------------------------------------------


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    "query",
    [
        '"', '""', '"soup', "'", "''", "soup*", "*", "^soup", "words:soup", "folded:soup", "NEAR(soup stew)",
        "soup AND stew", "soup OR stew", "NOT soup", "(soup", ")", "soup:*", "soup & stew", "soup | stew",
        "!soup", "%", "_", "so_p", "so%", "\\", "\\'", "'; DROP TABLE message; --", "{soup}", "[soup]",
        "soup -stew", "+soup", "🍲", "汤", "\u0301", "\u200b", "<->", ":A", "a" * 5000, "§1", "§9 soup",
        "\x01", "rowid:1", "-", "--", "~",
    ],
)  # fmt: skip
def test_sec_73_a_query_is_words_and_nothing_else(ada: Someone, query: str) -> None:
    sent = ada.says("soup")
    ada.says("nothing of it", "plaza")
    ada.says("hush", "secret")
    found = ada.finds(f"search:{query}")
    assert set(found) <= {sent}
    assert ada.finds("channel:plaza", f"search:{query}") == []


def test_sec_73_special_characters_are_found_as_they_are(ada: Someone) -> None:
    sent = {
        text: ada.says(text)
        for text in ("100% sure", "snake_case", "it's 汤 time", "back\\slash", 'a "quote" b')
    }
    assert ada.finds('search:"100%"') == [sent["100% sure"]]
    assert ada.finds('search:"snake_"') == [sent["snake_case"]]
    assert ada.finds("search:汤") == [sent["it's 汤 time"]]
    assert ada.finds('search:"back\\s"') == [sent["back\\slash"]]
    assert ada.finds('search:"%"') == []


# -- paths ------------------------------------------------------------------------------------------

PATHS = [
    "/messages/1e3", "/messages/+1", "/messages/ 1", "/messages/１", "/messages/1.0", "/messages/-1",
    "/messages/0x1", "/messages/01", "/messages/" + "1" * 5000, "/messages/1/", "/messages/1;x",
    "/messages/..", "/messages/../users", "/%00", "/messages%00", "/messages%2e", "//messages/1",
    "/x" * 5000, "/messages/1?x", "/Messages", "/users/me/me", "/users/me/1/topics/x", "/admin",
    "/static/../wsgi.py", "/../../etc/passwd", "/messages/1%2f..",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_sec_80_an_odd_path_gives_the_envelope_and_no_more(world: World, path: str) -> None:
    world["ada"].says("soup")
    for who in (world.nobody, world["cem"]):
        for method in ("GET", "POST", "DELETE"):
            response = who.client.open(API_PREFIX + path, method=method, headers=who.headers)
            assert 400 <= response.status_code < 500
            answer = response.get_json()
            assert (answer["result"], bool(answer["msg"]), bool(answer["code"])) == ("error", True, True)
            assert "Traceback" not in response.text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_sec_80_every_spelling_of_a_path_asks_who_one_is(world: World, ada: Someone, method: str) -> None:
    ada.says("hush", "secret")
    for path in ("/users/me", "//users/me", "/users/me/", "///users/me"):
        response = world.nobody.client.open(API_PREFIX + path, method=method, headers=world.nobody.headers)
        assert response.status_code in (401, 404)


@pytest.mark.parametrize("method", ["TRACE", "CONNECT", "PROPFIND", "get", "FOO", "PATCH", "PUT"])
def test_sec_80_a_method_that_is_not_there_is_refused(world: World, method: str) -> None:
    with nothing_changes(world):
        for who in (world.nobody, world["ada"]):
            response = who.client.open(f"{API_PREFIX}/messages", method=method, headers=who.headers)
            assert response.status_code == 405
            assert response.get_json()["allowed_methods"]
        override = {**world["ada"].headers, "X-HTTP-Method-Override": "DELETE"}
        line = world["ada"].client.post(
            f"{API_PREFIX}/users/me/subscriptions", headers=override, data={"method": "DELETE"}
        )
        assert line.status_code == 400


def test_sec_80_options_answer_methods_and_nothing_else(world: World) -> None:
    response = world.nobody.client.open(f"{API_PREFIX}/messages", method="OPTIONS")
    assert (response.status_code, response.data) == (204, b"")
    assert "POST" in response.headers["Allow"]


# -- logs and open pages ----------------------------------------------------------------------------


def test_sec_81_the_log_holds_no_secrets_and_no_control_characters(
    world: World, ada: Someone, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "chatcore")
    ada.headers["User-Agent"] = "evil\x1b[31m/1"
    ada.says("a private thought", "secret")
    ada.writes("another", "bea")
    world.nobody.request("POST", "/fetch_api_key", username="ada@example.org", password="sesame")
    ada.client.get(f"{API_PREFIX}/users/\x1b]0;x\x07\nfake line", headers=ada.headers)
    ada.client.get(f"{API_PREFIX}/users/me?key={world.keys['ada']}", headers=ada.headers)
    for hidden in (
        "private thought",
        "another",
        "sesame",
        world.keys["ada"],
        ada.headers["Authorization"][6:],
    ):
        assert hidden not in caplog.text
    for record in caplog.records:
        assert record.getMessage().isprintable(), record.getMessage()
    assert len(caplog.records) == 6  # the failed login is in the security log, too


def test_sec_81_the_log_holds_no_address_of_a_file(
    files_world: World, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "chatcore")
    ada = files_world["ada"]
    url = uploads(ada, b"soup", "merger with acme.txt")["url"]
    temporary = ada.get(f"{url}")["url"]
    location = begins(ada, 4)
    token, random = temporary.split("/")[3], url.split("/")[4]
    client = ada.client
    for path in (
        url,
        url.replace("/user_uploads/", "/user_uploads/download/"),
        url.replace("/1/", "//1//"),
        f"{API_PREFIX}{url}",
        f"/prefix{url}",
        temporary,
        f"{temporary}x",
        f"/prefix{temporary}",
        f"/user_uploads/temporary/{token}",
        location,
        f"/user_avatars/1/{token}.png",
    ):
        for method in ("GET", "HEAD", "POST", "DELETE", "X"):
            client.open(path, method=method, headers=ada.headers).close()
    monkeypatch.setattr(files_world.svc.storage, "read", None)  # a failure is logged with its path
    Client(files_world.application).get(temporary)
    monkeypatch.undo()
    secrets = (token, random, location.rpartition("/")[2], "merger", "acme")
    assert len(caplog.records) > 55
    assert "unexpected failure" in caplog.text
    for record in caplog.records:
        if record.name == "chatcore.access" or record.levelno >= logging.ERROR:
            for secret in secrets:
                assert secret not in record.getMessage(), record.getMessage()
    assert "GET /user_uploads/temporary/* 200" in caplog.text


def test_sec_75_a_client_behind_a_proxy_says_nothing_of_where_the_server_is(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    ada = make_world(trusted_proxies=1, data_dir=tmp_path)["ada"]
    ada.headers["X-Forwarded-Prefix"] = "https://evil.example"
    assert begins(ada, 4).startswith("/api/v1/tus/")


def test_a_proxy_says_under_which_prefix_it_serves_where_it_is_trusted_to(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    headers = frozenset({"for", "prefix"})
    ada = make_world(trusted_proxies=1, data_dir=tmp_path, forwarded_headers=headers)["ada"]
    ada.headers["X-Forwarded-Prefix"] = "/chat"
    assert begins(ada, 4).startswith("/chat/api/v1/tus/")


@pytest.mark.parametrize(
    "path", ["/health", "/ready", f"{API_PREFIX}/openapi.json", "/metrics", "/debug", "/console"]
)
def test_sec_82_open_pages_have_no_personal_data(world: World, ada: Someone, path: str) -> None:
    ada.says("soup")
    response = world.nobody.client.get(path)
    assert response.status_code == (404 if path in ("/metrics", "/debug", "/console") else 200)
    for hidden in (
        "ada",
        "lunch",
        "example.org",
        "Analytical",
        "sqlite",
        "postgres",
        "/tmp",
        world.keys["ada"],
    ):
        assert hidden not in response.text.replace("Metadata", "").replace("metadata", "")


def test_sec_82_a_server_that_is_not_ready_says_no_more() -> None:
    def fail(host: str) -> None:
        raise RuntimeError("cannot connect to postgresql://user:sesame@host/db")

    application = Application(lambda host: None, ROUTES, authenticate=authenticate, ready=fail)
    response = Client(application).get("/ready")
    assert (response.status_code, (response.get_json() or {})["code"]) == (503, "SERVER_NOT_READY")
    assert "sesame" not in response.text


# -- many at once -----------------------------------------------------------------------------------


def test_sec_83_joining_and_leaving_at_once_comes_to_one_of_both(world: World, cem: Someone) -> None:
    def join() -> None:
        for _ in range(6):
            world["cem"].joins("lunch")

    def leave() -> None:
        for _ in range(6):
            world["cem"].leaves("lunch")

    at_once(join, leave, join, leave)
    (lunch,) = [one for one in cem.get("/streams")["streams"] if one["name"] == "lunch"]
    mine = cem.get("/users/me/subscriptions", include_subscribers="true")["subscriptions"]
    others = world["ada"].get("/users/me/subscriptions", include_subscribers="true")["subscriptions"][0]
    assert lunch["subscriber_count"] == len(others["subscribers"])
    assert (cem.id in others["subscribers"]) == bool(mine)


def test_sec_83_one_new_name_asked_for_by_many_is_one_channel(world: World) -> None:
    names = ("ada", "bea", "cem", "mona", "adi", "olga")
    at_once(*[lambda name=name: world[name].joins("garden") for name in names])  # type: ignore[misc]
    (garden,) = [one for one in world["ada"].get("/streams")["streams"] if one["name"] == "garden"]
    assert garden["subscriber_count"] == len(names)
    assert len(world["ada"].finds("channel:garden")) == 1


def test_sec_83_flags_and_messages_at_once_agree_in_the_end(world: World, ada: Someone, bea: Someone) -> None:
    sent = [ada.says("soup") for _ in range(10)]
    line = bea.opens_queue("update_message_flags")

    def flag(op: str, flag: str) -> None:
        for _ in range(5):
            world["bea"].flagged(flag, *sent, op=op)

    at_once(
        lambda: flag("add", "read"),
        lambda: flag("remove", "read"),
        lambda: flag("add", "starred"),
        lambda: [world["ada"].says("more") for _ in range(10)],
    )
    read: set[int] = set()
    for event in line.events():
        if event["flag"] == "read":
            read = read | set(event["messages"]) if event["op"] == "add" else read - set(event["messages"])
    assert bea.finds("is:starred") == sent
    assert [one for one in sent if "read" in bea.flags(one)] == sorted(read)
    assert set(bea.finds("is:unread")) & set(sent) == set(sent) - read


def test_sec_83_two_first_direct_messages_are_one_conversation(world: World) -> None:
    people = [("ada", ("bea", "cem")), ("bea", ("cem", "ada")), ("cem", ("ada", "bea"))]
    at_once(*[lambda who=who, to=to: world[who].writes("hello", *to) for who, to in people])  # type: ignore[misc]
    assert world.count("conversation") == 1
    assert len(world["ada"].finds("is:dm")) == 3


def test_sec_83_queues_are_made_and_deleted_at_once(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_event_queues_per_user=4))
    ada = world["ada"]

    def churn() -> None:
        for _ in range(5):
            line = world["ada"].opens_queue("message")
            world["ada"].request("DELETE", "/events", queue_id=line.id)

    at_once(churn, churn, churn)
    assert world.count("event_queue") <= 4
    assert len(json.dumps(ada.opens_queue("message").state)) < 1000
