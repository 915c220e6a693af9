"""`chatcore rotate-secret`: with the server stopped, and after an interruption."""

import json
import os
import shutil
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.events import secret_replacement
from chatcore.application.events.secret_replacement import replace_secret
from chatcore.application.services import Services
from chatcore.disk import put_in_place
from tests.postgres import PostgresServer
from tests.test_cli import INIT, asked, error_line, mode, run, serving

SECRET = Path("chat-data/secret_key")


@pytest.fixture
def ada(home: Path) -> Any:
    """Return the owner's account, with a key."""
    return json.loads(run(*INIT, "--password-stdin", "--json", input="correct horse\n").stdout)


def test_keys_are_new_and_passwords_stay(ada: Any) -> None:
    old = SECRET.read_text()
    done = run("rotate-secret")
    assert done.exit_code == 0, done.output
    assert (SECRET.read_text() != old, mode(SECRET)) == (True, 0o600)
    assert os.listdir("chat-data") == ["secret_key"]
    assert asked(ada, "GET", "/users/me").status_code == 401
    new = json.loads(run("user", "key", ada["email"], "--json").stdout)
    assert asked(new, "GET", "/users/me").status_code == 200
    login = {"username": ada["email"], "password": "correct horse"}
    assert asked(new, "POST", "/fetch_api_key", **login).get_json()["api_key"] == new["api_key"]
    assert run("check").exit_code == 0
    SECRET.write_text(old)
    assert run("check").exit_code == 1


def test_a_running_server_is_noticed(ada: Any) -> None:
    old = SECRET.read_text()
    with serving():
        assert "Another server" in error_line(run("rotate-secret"), 1)
    assert SECRET.read_text() == old
    assert asked(ada, "GET", "/users/me").status_code == 200


def test_an_interrupted_one_is_finished(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    old = SECRET.read_text()

    def fails(unfinished: Path, path: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("chatcore.cli.secret.put_in_place", fails)
        assert "is in force: run the command again" in error_line(run("rotate-secret"), 1)
    assert SECRET.read_text() == old
    assert "differs" in error_line(run("user", "list"), 2)
    assert run("rotate-secret").exit_code == 0
    assert (SECRET.read_text() != old, os.listdir("chat-data")) == (True, ["secret_key"])
    assert run("check").exit_code == 0


def test_of_a_link_the_file_that_it_leads_to_is_replaced(ada: Any) -> None:
    kept = Path("kept")
    old = SECRET.read_text()
    SECRET.rename(kept)
    SECRET.symlink_to(kept.absolute())
    assert run("rotate-secret").exit_code == 0
    assert (SECRET.is_symlink(), kept.read_text() != old) == (True, True)
    assert run("check").exit_code == 0


@pytest.mark.parametrize("has_own_file", [False, True], ids=["same file", "own file"])
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_of_two_at_once_one_is_refused_and_the_other_is_in_force(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    database: str,
    has_own_file: bool,
) -> None:
    """As on two machines, neither of which sees the other's lock."""
    with ExitStack() as stack:
        url = "sqlite:///chat.db"
        if database == "postgresql":
            postgres: PostgresServer = request.getfixturevalue("postgres")
            url = stack.enter_context(postgres.bare_database())
        monkeypatch.setenv("CHATCORE_DATABASE_URL", url)
        monkeypatch.setattr("chatcore.cli.secret.alone_on", nullcontext)
        assert run(*INIT).exit_code == 0
        other = home / "other" / "secret_key" if has_own_file else home / SECRET
        if has_own_file:
            shutil.copytree(SECRET.parent, other.parent)
        commands: list[Any] = []

        def replaced_meanwhile(svc: Services, secret: bytes) -> Services:
            with monkeypatch.context() as patches:
                patches.setattr(secret_replacement, "replace_secret", replace_secret)
                commands.append(run("rotate-secret", env={"CHATCORE_DATA_DIR": str(other.parent)}))
            return replace_secret(svc, secret)

        with monkeypatch.context() as patches:
            patches.setattr(secret_replacement, "replace_secret", replaced_meanwhile)
            assert "replaced meanwhile; nothing was changed" in error_line(run("rotate-secret"), 1)
        assert commands[0].exit_code == 0, commands[0].output
        for folder in {SECRET.parent, other.parent}:
            assert os.listdir(folder) == ["secret_key"]
        assert run("user", "list", env={"CHATCORE_DATA_DIR": str(other.parent)}).exit_code == 0


def test_one_that_was_finished_by_another_command_succeeds(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def finished_already(unfinished: Path, path: Path) -> None:
        put_in_place(unfinished, path)
        put_in_place(unfinished, path)

    monkeypatch.setattr("chatcore.cli.secret.put_in_place", finished_already)
    assert run("rotate-secret").exit_code == 0
    assert run("user", "list").exit_code == 0


def test_the_file_that_the_settings_name_is_replaced(home: Path) -> None:
    file = home / "secret"
    file.write_text("s" * 64)
    file.chmod(0o600)
    environment = {"CHATCORE_SECRET_KEY_FILE": str(file)}
    assert run(*INIT, env=environment).exit_code == 0
    (home / "other").write_text("o" * 64)
    assert "has another secret" in error_line(run("rotate-secret", "--file", "other", env=environment), 1)
    done = run("rotate-secret", env=environment)
    assert f"The new secret is in {file}; start the server" in done.output
    assert run("check", env=environment).exit_code == 0
    done = run("rotate-secret", "--file", "moved", env=environment)
    assert "is in moved; name moved in CHATCORE_SECRET_KEY_FILE, start the server" in done.output
    assert run("check", env=environment).exit_code == 1
    assert run("check", env={"CHATCORE_SECRET_KEY_FILE": "moved"}).exit_code == 0


def test_a_secret_in_a_setting_needs_a_file(home: Path) -> None:
    named = {"CHATCORE_SECRET_KEY": "s" * 64}
    assert run(*INIT, env=named).exit_code == 0
    assert "CHATCORE_SECRET_KEY has the secret. Name a" in error_line(run("rotate-secret", env=named), 2)
    done = run("rotate-secret", "--file", "new", env=named)
    assert "is in new; name new in CHATCORE_SECRET_KEY_FILE, start the server" in done.output
    assert (mode(home / "new"), run("check", env=named).exit_code) == (0o600, 1)
    assert run("check", env={"CHATCORE_SECRET_KEY_FILE": "new"}).exit_code == 0
