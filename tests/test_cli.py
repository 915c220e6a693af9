"""The command line: the effect of each command, and its error texts.

Commands without a server run in this process; servers are real processes on a free port.
"""

import base64
import gzip
import io
import json
import logging
import os
import pwd
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from werkzeug.test import Client, TestResponse

import wsgi
from chatcore import bootstrap, gunicorn_conf
from chatcore.cli import chatcore
from chatcore.cli.alone import alone_on
from chatcore.cli.checking import outside
from chatcore.cli.serve import address
from chatcore.configuration import ORGANIZATIONS
from chatcore.domain.roles import Role
from chatcore.settings import describe_database
from chatcore.sites import Sites
from chatcore.storage import Transaction
from chatcore.storage.conformance.makers import add_user
from storage_backends import open_storage
from tests.http.serving.served import Served
from tests.ports import free_port
from tests.postgres import PostgresServer
from tests.waiting import PATIENCE, until
from tests.worlds.pictures import png

INIT = ["init", "--name", "Our team", "--owner-email", "ada@example.com", "--owner-name", "Ada Fox"]
MESSAGES = [
    {
        "timestamp": 1_700_000_000 + n,
        "channel": "lunch",
        "topic": "soup",
        "sender": f"User {n}",
        "content": "Hi",
    }
    for n in range(1, 4)
]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory and environment; stores that `wsgi` opens are closed again."""
    opened: list[Sites] = []
    really_open = bootstrap.open_sites

    def open_sites(*arguments: Any, **options: Any) -> Sites:
        opened.append(really_open(*arguments, **options))
        return opened[-1]

    monkeypatch.setattr(bootstrap, "open_sites", open_sites)
    monkeypatch.setattr(outside, "address", lambda settings: "tests ask nobody outside")
    mask = os.umask(0o022)
    for name in os.environ:  # noqa: TID251
        if name.startswith("CHATCORE_") and "TESTS" not in name:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    os.umask(mask)
    for sites in opened:
        sites.stop()
        sites.close()


def run(*arguments: str, **options: Any) -> Result:
    return CliRunner().invoke(chatcore, list(arguments), prog_name="chatcore", **options)


def error_line(result: Result, exit_code: int) -> str:
    """The error on standard error: one line, and no traceback."""
    assert result.exit_code == exit_code, result.output
    assert isinstance(result.exception, SystemExit)
    lines = [one for one in result.stderr.splitlines() if one]
    if exit_code == 2 and len(lines) > 1:
        assert lines[0].startswith("Usage:")
        lines = lines[-1:]
    (line,) = lines
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- help -------------------------------------------------------------------------------------------


def test_help_says_how_to_begin() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "chatcore serve --demo" in result.stdout
    assert "Exit codes" in result.stdout


COMMANDS = (
    "init",
    "serve",
    "user create",
    "user key",
    "user new-key",
    "user deactivate",
    "user reactivate",
    "user role",
    "user password",
    "user allow",
    "user list",
    "user show",
    "channel list",
    "channel show",
    "channel create",
    "channel archive",
    "session list",
    "session end",
    "queue list",
    "queue end",
    "message show",
    "message delete",
    "file list",
    "file delete",
    "settings",
    "statistics",
    "usage",
    "organization show",
    "organization set",
    "organization reactivate",
    "public-access",
    "import corpus",
    "export",
    "import archive",
    "mail receive",
    "mail serve",
    "backup",
    "restore",
    "check",
    "restored",
    "rotate-secret",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_its_options_and_their_variables(command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert "CHATCORE_DATABASE_URL" in result.stdout
    assert run(*command.split(), "-h").stdout == result.stdout


# -- init and user create ---------------------------------------------------------------------------


def test_sec_84_init_makes_an_organization_that_others_cannot_read(home: Path) -> None:
    result = run(*INIT)
    assert result.exit_code == 0, result.output
    assert re.search(r"^api_key  [a-z0-9]{32}$", result.stdout, re.MULTILINE)
    assert "chatcore serve" in result.stdout
    assert mode(home / "chat.db") == 0o600
    assert mode(home / "chat-data") == 0o700
    assert mode(home / "chat-data" / "secret_key") == 0o600


def test_init_prints_the_account_as_json() -> None:
    account = json.loads(run(*INIT, "--json").stdout)
    assert account["email"] == "ada@example.com"
    assert account.keys() == {"user_id", "email", "api_key"}


def test_init_says_how_the_owner_can_log_in() -> None:
    assert "Next: chatcore user password ada@example.com" in run(*INIT).stdout


def test_init_twice_is_refused() -> None:
    run(*INIT)
    assert "has an organization already" in error_line(run(*INIT), 1)


def test_init_wants_a_real_address() -> None:
    assert error_line(run(*INIT, "--owner-email", "ada"), 1) == (
        "Enter a valid email address; 'ada' is none."
    )


def test_missing_options_are_named() -> None:
    assert "--owner-email" in error_line(run("init", "--name", "Our team", "--owner-name", "Ada"), 2)


def test_a_link_to_nothing_is_not_followed(home: Path) -> None:
    (home / "chat.db").symlink_to(home / "elsewhere.db")
    assert "a link to nothing" in error_line(run(*INIT), 3)
    assert not (home / "elsewhere.db").exists()


@pytest.mark.parametrize("role", ["owner", "administrator", "moderator", "member", "guest"])
def test_a_user_is_made_with_a_role(role: str) -> None:
    run(*INIT)
    account = json.loads(
        run(
            "user", "create", "--email", "gus@example.com", "--name", "Gus Berg", "--role", role, "--json"
        ).stdout
    )
    assert account["user_id"] > 1
    assert account["email"] == "gus@example.com"
    assert re.fullmatch("[a-z0-9]{32}", account["api_key"])


def test_a_bot_is_made() -> None:
    run(*INIT)
    result = run("user", "create", "--email", "bot@example.com", "--name", "Bot", "--bot")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1] == "email    bot@example.com"


def test_a_password_is_read_from_standard_input() -> None:
    run(*INIT)
    create = ["user", "create", "--email", "gus@example.com", "--name", "Gus", "--password-stdin"]
    assert "6 to 100 characters" in error_line(run(*create, input="short\n"), 1)
    assert "Standard input is empty" in error_line(run(*create, input=""), 2)
    assert "A bot has no password" in error_line(run(*create, "--bot", input="secret\n"), 2)
    assert run(*create, input="correct horse\n").exit_code == 0


def test_a_byte_order_mark_is_no_part_of_a_file(home: Path) -> None:
    """As some editors write it in front of every text."""
    database = 'database_url = "sqlite:///file.db"\n'
    (home / "chatcore.toml").write_bytes(BOM_UTF8 + database.encode())
    assert run(*INIT).exit_code == 0
    assert (home / "file.db").exists()
    create = ["user", "create", "--email", "gus@example.com", "--name", "Gus", "--password-stdin"]
    assert "6 to 100 characters" in error_line(run(*create, input="\ufeffshort\n"), 1)
    line = {"timestamp": 1, "channel": "lunch", "topic": "soup", "sender": "User 7", "content": "Hi"}
    (home / "chat.jsonl").write_bytes(BOM_UTF8 + json.dumps(line).encode() + b"\r\n")
    assert run("import", "corpus", "chat.jsonl").exit_code == 0


def test_an_address_that_is_taken_is_refused() -> None:
    run(*INIT)
    result = run("user", "create", "--email", "ADA@example.com", "--name", "Ada again")
    assert "already in use" in error_line(result, 1)


def test_a_key_is_printed_again() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    assert json.loads(run("user", "key", "Ada@example.com", "--json").stdout) == ada
    assert ada["api_key"] in run("user", "key", "ada@example.com").stdout
    assert "chatcore user list" in error_line(run("user", "key", "gus@example.com"), 1)


def asked(
    account: Mapping[str, str], method: str, path: str, of: wsgi.LazyApplication | None = None, **form: str
) -> TestResponse:
    """The answer of a server to a request with this address and key."""
    pair = f"{account['email']}:{account['api_key']}".encode()
    headers = {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
    client = Client(of or wsgi.LazyApplication())
    return client.open(f"/api/v1{path}", method=method, headers=headers, data=form)


def test_an_account_gets_a_password_at_any_time() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    for password in ("correct horse", "battery staple"):
        result = run("user", "password", "Ada@example.com", "--json", input=f"{password}\n")
        assert result.exit_code == 0, result.output
        login = {"username": ada["email"], "password": password}
        fetched = asked(ada, "POST", "/fetch_api_key", **login).get_json()
        assert fetched["api_key"] == json.loads(result.stdout)["api_key"]
        assert asked(ada, "GET", "/users/me").status_code == 401  # as after any new password
        ada = json.loads(result.stdout)
    assert "6 to 100 characters" in error_line(run("user", "password", ada["email"], input="short\n"), 1)
    assert "chatcore user list" in error_line(run("user", "password", "gus@example.com", input="x\n"), 1)
    bot = "notification-bot@127.0.0.1"
    assert "A bot has no password" in error_line(run("user", "password", bot, input="long enough\n"), 1)
    assert asked(ada, "GET", "/users/me").status_code == 200


def test_a_command_allows_passwords_again() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    assert run("organization", "set", "password_auth_enabled", "off").exit_code == 0
    result = run("user", "password", ada["email"], "--json", input="correct horse\n")
    assert "'chatcore organization set password_auth_enabled on' allows it" in result.stderr
    login = {"username": ada["email"], "password": "correct horse"}
    ada = json.loads(result.stdout)
    assert asked(ada, "POST", "/fetch_api_key", **login).get_json()["code"] == "PASSWORD_AUTH_DISABLED"
    assert run("organization", "set", "password_auth_enabled", "on").exit_code == 0
    assert asked(ada, "POST", "/fetch_api_key", **login).get_json()["api_key"] == ada["api_key"]


def test_an_owner_is_allowed_to_change_addresses() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)

    def allow(email: str, what: str, state: str) -> Result:
        return run("user", "allow", email, what, state)

    def change(address: str) -> int:
        return asked(ada, "PATCH", "/settings", email=address).status_code

    assert change("other@example.com") == 400
    assert allow(ada["email"], "change-emails", "on").exit_code == 0
    assert change("fox@example.com") == 200
    ada["email"] = "fox@example.com"
    assert allow("fox@example.com", "change-emails", "off").exit_code == 0
    assert change("other@example.com") == 400
    run("user", "create", "--email", "gus@example.com", "--name", "Gus Berg")
    for what, role in (("change-emails", "owner"), ("create-users", "administrator")):
        assert f"no {role}" in error_line(allow("gus@example.com", what, "on"), 1)
    assert "chatcore user list" in error_line(allow("nobody@example.com", "create-users", "on"), 1)


def test_an_account_is_deactivated_and_comes_back() -> None:
    run(*INIT)
    create = ["user", "create", "--email", "gus@example.com", "--name", "Gus Berg", "--json"]
    gus = json.loads(run(*create).stdout)
    assert run("user", "deactivate", "gus@example.com").stdout == "gus@example.com is deactivated.\n"
    assert asked(gus, "GET", "/users/me").get_json()["code"] == "USER_DEACTIVATED"
    for command in ("key", "new-key", "password"):
        assert "is deactivated" in error_line(run("user", command, "gus@example.com", input="password\n"), 1)
    assert "already deactivated" in error_line(run("user", "deactivate", "gus@example.com"), 1)
    assert run("user", "list").stdout.endswith("Gus Berg  (deactivated)\n")
    assert run("user", "reactivate", "gus@example.com").stdout == "gus@example.com is active.\n"
    assert asked(gus, "GET", "/users/me").status_code == 200
    assert "only organization owner" in error_line(run("user", "deactivate", "ada@example.com"), 1)


def test_an_account_gets_another_role() -> None:
    run(*INIT)
    create = ["user", "create", "--email", "gus@example.com", "--name", "Gus Berg", "--json"]
    gus = json.loads(run(*create).stdout)
    assert run("user", "role", "gus@example.com", "owner").stdout == "gus@example.com is owner.\n"
    assert asked(gus, "GET", "/users/me").get_json()["role"] == 100
    assert run("user", "role", "ada@example.com", "guest").exit_code == 0
    refusal = error_line(run("user", "role", "ada@example.com", "administrator"), 1)
    assert refusal.startswith("Guests cannot be administrators")
    assert "only organization owner" in error_line(run("user", "role", "gus@example.com", "member"), 1)
    error_line(run("user", "role", "gus@example.com", "king"), 2)
    error_line(run("user", "role", "notification-bot@127.0.0.1", "owner"), 1)


def test_an_account_is_shown_with_what_it_uses() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    create = ["user", "create", "--email", "gus@example.com", "--name", "Gus Berg", "--json"]
    gus = json.loads(run(*create).stdout)
    file = {"file": (io.BytesIO(b"12345"), "five.txt")}
    pair = base64.b64encode(f"{gus['email']}:{gus['api_key']}".encode()).decode()
    headers = {"Authorization": f"Basic {pair}"}
    Client(wsgi.LazyApplication()).post("/api/v1/user_uploads", headers=headers, data=file)
    usage = json.loads(run("user", "show", "Gus@example.com", "--json").stdout)["usage"]
    assert usage["file_bytes"] == {"used": 5, "limit": 20 * 2**30}
    assert usage["uploaded_bytes"] == {"used": 5, "limit": 5 * 2**30}
    assert usage["channels"]["used"] == 0
    shown = run("user", "show", ada["email"]).stdout
    assert shown.startswith("ada@example.com: Ada Fox, owner, active\n")
    assert "0 of 5,368,709,120" in shown
    assert re.search(r"^channels +0 without limit$", shown, re.MULTILINE)
    usage = json.loads(run("user", "show", ada["email"], "--json").stdout)["usage"]
    assert (usage["channels"], usage["returns"]["used"]) == ({"used": 0, "limit": None}, 0)
    assert "chatcore user list" in error_line(run("user", "show", "nobody@example.com"), 1)


def test_a_key_that_others_know_is_replaced() -> None:
    run(*INIT)
    create = ["user", "create", "--email", "robo@example.com", "--name", "Robo", "--bot", "--json"]
    old = json.loads(run(*create).stdout)
    new = json.loads(run("user", "new-key", "robo@example.com", "--json").stdout)
    assert (
        new
        == {**old, "api_key": new["api_key"]}
        == json.loads(run("user", "key", old["email"], "--json").stdout)
    )
    assert [asked(one, "GET", "/users/me").status_code for one in (old, new)] == [401, 200]


def test_permissions_that_only_the_operator_gives(home: Path) -> None:
    run(*INIT)

    def given() -> tuple[int, ...]:
        with sqlite3.connect(home / "chat.db") as connection:
            columns = "can_create_users, can_change_user_emails"
            rows = connection.execute(f"SELECT {columns} FROM account WHERE email = 'ada@example.com'")
            found: tuple[int, ...] = rows.fetchone()
        connection.close()
        return found

    for what, state, expected in (
        ("create-users", "on", (1, 0)), ("change-emails", "on", (1, 1)), ("create-users", "off", (0, 1)),
    ):  # fmt: skip
        announced = run("user", "allow", "ada@example.com", what, state).stdout
        assert announced == f"ada@example.com: {what} is {state}.\n"
        assert given() == expected
    assert "Ada Fox  (may change-emails)\n" in run("user", "list").stdout
    assert json.loads(run("user", "list", "--json").stdout)[0]["allowed"] == ["change-emails"]


def test_all_accounts_are_listed() -> None:
    run(*INIT)
    created = run("user", "create", "--email", "gus@example.com", "--name", "Gus Berg", "--role", "guest")
    assert "Next: " in created.stdout
    lines = [line.split() for line in run("user", "list").stdout.splitlines()]
    assert [line[1:] for line in lines] == [
        ["ada@example.com", "owner", "Ada", "Fox"],
        ["notification-bot@127.0.0.1", "member", "Notification", "Bot", "(bot)"],
        ["gus@example.com", "guest", "Gus", "Berg"],
    ]
    listed = json.loads(run("user", "list", "--json").stdout)
    assert [one["user_id"] for one in listed] == [int(line[0]) for line in lines]
    assert listed[2]["role"] == "guest"


def test_a_user_of_no_organization_is_refused(home: Path) -> None:
    create = ["user", "create", "--email", "gus@example.com", "--name", "Gus"]
    assert "chatcore init" in error_line(run(*create), 3)
    assert list(home.iterdir()) == []


def test_the_web_is_let_in_and_kept_out() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    client = Client(wsgi.LazyApplication())
    open_channel = {"subscriptions": '[{"name": "open"}]', "is_web_public": "true"}
    refusal = asked(ada, "POST", "/users/me/subscriptions", **open_channel).get_json()
    assert "chatcore public-access on" in refusal["msg"]
    for state, status in (("on", 200), ("off", 401), ("off", 401)):
        result = run("public-access", state)
        assert result.exit_code == 0, result.output
        assert result.stdout == f"Public access is {state}.\n"
        assert client.post("/api/v1/register").status_code == status
        made = asked(ada, "POST", "/users/me/subscriptions", **open_channel)
        assert made.status_code == 200  # it is made once, and is there from then on
        page = {"anchor": "newest", "num_before": 1, "num_after": 0}
        narrow = '[["channels", "web-public"], ["channel", "open"]]'
        answer = client.get("/api/v1/messages", query_string={**page, "narrow": narrow})
        assert answer.status_code == status
        answer = client.get("/api/v1/messages", query_string={**page, "narrow": '[["channel", "open"]]'})
        assert answer.status_code == 401
    error_line(run("public-access", "perhaps"), 2)


def test_a_deactivated_organization_is_reactivated() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    assert asked(ada, "POST", "/realm/deactivate").status_code == 200
    assert asked(ada, "GET", "/users/me").get_json()["code"] == "REALM_DEACTIVATED"
    assert run("organization", "reactivate").stdout == "The organization is active.\n"
    assert asked(ada, "GET", "/users/me").status_code == 200


def test_the_organization_is_set_to_something_else() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    for name, value, announced in (
        ("name", "Salads", "name = Salads"),
        ("enable_read_receipts", "on", "enable_read_receipts = on"),
        ("enable_read_receipts", "False", "enable_read_receipts = off"),
        ("enable_read_receipts", "true", "enable_read_receipts = on"),
        ("message_content_edit_limit_seconds", "unlimited", "message_content_edit_limit_seconds = unlimited"),
        ("new_stream_announcements_stream_id", "-1", "new_stream_announcements_stream_id = -1"),
        ("waiting_period_threshold", "3", "waiting_period_threshold = 3"),
    ):
        result = run("organization", "set", name, value)
        assert result.stdout == f"{announced}\n", result.output
        assert announced in run("organization", "show").stdout
    shown = json.loads(run("organization", "show", "--json").stdout)
    assert (shown["name"], shown["enable_read_receipts"]) == ("Salads", True)
    assert run("organization", "show").stdout.count("Owners only.") == 8
    assert asked(ada, "GET", "/users/me").status_code == 200
    for name, value, said in (
        ("enable_read_receipts", "perhaps", "use 'on' or 'off'"),
        ("enable_read_receipts", "", "use 'on' or 'off'"),
        ("waiting_period_threshold", "-3", "Expected 0 to 36500"),
        ("waiting_period_threshold", "--5", "Expected an integer"),
        ("name", "", "can't be empty"),
        ("colour", "red", "There is no setting 'colour'; 'chatcore organization show' lists them."),
    ):
        assert said in error_line(run("organization", "set", name, value), 1)
    assert json.loads(run("organization", "show", "--json").stdout) == shown


@pytest.mark.parametrize(
    ("name", "owner", "said"),
    [
        ("", "Ada Fox", "The name of the organization can't be empty."),
        ("x" * 300, "Ada Fox", "The name of the organization is too long (limit: 40 characters)."),
        ("T", "A", "Name too short! A person or bot has a name of 2 to 100 characters."),
        ("T", "A" * 101, "Name too long! A person or bot has a name of 2 to 100 characters."),
    ],
)
def test_init_takes_names_that_can_be_shown(name: str, owner: str, said: str) -> None:
    result = run("init", "--name", name, "--owner-email", "ada@example.com", "--owner-name", owner)
    assert error_line(result, 1) == said


# -- settings ---------------------------------------------------------------------------------------


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(home: Path) -> None:
    (home / "chatcore.toml").write_text('database_url = "sqlite:///file.db"\n')
    init = ["init", "--name", "T", "--owner-email", "ada@example.com", "--owner-name", "Ada Fox"]
    assert run(*init).exit_code == 0
    assert run(*init, env={"CHATCORE_DATABASE_URL": "sqlite:///environment.db"}).exit_code == 0
    result = run(
        *init, "--database", "sqlite:///line.db", env={"CHATCORE_DATABASE_URL": "sqlite:///environment2.db"}
    )
    assert result.exit_code == 0
    assert sorted(path.name for path in home.glob("*.db")) == ["environment.db", "file.db", "line.db"]


def test_options_of_one_command_are_in_a_table_of_the_file(home: Path) -> None:
    (home / "settings.toml").write_text(
        '[init]\nname = "T"\nowner_email = "ada@example.com"\nowner_name = "Ada"\njson = true\n'
    )
    result = run("--config", "settings.toml", "init")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["email"] == "ada@example.com"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            'databse_url = "sqlite:///chat.db"',
            "there is no setting 'databse_url'; do you mean 'database_url'?",
        ),
        ("CHATCORE_PORT = 8000", "there is no setting 'chatcore_port'; do you mean 'port'?"),
        ("xyzzy = 1", "there is no setting 'xyzzy'."),
        ("port = ", "is not TOML"),
        ("port = [1]", "'port' must be text, a number, true or false"),
        ('port = "x"', "chatcore.toml: 'port' cannot be used: 'x' is not a valid number"),
        ("port = 65536", "chatcore.toml: 'port' cannot be used: 65536 is not in the range"),
        ('demo = "perhaps"', "chatcore.toml: 'demo' cannot be used: 'perhaps' is not a valid boolean"),
        ('gravatar = "perhaps"', "chatcore.toml: 'gravatar' is 'perhaps': use 'on' or 'off'."),
        ('[rate_limits]\napi_by_user = "much"', "'rate_limits_api_by_user' is 'much': use a limit such as"),
    ],
)
def test_a_mistake_in_the_settings_file_is_explained(home: Path, text: str, reason: str) -> None:
    (home / "chatcore.toml").write_text(text)
    for command in ("check", "serve"):
        assert reason in error_line(run(command), 2)


def test_a_mistake_in_the_name_of_a_variable_is_a_warning(home: Path) -> None:
    environment = {
        "CHATCORE_PROT": "8000",
        "CHATCORE_XYZZY": "1",
        "CHATCORE_TESTS_XYZZY": "1",
        "CHATCORE_CONFIG": "settings.toml",
        "CHATCORE_RATE_LIMITS_API_BY_USER": "5/minute",
    }
    (home / "settings.toml").touch()
    result = run(*INIT, env=environment)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "Warning: there is no setting 'CHATCORE_PROT'; do you mean 'CHATCORE_PORT'?",
        "Warning: there is no setting 'CHATCORE_XYZZY'.",
    ]


@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("CHATCORE_DEVELOPMENT", "maybe", "use 'on' or 'off'"),
        ("CHATCORE_TRUSTED_PROXIES", "-1", "use a number"),
        ("CHATCORE_FORWARDED_HEADERS", "for, port", "use some of for, proto, host, prefix"),
        ("CHATCORE_EXTERNAL_IMAGES", "some", "use one of proxy, off, direct"),
        ("CHATCORE_FRAME_ANCESTORS", "https://*.example.com", "use scheme, host and port alone"),
        ("CHATCORE_SECRET_KEY", "hunter2", "at least 32"),
        ("CHATCORE_EXTERNAL_URL", "chat.example.com", "use the complete address"),
        ("CHATCORE_METRICS_TOKEN", "hunter2", "it needs at least 20 plain characters"),
        ("CHATCORE_SECRET_KEY_FILE", "nothing.txt", "No such file"),
        ("CHATCORE_DATABASE_URL", "chat.db", "'chat.db' is not a database URL; use sqlite:///chat.db"),
        ("CHATCORE_DATABASE_URL", "sqlite:chat.db", "names no file"),
    ],
)
def test_a_wrong_variable_is_explained(variable: str, value: str, reason: str) -> None:
    said = error_line(run("check", env={variable: value}), 2)
    assert reason in said
    assert "hunter2" not in said


def test_other_wsgi_servers_read_the_same_file(home: Path) -> None:
    (home / "chatcore.toml").write_text(
        'database_url = "sqlite:///team.db"\nexternal_url = "https://chat.example.org"\n'
    )
    assert run(*INIT).exit_code == 0
    client = Client(wsgi.LazyApplication())
    assert client.get("/api/v1/server_settings").json["realm_url"] == "https://chat.example.org"
    assert (home / "team.db").exists()


def test_a_worker_of_gunicorn_stops_before_it_closes_its_stores(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    application = wsgi.LazyApplication()
    monkeypatch.setattr("chatcore.wsgi.application", application)
    queue = asked(ada, "POST", "/register", of=application, event_types='["message"]').json["queue_id"]
    others = set(threading.enumerate())
    asked(ada, "GET", f"/events?queue_id={queue}&last_event_id=-1&dont_block=true", of=application)
    (follower,) = [one for one in set(threading.enumerate()) - others if one.name == "chatcore-events"]
    gunicorn_conf.worker_exit(None, SimpleNamespace(alive=False, booted=True, log=logging.getLogger()))
    assert not follower.is_alive()


# -- databases that cannot be used ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("patched", "expected"), [(True, "run_in_threadpool wait_for_socket"), (False, "run_here None")]
)
def test_slow_work_runs_in_threads_where_the_server_has_greenlets(patched: bool, expected: str) -> None:
    patch = "from gevent import monkey; monkey.patch_all(); " if patched else ""
    names = "wsgi.choose_run_blocking().__name__, getattr(wsgi.choose_wait_for_socket(), '__name__', None)"
    program = f"{patch}import wsgi; print({names})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": str(Path(wsgi.__file__).parent)},  # noqa: TID251
    )  # fmt: skip
    assert done.stdout.strip() == expected


def test_a_data_folder_that_cannot_be_made_is_named(home: Path) -> None:
    (home / "file").touch()
    said = error_line(run(*INIT, env={"CHATCORE_DATA_DIR": f"{home}/file/data"}), 2)
    assert f"the secret cannot be written to {home}/file/data/secret_key: Not a directory" in said


def test_a_folder_that_does_not_exist_is_named(home: Path) -> None:
    said = error_line(run(*INIT, "--database", f"sqlite:///{home}/nowhere/chat.db"), 3)
    assert f"the folder of the database file does not exist: {home}/nowhere; make it, or" in said
    assert list(home.iterdir()) == []


def test_a_stopped_postgresql_has_its_own_error() -> None:
    port = free_port()
    said = error_line(run(*INIT, "--database", f"postgresql://chat@127.0.0.1:{port}/chat"), 3)
    assert "cannot connect to PostgreSQL" in said
    assert str(port) in said


def test_a_file_that_is_no_database_is_refused(home: Path) -> None:
    (home / "chat.db").write_text("Dear diary, " * 100)
    assert f"{home}/chat.db cannot be used: file is not a database" in error_line(run(*INIT), 3)


def test_a_database_of_another_user_is_named_with_its_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after `init` by root, if the service runs as another user."""
    folder = Path(tempfile.mkdtemp())  # outside that of the tests, which nobody else may enter
    monkeypatch.chdir("/")
    try:
        folder.chmod(0o777)
        database = ("--database", f"sqlite:///{folder}/chat.db")
        run(*INIT, *database)
        for one in (database, ("--database", "sqlite:///nowhere/chat.db")):
            run("user", "list", *one)  # imports what nobody else may be able to
        with as_another_user(folder / "chat.db"):
            said = error_line(run("user", "list", *database), 3)
        assert f"{folder}/chat.db is closed to the user '" in said
        owner = pwd.getpwuid(os.geteuid()).pw_name
        assert f"it belongs to '{owner}' and has mode " in said
        folder.chmod(0o700)
        with as_another_user(folder):
            assert f"{folder} is closed to the user '" in error_line(run("user", "list", *database), 3)
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


@contextmanager
def as_another_user(path: Path) -> Iterator[None]:
    """As root, act as another user; as any other user, remove the permissions of *path*."""
    if os.geteuid():
        path.chmod(0)
        yield
        return
    os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_newer_database_is_refused(home: Path) -> None:
    run(*INIT)
    with sqlite3.connect(home / "chat.db") as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        (table,) = [name for name in names if "migrat" in name]
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        row = dict(zip(columns, connection.execute(f"SELECT * FROM {table}").fetchone(), strict=True))
        row |= {"name": "9999_from_the_future"}
        row.pop("id", None)
        places = ", ".join("?" for _ in row)
        connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))
    connection.close()
    assert "made by a newer version" in error_line(run(*INIT), 3)
    assert "made by a newer version" in run("check").stdout


# -- import -----------------------------------------------------------------------------------------


def test_an_archive_is_imported_once(home: Path) -> None:
    run(*INIT)
    archive = home / "archive.jsonl.gz"
    lines = [*MESSAGES[:-1], {**MESSAGES[-1], "content": "[soup.png](/user_uploads/9/abc/soup.png)"}]
    archive.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in lines).encode()))
    result = run("import", "corpus", str(archive))
    assert result.exit_code == 0, result.output
    done, hint = result.stdout.splitlines()
    assert done == "3 messages; 3 users, 1 channel. 1 message links to files that are not there."
    assert hint == "Next: chatcore serve; 'chatcore user list' shows the accounts"
    assert "nothing to do" in run("import", "corpus", str(archive)).stdout


def test_a_bad_line_of_an_archive_is_named(home: Path) -> None:
    run(*INIT)
    archive = home / "archive.jsonl"
    archive.write_text(json.dumps(MESSAGES[0]) + "\n{}\n")
    result = run("import", "corpus", str(archive))
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith(f"Error: {archive}, line 2: ")


def test_an_import_that_is_interrupted_says_how_to_go_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    run(*INIT)
    (home / "archive.jsonl").write_text(json.dumps(MESSAGES[0]) + "\n")
    monkeypatch.setattr("chatcore.application.imports.importing.import_corpus", interrupted)
    result = run("import", "corpus", "archive.jsonl")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("Error: Interrupted; run the command again")


def test_an_archive_that_is_not_there_is_named() -> None:
    assert "'nothing.jsonl' does not exist" in error_line(run("import", "corpus", "nothing.jsonl"), 2)


# -- check ------------------------------------------------------------------------------------------


def test_check_finds_that_all_is_well(home: Path) -> None:
    run(*INIT)
    result = run("check")
    assert result.exit_code == 0, result.output
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["database", "ok"],
        ["roles", "ok"],
        ["archive", "ok"],
        ["retention", "ok"],
        ["secret", "ok"],
        ["disk", "ok"],
    ]
    assert "'Our team', up to date, 1 person and 1 bot\n" in result.stdout


def test_check_finds_bots_above_their_owners(home: Path) -> None:
    run(*INIT)
    with closing(open_storage(f"sqlite:///{home}/chat.db")) as storage:

        def write(tx: Transaction) -> None:
            owner = add_user(tx, "gus", role=Role.MEMBER)
            add_user(tx, "keeper", role=Role.ADMINISTRATOR, is_bot=True, bot_owner_id=owner.id)

        storage.write(write)
    result = run("check")
    assert result.exit_code == 1
    assert (
        "FAILED  1 bot has a role above the owner's: keeper@example.com (now administrator)" in result.stdout
    )
    run("user", "role", "keeper@example.com", "member")
    assert run("check").exit_code == 0


def test_check_changes_nothing(home: Path) -> None:
    result = run("check")
    assert result.exit_code == 3
    assert f"there is no database yet: {home}/chat.db; create one with 'chatcore init'" in result.stdout
    assert "cannot be checked without the database" in result.stdout
    assert list(home.iterdir()) == []


def test_check_finds_what_others_can_read(home: Path) -> None:
    run(*INIT)
    (home / "chat.db").chmod(0o644)
    assert "chmod 600" in run("check").stdout
    (home / "chat.db").chmod(0o600)
    (home / "chat-data" / "secret_key").chmod(0o640)
    result = run("check")
    assert result.exit_code == 1
    assert "others can read the secret" in result.stdout
    assert "others can read the secret" in error_line(
        run("user", "create", "--email", "a@b.c", "--name", "Gus"), 2
    )


def test_check_looks_at_each_of_several_organizations(home: Path) -> None:
    for name in ("club", "team"):
        (home / name).mkdir()
        (home / name / "chatcore.toml").write_text(f'external_url = "https://{name}.example.com"\n')
    club = ("--database", f"sqlite:///{home}/club/chat.db")
    assert run(*INIT, *club, env={"CHATCORE_EXTERNAL_URL": "https://club.example.com"}).exit_code == 0
    by_name, by_variable = run("check", "--organizations", "."), run("check", env={ORGANIZATIONS: "."})
    assert by_name.output == by_variable.output
    assert by_name.exit_code == by_variable.exit_code == 3
    lines = by_name.stdout.splitlines()
    assert [lines[0], lines[8]] == [
        f"{one}.example.com: sqlite:///{home}/{one}/chat.db" for one in ("club", "team")
    ]
    assert [line.split()[1] for line in lines[1:8]] == ["ok"] * 7
    assert f"FAILED  there is no database yet: {home}/team/chat.db" in lines[9]
    assert "cannot be combined" in error_line(run("check", "--organizations", ".", *club), 2)


def test_check_knows_a_secret_from_the_settings() -> None:
    environment = {"CHATCORE_SECRET_KEY": "x" * 32}
    run(*INIT, env=environment)
    assert "from the settings" in run("check", env=environment).stdout


def test_check_finds_a_secret_file_that_others_can_read(home: Path) -> None:
    file = home / "secret"
    file.write_text("x" * 32)
    file.chmod(0o600)
    environment = {"CHATCORE_SECRET_KEY_FILE": "secret"}
    run(*INIT, env=environment)
    assert "secret     ok      secret\n" in run("check", env=environment).stdout
    file.chmod(0o640)
    result = run("check", env=environment)
    assert result.exit_code == 1
    assert "secret     FAILED  others can read the secret in secret; run: chmod 600 secret" in result.stdout


def test_check_finds_a_disk_that_is_nearly_full(monkeypatch: pytest.MonkeyPatch) -> None:
    run(*INIT)
    usage = shutil.disk_usage(".")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=5 * 2**20))
    result = run("check")
    assert result.exit_code == 1
    assert "only 5 MiB are free" in result.stdout


# -- serving ----------------------------------------------------------------------------------------


class Server(Served):
    def __init__(
        self, *arguments: str, environment: Mapping[str, str] | None = None, is_new: bool = False
    ) -> None:
        log = Path("serve.log")
        log.unlink(missing_ok=True)
        variables = {**os.environ, **(environment or {})}  # noqa: TID251
        super().__init__(*arguments, log=log, environment=variables, is_new=is_new)

    @property
    def log(self) -> str:
        return Path("serve.log").read_text()

    def call(self, path: str, login: tuple[str, str] | None = None, **form: str) -> Any:
        request = urllib.request.Request(f"{self.url}/api/v1{path}")
        if login is not None:
            key = base64.b64encode(":".join(login).encode()).decode()
            request.add_header("Authorization", f"Basic {key}")
        request.data = urllib.parse.urlencode(form).encode() if form else None
        return self._answer(request)

    def _answer(self, request: urllib.request.Request) -> Any:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)

    def upload(self, path: str, login: tuple[str, str], data: bytes) -> Any:
        boundary = b"--boundary"
        disposition = b'Content-Disposition: form-data; name="file"; filename="a.png"'
        request = urllib.request.Request(
            f"{self.url}/api/v1{path}",
            b"\r\n".join([boundary, disposition, b"", data, boundary + b"--", b""]),
            {
                "Authorization": f"Basic {base64.b64encode(':'.join(login).encode()).decode()}",
                "Content-Type": "multipart/form-data; boundary=boundary",
            },
        )
        return self._answer(request)

    def stop(self) -> int:
        self.call("/server_settings")  # from the first answer on it knows how to stop
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(
    *arguments: str, environment: Mapping[str, str] | None = None, is_new: bool = False
) -> Iterator[Server]:
    server = Server(*arguments, environment=environment, is_new=is_new)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
        assert server.process.stdout is not None
        server.process.stdout.close()


def refused_to_serve(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "chatcore.cli", "serve", "--port", "0", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.splitlines()[-1]


def test_sec_a_header_that_anybody_could_send_is_refused_at_the_start(home: Path) -> None:
    (home / "chatcore.toml").write_text('remote_user_header = "Remote-User"\n')
    code, said = refused_to_serve()
    assert code != 0
    assert "remote_user_header is set without remote_user_proxies" in said
    assert not (home / "chat.db").exists()


def test_a_server_is_started_used_and_stopped(home: Path) -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    login = (ada["email"], ada["api_key"])
    with serving(is_new=True) as server:
        assert f"Serving sqlite:///{home}/chat.db at " in server.said
        assert "migrations" not in server.log
        assert server.call("/users/me", login)["full_name"] == "Ada Fox"
        assert server.call("/dev_fetch_api_key", username="ada@example.com")["result"] == "error"
        # Accounts can be made meanwhile, and are known at once.
        gus = json.loads(
            run("user", "create", "--email", "gus@example.com", "--name", "Gus", "--json").stdout
        )
        assert server.call("/users/me", (gus["email"], gus["api_key"]))["full_name"] == "Gus"
        assert server.stop() == 0
    assert ada["api_key"] not in server.log
    for path in home.glob("chat.db*"):
        assert mode(path) == 0o600, path


@pytest.mark.shows("fetch.message-ids", "fetch.message-ids-limit")
def test_as_many_messages_as_may_be_are_asked_for_by_their_ids() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    login = (ada["email"], ada["api_key"])
    with serving() as server:
        to = json.dumps([server.call("/users/me", login)["user_id"]])
        sent = server.call("/messages", login, type="direct", to=to, content="soup")["id"]
        longest = range(10**15, 10**15 + 5000)  # 16 digits each
        for ids, expected in (([sent, *longest[1:]], [sent]), ([sent, *longest], None)):
            query = urllib.parse.quote(json.dumps(ids))
            assert query.count("%2C%20") == len(ids) - 1
            answer = server.call(f"/messages?message_ids={query}&client_gravatar=false", login)
            found = [message["id"] for message in answer.get("messages", ())]
            assert found == expected if expected else answer["code"] == "BAD_REQUEST"


def test_a_refused_picture_leaves_nothing_in_the_log() -> None:
    """The log contains neither a traceback of the decoding thread nor the decoder's remark on the size."""
    ada = json.loads(run(*INIT, "--json").stdout)
    login = (ada["email"], ada["api_key"])
    with serving() as server:
        for picture in (b"no picture", png(10_000, 10_000)):
            assert server.upload("/users/me/avatar", login, picture)["code"] == "BAD_IMAGE"
        assert server.stop() == 0
    assert [line for line in server.log.splitlines() if "chatcore.access" not in line] == []


def test_an_idle_server_is_small() -> None:
    run(*INIT)
    with serving(is_new=True) as server:
        status = Path(f"/proc/{server.process.pid}/status")
        if not status.exists():
            pytest.skip("memory is measured on Linux only")
        server.call("/server_settings")
        (resident,) = re.findall(r"VmRSS:\s+(\d+) kB", status.read_text())
        assert int(resident) <= 80 * 1024 * (1.5 if "coverage" in sys.modules else 1)


RARELY_NEEDED = {
    "PIL", "aiosmtpd", "chatcore.application.imports", "chatcore.demo", "prometheus_client",
    "psycopg.connection", "_quickjs", "requests", "rich", "smtplib", "snowballstemmer", "tarfile", "unittest",
    "urllib3",
}  # fmt: skip
"""Modules that are imported when they are first used."""


def test_an_idle_server_has_not_imported_what_is_rarely_needed() -> None:
    run(*INIT)
    with serving(environment={"PYTHONPROFILEIMPORTTIME": "1"}, is_new=True) as server:
        server.call("/server_settings")
        imported = set(re.findall(r"^import time: .* ([\w.]+)$", server.log, re.MULTILINE))
    assert "chatcore.http.app" in imported
    assert imported & RARELY_NEEDED == set()


def test_a_second_server_on_the_same_file_is_refused() -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    with serving() as server:
        code, said = refused_to_serve()
        assert code == 1
        assert f"Another server (process {server.process.pid}) already serves chat.db" in said
        server.process.kill()
        server.process.wait()
    with serving() as server:  # who was killed does not stand in the way, and the keys are still good
        assert server.call("/users/me", (ada["email"], ada["api_key"]))["result"] == "success"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_second_server_by_another_name_of_the_file_is_refused(link: Callable[[str, str], None]) -> None:
    run(*INIT)
    link("chat.db", "other.db")
    with serving():
        code, said = refused_to_serve("--database", "sqlite:///other.db")
        assert (code, "already serves" in said) == (1, True), said


def test_a_port_that_is_taken_is_named() -> None:
    run(*INIT)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, said = refused_to_serve("--port", str(taken.getsockname()[1]))
    assert code == 1
    assert "is taken" in said
    assert "--port" in said


def test_a_database_without_an_organization_is_not_served(home: Path) -> None:
    code, said = refused_to_serve()
    assert code == 3
    assert "chatcore init" in said
    assert list(home.iterdir()) == []


def test_a_folder_that_does_not_exist_is_named_by_serve(home: Path) -> None:
    code, said = refused_to_serve("--database", f"sqlite:///{home}/nowhere/chat.db")
    assert code == 3
    assert f"{home}/nowhere" in said


def test_several_workers_want_postgresql() -> None:
    said = error_line(run("serve", "--workers", "2"), 2)
    assert "postgresql://" in said


def test_several_workers_serve_a_postgresql(postgres: PostgresServer) -> None:
    with postgres.database() as url:
        ada = json.loads(run(*INIT, "--database", url, "--json").stdout)
        with serving("--database", url, "--workers", "2") as server:
            assert "://" not in server.said.partition(" at ")[0].replace("postgresql://", "")
            for _ in range(8):
                assert server.call("/users/me", (ada["email"], ada["api_key"]))["result"] == "success"
            assert server.stop() == 0


def test_any_of_several_workers_gives_the_metrics_of_all(
    home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(home))
    settings = {"CHATCORE_METRICS_TOKEN": "t" * 32, "CHATCORE_RATE_LIMITS": "off"}
    with postgres.database() as url:
        run(*INIT, "--database", url)
        with serving("--database", url, "--workers", "2", environment=settings) as server:
            (folder,) = home.glob("chatcore-metrics-*")
            assert mode(folder) == 0o700

            def have_answered() -> bool:
                """Whether each worker has answered something."""
                server.call("/server_settings")
                return len(list(folder.glob("counter_*.db"))) == 2

            until(have_answered)
            workers, before = set(worker_pids(server)), metrics(server)
            for _ in range(10):
                server.call("/server_settings")
            answers = 'chatcore_answers_total{method="GET",route="/api/v1/server_settings",status="200"}'
            assert {metrics(server)[answers] - before[answers] for _ in range(8)} == {10}
            assert before["chatcore_waiting_polls"] == 0
            assert {f'process_resident_memory_bytes{{pid="{pid}"}}' for pid in workers} <= before.keys()
            killed = workers.pop()
            os.kill(killed, signal.SIGKILL)
            until(lambda: len({*worker_pids(server)} - {killed}) == 2)
            after = metrics(server)
            assert after[answers] == before[answers] + 10, "what it had counted stays"
            assert f'process_resident_memory_bytes{{pid="{killed}"}}' not in after
            assert server.stop() == 0
    assert not folder.exists()


def worker_pids(server: Server) -> list[int]:
    listed = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
    return [int(pid) for pid in listed.split()]


def metrics(server: Server) -> dict[str, float]:
    request = urllib.request.Request(f"{server.url}/metrics", headers={"Authorization": f"Bearer {'t' * 32}"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        lines = answer.read().decode().splitlines()
    return {
        name: float(value) for name, _, value in (line.rpartition(" ") for line in lines) if name[0] != "#"
    }


def test_a_data_folder_and_external_address_can_be_set(home: Path) -> None:
    environment = {"CHATCORE_DATA_DIR": "data", "CHATCORE_EXTERNAL_URL": "https://chat.example.org/"}
    run(*INIT, env=environment)
    assert (home / "data" / "secret_key").exists()
    with serving(environment=environment) as server:
        assert server.call("/server_settings")["realm_url"] == "https://chat.example.org"


# -- the demo ---------------------------------------------------------------------------------------


def test_the_demo_says_where_to_look_and_is_kept_over_a_restart(home: Path) -> None:
    with serving("--demo") as server:
        *_, email, key = re.findall(r"^  (Ada Fox .*)$", server.said, re.MULTILINE)[0].split()
        assert server.call("/users/me", (email, key))["full_name"] == "Ada Fox"
        assert re.findall(r"http://[^\s,]+", server.said) == [server.url]
        assert server.said.splitlines()[-1].startswith(f"Open {server.url} in a browser")
        assert server.stop() == 0
    assert mode(home / "var") == 0o700
    accounts = [re.findall(r"^  (.*)$", server.said, re.MULTILINE)[:5]]
    run("organization", "set", "name", "Plot 9", "--database", "sqlite:///var/demo.db")
    with serving("--demo") as again:
        accounts.append(re.findall(r"^  (.*)$", again.said, re.MULTILINE)[:5])
    assert accounts[0] == accounts[1]
    names = [line.split("  ")[0] for line in accounts[0]]
    assert names == ["Ada Fox", "Gus Berg", "Mia Stone", "Leo Park", "Weather Bot"]


def test_a_demo_of_which_few_are_left_is_one() -> None:
    database = ("--database", "sqlite:///var/demo.db")
    with serving("--demo"):
        pass
    run("organization", "set", "name", "Plot 9", *database)
    gone = [run("user", "deactivate", f"{name}@demo.example", *database) for name in ("gus", "mia", "leo")]
    assert gone[0].stdout.splitlines() == [
        f"{name}@demo.example is deactivated." for name in ("weather-bot", "gus")
    ]
    owner = error_line(run("user", "reactivate", "weather-bot@demo.example", *database), 1)
    assert "Gus Berg, is deactivated. Bring the owner back first" in owner
    with serving("--demo") as left:
        assert "'Plot 9'" in left.said
        assert "Ada Fox" in left.said
        assert "gus@demo.example" not in left.said


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "chat.example.org"])
def test_a_demo_is_for_this_machine_unless_it_is_said_twice(host: str) -> None:
    said = error_line(run("serve", "--demo", "--host", host), 2)
    assert host in said
    assert "--anybody" in said
    assert not Path("var").exists()


def test_a_demo_can_be_public() -> None:
    with serving("--demo", "--host", "0.0.0.0", "--anybody") as server:
        assert "ada@demo.example" in server.said


def test_a_real_organization_is_not_served_as_a_demo() -> None:
    run(*INIT)
    code, said = refused_to_serve("--demo", "--database", "sqlite:///chat.db")
    assert code == 1
    assert "lets anybody log in" in said


# -- single parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", "http://127.0.0.1:80"),
        ("0.0.0.0", "http://127.0.0.1:80"),
        ("::1", "http://[::1]:80"),
        ("chat.example.com", "http://chat.example.com:80"),
    ],
)
def test_the_address_of_a_server_can_be_opened(host: str, expected: str) -> None:
    assert address(host, 80) == expected


@pytest.mark.parametrize(
    ("database", "expected"),
    [
        ("sqlite:////var/lib/a@b/chat.db", "sqlite:////var/lib/a@b/chat.db"),
        ("postgresql://chat:hunter2@db.example.com:5433/team", "postgresql://db.example.com:5433/team"),
        ("postgresql://db/team?user=chat&password=hunter2", "postgresql://db/team"),
        ("postgresql://db/team?password=a@b/hunter2", "postgresql://db/team"),
        ("postgresql://db?password=a/hunter2", "postgresql://db/"),
        ("postgresql:///te@m?host=/run/postgresql", "postgresql:///te@m"),
        ("postgresql://chat:hunter#2@db/team", "postgresql://db/team"),
        ("postgresql://[::1]:5432/team", "postgresql://[::1]:5432/team"),
    ],
)
def test_errors_about_a_database_reveal_no_secret(database: str, expected: str) -> None:
    assert describe_database(database) == expected


def test_a_lock_ends_with_its_context(home: Path) -> None:
    url = "sqlite:///chat.db"
    for _ in range(2):
        with alone_on(url), pytest.raises(Exception, match="Another server"), alone_on(url):
            pass
    with alone_on("sqlite:///:memory:"), alone_on("sqlite:///:memory:"):
        assert [path.name for path in home.iterdir()] == ["chat.db-serving"]


def test_a_lock_that_cannot_be_written_is_explained(home: Path) -> None:
    (home / "chat.db-serving").mkdir()
    with pytest.raises(Exception, match="cannot be written"), alone_on("sqlite:///chat.db"):
        pass


# -- the audit log ----------------------------------------------------------------------------------


def test_the_audit_log_shows_what_commands_have_changed() -> None:
    run(*INIT)
    run("user", "create", "--email", "bea@example.com", "--name", "Bea", "--role", "member")
    run("user", "role", "bea@example.com", "moderator")
    run("organization", "set", "invite_required", "off")
    result = run("audit", "--actor", "console")
    assert result.exit_code == 0, result.output
    newest, role, *_, founded = result.stdout.splitlines()
    assert "Z  console  organization_founded  organization" in founded
    assert newest.endswith("console  organization_changed  organization  invite_required: true -> false")
    assert re.search(r"Z  console  role_changed  user \d+  role: 400 -> 300$", role)

    assert run("audit", "--limit", "1").stdout == f"{newest}\n"
    run("channel", "create", "lunch")
    assert "Z  console  channel_created  channel " in run("audit", "--limit", "1").stdout
    run("restored")
    assert run("audit", "--limit", "1").stdout.endswith("Z  console  restore_declared  organization\n")

    lines = run("audit", "--json", "--kind", "account_created").stdout.splitlines()
    (created,) = map(json.loads, lines)
    assert (created["origin"], created["actor_id"]) == ("console", None)
    assert created["after"]["email"] == "bea@example.com"
    assert run("audit", "--since", "2100-01-01").stdout == ""
    assert run("audit", "--actor", "ada@example.com", "--kind", "role_changed").stdout == ""


@pytest.mark.parametrize(
    ("arguments", "exit_code", "text"),
    [
        (["--kind", "nonsense"], 2, "There is no kind 'nonsense'"),
        (["--since", "yesterday"], 2, "'yesterday' is no time; use 2026-11-27 or 2026-11-27T09:30:00"),
        (["--actor", "zoe@example.com"], 1, "There is no account with the address 'zoe@example.com'"),
    ],
)
def test_the_audit_log_refuses_what_it_does_not_know(arguments: list[str], exit_code: int, text: str) -> None:
    run(*INIT)
    assert text in error_line(run("audit", *arguments), exit_code)
