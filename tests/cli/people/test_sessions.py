"""`chatcore session` and `chatcore queue`"""

import json
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

import wsgi
from tests.test_cli import INIT, error_line, run

EMAIL, PASSWORD = "ada@example.com", "correct horse"
BROWSER = {"User-Agent": "A browser", "Origin": "http://127.0.0.1:9991"}


@pytest.fixture(autouse=True)
def founded(home: Path) -> None:
    run(*INIT, "--password-stdin", input=f"{PASSWORD}\n")


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def log_in() -> Client:
    client = Client(wsgi.LazyApplication())
    form = {"username": EMAIL, "password": PASSWORD}
    logged_in = client.post("/api/v1/accounts/login", data=form, headers=BROWSER)
    assert logged_in.status_code == 200, logged_in.text
    return client


def commands_noted(kind: str) -> int:
    """Return how many entries of a kind the audit log has, each of which is by nobody at the console."""
    entries = [json.loads(line) for line in run("audit", "--kind", kind, "--json").stdout.splitlines()]
    assert {(entry["origin"], entry["actor_id"]) for entry in entries} == {("console", None)}
    return len(entries)


def test_sessions_are_listed_and_ended() -> None:
    assert answer("session", "list", EMAIL) == []
    assert run("session", "list", EMAIL).stdout == "The account is not logged in in any browser.\n"
    log_in()
    log_in()
    first, second = answer("session", "list", EMAIL)
    assert (first["user_agent"], second["user_agent"]) == ("A browser", "A browser")
    assert run("session", "list", EMAIL).stdout.count("A browser") == 2
    assert answer("session", "end", EMAIL, "--id", str(first["id"])) == {"ended": 1}
    assert [one["id"] for one in answer("session", "list", EMAIL)] == [second["id"]]
    assert run("session", "end", EMAIL).stdout == "1 session ended.\n"
    assert answer("session", "list", EMAIL) == []
    assert error_line(run("session", "end", EMAIL, "--id", "99"), 1)
    assert commands_noted("session_ended") == 2
    assert "not in the range" in error_line(run("session", "end", EMAIL, "--id", "9" * 20), 2)


def test_queues_are_listed_and_ended() -> None:
    assert answer("queue", "list") == []
    assert run("queue", "list").stdout == "There are no event queues.\n"
    key = json.loads(run("user", "key", EMAIL, "--json").stdout)["api_key"]
    client = Client(wsgi.LazyApplication())
    registered = client.post("/api/v1/register", data={"event_types": "[]"}, auth=(EMAIL, key))
    assert registered.status_code == 200, registered.text
    queue_id = registered.get_json()["queue_id"]
    for rows in (answer("queue", "list"), answer("queue", "list", EMAIL)):
        assert [(one["queue_id"], one["email"]) for one in rows] == [(queue_id, EMAIL)]
    assert queue_id in run("queue", "list").stdout
    assert answer("queue", "end", EMAIL) == {"ended": 1}
    assert answer("queue", "list") == []
    assert run("queue", "end", EMAIL).stdout == "0 queues ended.\n"
    assert commands_noted("queues_ended") == 1


@pytest.mark.parametrize("command", ["session list", "session end", "queue list", "queue end"])
def test_an_account_must_exist(command: str) -> None:
    assert "There is no account" in error_line(run(*command.split(), "none@example.com"), 1)
