"""Backup and restore as in docs/deploying.md, of both databases, while they are written to."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from tests.postgres import PostgresServer
from tests.postgres.cluster import server_programs
from tests.test_cli import INIT, Server, error_line, home, mode, run, serving
from tests.waiting import PATIENCE

__all__ = ["home"]

PAGE = (Path(__file__).parents[1] / "docs" / "deploying.md").read_text()

WITHOUT_LIMITS = {"CHATCORE_RATE_LIMITS": "off"}


def commands(number: int, database: str = "chat") -> str:
    """A block of shell commands of the page, without the service and the users that a test does not have."""
    section = PAGE.partition("## Backup\n")[2].partition("\n## ")[0]
    block = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)[number]
    users = r"(?m)^systemctl .*\n|runuser -u \w+ -- | -o chat -g chat| --owner=chat"
    return re.sub(r"\bchat\b(?![.-])", database, re.sub(users, "", block))


def shell(script: str, **environment: str) -> None:
    path = f"{Path(sys.executable).parent}:{server_programs()}:{os.environ['PATH']}"  # noqa: TID251
    done = subprocess.run(
        ["sh", "-euc", script], env={**os.environ, "PATH": path, **environment},  # noqa: TID251
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def load(server: Server, login: tuple[str, str]) -> Iterator[list[int]]:
    """Ids of messages that are acknowledged meanwhile; when this begins there are some."""
    sent: list[int] = []
    enough, stop = threading.Event(), threading.Event()
    to = json.dumps([server.call("/users/me", login)["user_id"]])

    def send() -> None:
        while not stop.is_set():
            try:
                sent.append(server.call("/messages", login, type="direct", to=to, content="soup")["id"])
            except (OSError, HTTPException, ValueError):
                return  # the server was stopped
            if len(sent) >= 20:
                enough.set()

    senders = [threading.Thread(target=send) for _ in range(2)]
    for sender in senders:
        sender.start()
    try:
        assert enough.wait(PATIENCE)
        yield sent
    finally:
        stop.set()
        for sender in senders:
            sender.join(PATIENCE)


def check_restored(database: str, login: tuple[str, str], acknowledged: set[int]) -> None:
    checked = run("check", "--database", database)
    assert checked.exit_code == 0, checked.output
    with serving("--database", database, environment=WITHOUT_LIMITS) as server:
        page = server.call("/messages?anchor=newest&num_before=5000&num_after=0", login)
        assert acknowledged <= {message["id"] for message in page["messages"]}
        assert server.stop() == 0


def test_a_sqlite_that_is_served_is_backed_up_and_restored(home: Path) -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    login = (ada["email"], ada["api_key"])
    with serving(environment=WITHOUT_LIMITS) as server, load(server, login) as sent:
        before = {*sent}
        shell(commands(0))
        server.process.kill()
        server.process.wait()
    copies = [path for path in (home / "backup").rglob("*") if path.is_file()]
    assert {mode(path) for path in copies} == {0o600}
    (home / "chat.db-wal").write_bytes(b"of another database")
    shutil.rmtree(home / "chat-data" / "uploads", ignore_errors=True)
    shell(commands(1))
    check_restored("sqlite:///chat.db", login, before)


def test_a_postgresql_that_is_served_is_backed_up_and_restored(home: Path, postgres: PostgresServer) -> None:
    with postgres.bare_database() as url:
        ada = json.loads(run(*INIT, "--database", url, "--json").stdout)
        login = (ada["email"], ada["api_key"])
        parts = urlsplit(url)
        name = parts.path[1:]
        environment = {"PGHOST": parts.query.partition("host=")[2].partition("&")[0], "PGUSER": "postgres"}

        with serving("--database", url, environment=WITHOUT_LIMITS) as server, load(server, login) as sent:
            before = {*sent}
            shell(commands(2, name), **environment)
            server.stop()
        assert mode(home / "chat.dump") == 0o600
        shell(commands(3, name), **environment)
        check_restored(url, login, before)


# -- the command ------------------------------------------------------------------------------------


def test_a_backup_is_for_its_owner_only_and_complete(home: Path) -> None:
    run(*INIT)
    os.umask(0)
    done = run("backup", "copy.db")
    assert done.exit_code == 0, done.output
    assert "copy.db contains everything up to now" in done.stdout
    assert mode(home / "copy.db") == 0o600
    with closing(sqlite3.connect(home / "copy.db")) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert {path.name for path in home.iterdir()} >= {"chat.db", "copy.db"}
    assert not (home / "copy.db.unfinished").exists()


def test_each_restore_of_a_backup_is_noticed(home: Path) -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    login = (ada["email"], ada["api_key"])
    for number in range(3):
        with serving(environment=WITHOUT_LIMITS) as server:
            to = json.dumps([server.call("/users/me", login)["user_id"]])
            queue = server.call("/register", login, event_types='["message"]')
            assert run("backup", f"copy{number}.db").exit_code == 0
            lost = server.call("/messages", login, type="direct", to=to, content="lost")["id"]
            server.stop()
        file = home / "chat.db"
        file.write_bytes((home / f"copy{number}.db").read_bytes())  # the same inode, as it may happen
        with serving(environment=WITHOUT_LIMITS) as server:
            poll = f"/events?queue_id={queue['queue_id']}&last_event_id=-1&dont_block=true"
            assert server.call(poll, login)["code"] == "BAD_EVENT_QUEUE_ID"
            again = server.call("/messages", login, type="direct", to=to, content="anew")["id"]
            assert again > lost, "no id is given to a second message"
            server.stop()


def test_a_backup_overwrites_nothing(home: Path) -> None:
    run(*INIT)
    (home / "copy.db").write_text("of yesterday")
    assert error_line(run("backup", "copy.db"), 1) == "copy.db exists already; name another file."
    assert (home / "copy.db").read_text() == "of yesterday"


def test_a_backup_that_cannot_be_written_leaves_nothing(home: Path) -> None:
    run(*INIT)
    assert "nowhere/copy.db cannot be written: No such file" in error_line(
        run("backup", "nowhere/copy.db"), 1
    )
    (home / "copy.db.unfinished").mkdir()
    assert "copy.db cannot be written" in error_line(run("backup", "copy.db"), 1)


def test_there_is_no_backup_of_nothing(home: Path) -> None:
    assert f"there is no database yet: {home}/chat.db" in error_line(run("backup", "copy.db"), 3)
    assert list(home.iterdir()) == []


def test_for_postgresql_it_says_how() -> None:
    said = error_line(run("backup", "team.dump", "--database", "postgresql://u:secret@db/team"), 1)
    assert said.endswith("--file=team.dump --dbname='postgresql://db/team'")
