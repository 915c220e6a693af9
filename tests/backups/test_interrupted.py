"""`chatcore restore` after it was killed: it is repeated as it is, on both databases."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chatcore import open_chat
from tests.backups.lunch import contents, made, post
from tests.postgres import PostgresServer
from tests.postgres.cluster import server_programs
from tests.test_cli import INIT, error_line, home, run
from tests.waiting import PATIENCE

__all__ = ["home"]

DYING = """
import os, signal, sys
from chatcore.backups import restoring
from chatcore.cli import main

def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(restoring, sys.argv.pop(1), die)
main()
"""
PASSPHRASE = "correct horse battery"


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty database, beside the backup of an organization of its kind."""
    (home / "passphrase").write_text(PASSPHRASE)
    (home / "chatcore.toml").write_text("trusted_proxies = 1\n")
    if request.param == "sqlite":
        back_up("sqlite:///chat.db")
        (home / "elsewhere").mkdir()
        monkeypatch.chdir(home / "elsewhere")
        yield "sqlite:///chat.db"
        return
    monkeypatch.setenv("PATH", f"{server_programs()}:{os.environ['PATH']}")  # noqa: TID251
    postgres: PostgresServer = request.getfixturevalue("postgres")
    with postgres.bare_database() as source, postgres.bare_database() as url:
        back_up(source)
        (home / "elsewhere").mkdir()
        monkeypatch.chdir(home / "elsewhere")
        yield url


def back_up(url: str) -> None:
    assert run(*INIT, "--database", url).exit_code == 0
    post(b"soup", url)
    made("--database", url, "--passphrase-file", "passphrase")


@pytest.mark.parametrize("step", ["_write_private", "copy_file", "begin_anew"])
def test_a_killed_restore_is_repeated(empty: str, home: Path, step: str) -> None:
    command = ["restore", "../backups", "--database", empty, "--passphrase-file", "../passphrase"]
    killed = subprocess.run([sys.executable, "-c", DYING, step, *command], timeout=2 * PATIENCE, check=False)
    assert killed.returncode == -signal.SIGKILL
    done = run(*command)
    assert done.exit_code == 0, done.output
    assert "Before" not in done.output
    assert (home / "chat-data" / "secret_key").read_bytes() == Path("chat-data/secret_key").read_bytes()
    assert list(contents(Path("chat-data") / "uploads").values()) == [b"soup"]
    assert "is not empty" in error_line(run(*command), 3)
    with open_chat(empty) as chat:
        ada = chat.users.actor("ada@example.com")
        assert chat.messages.send(ada, "anew", channel="general", topic="menu").message_id > 1_000_000


def test_a_settings_file_of_another_restore_is_kept(empty: str) -> None:
    command = ["restore", "../backups", "--database", empty, "--passphrase-file", "../passphrase"]
    Path("chat-data").mkdir()
    earlier = Path("chat-data/chatcore.toml.restored")
    earlier.write_text("trusted_proxies = 2\n")
    assert f"{earlier} is that of another backup; move it away" in error_line(run(*command), 1)
    assert list(Path("chat-data").iterdir()) == [earlier]
    earlier.rename("elsewhere.toml")
    done = run(*command)
    assert done.exit_code == 0, done.output
    assert earlier.read_text() == "trusted_proxies = 1\n"
