"""Backup and restore as in docs/backups.md, of both databases, while they are written to."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from tests.backups.lunch import contents, key_in
from tests.postgres import PostgresServer
from tests.postgres.cluster import server_programs
from tests.test_cli import INIT, Server, home, mode, run, serving
from tests.waiting import PATIENCE

__all__ = ["home"]


PAGE = (Path(__file__).parents[2] / "docs" / "backups.md").read_text()

WITHOUT_LIMITS = {"CHATCORE_RATE_LIMITS": "off"}


def commands(heading: str, number: int = 0, database: str = "chat") -> str:
    """A block of shell commands below a heading of the page, without the service and the users that a test
    does not have.
    """
    section = PAGE.partition(f"# {heading}\n")[2].partition("\n#")[0]
    block = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)[number].replace(
        "/var/lib/chat-backup", "backups"
    )
    users = r"(?m)^systemctl .*\n|runuser -u \w+ -- | -o chat -g chat| --owner=chat"
    return re.sub(r"\bchat\b(?![.-])", database, re.sub(users, "", block))


def shell(script: str, **environment: str) -> None:
    path = f"{Path(sys.executable).parent}:{server_programs()}:{os.environ['PATH']}"  # noqa: TID251
    done = subprocess.run(
        ["sh", "-euc", script], env={**os.environ, "PATH": path, **environment},  # noqa: TID251
        capture_output=True, text=True, timeout=4 * PATIENCE, check=False,  # it runs several programs
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
                picture = server.upload("/user_uploads", login, os.urandom(1000))["url"]
                content = f"[soup]({picture})"
                sent.append(server.call("/messages", login, type="direct", to=to, content=content)["id"])
            except (OSError, HTTPException, ValueError):
                return  # the server was stopped
            if len(sent) >= 20:
                enough.set()

    sender = threading.Thread(target=send)
    sender.start()
    try:
        assert enough.wait(PATIENCE)
        yield sent
    finally:
        stop.set()
        sender.join(PATIENCE)


def check_restored(
    database: str, login: tuple[str, str], acknowledged: set[int], files: Mapping[str, bytes]
) -> None:
    checked = run("check", "--database", database)
    assert checked.exit_code == 0, checked.output
    with serving("--database", database, environment=WITHOUT_LIMITS) as server:
        page = server.call("/messages?anchor=newest&num_before=5000&num_after=0", login)
        there = {message["id"]: message["content"] for message in page["messages"]}
        assert acknowledged <= there.keys()
        linked = {key_in(content) for number, content in there.items() if number in acknowledged}
        uploads = contents(Path("chat-data") / "uploads")
        assert linked <= uploads.keys()
        assert uploads.items() <= files.items()
        assert server.stop() == 0


def test_a_sqlite_that_is_served_is_backed_up_and_restored(home: Path) -> None:
    ada = json.loads(run(*INIT, "--json").stdout)
    login = (ada["email"], ada["api_key"])
    with serving(environment=WITHOUT_LIMITS) as server, load(server, login) as sent:
        before = {*sent}
        shell(commands("Making backups"))
        server.process.kill()
        server.process.wait()
    copies = [path for path in (home / "backups").rglob("*") if path.is_file()]
    assert {mode(path) for path in copies} == {0o600}
    files = contents(home / "chat-data" / "uploads")
    shell(commands("Restoring"))
    check_restored("sqlite:///chat.db", login, before, files)


def test_a_postgresql_that_is_served_is_backed_up_and_restored(home: Path, postgres: PostgresServer) -> None:
    with postgres.bare_database() as url:
        ada = json.loads(run(*INIT, "--database", url, "--json").stdout)
        login = (ada["email"], ada["api_key"])
        parts = urlsplit(url)
        environment = {
            "PGHOST": parts.query.partition("host=")[2].partition("&")[0],
            "PGUSER": "postgres",
            "CHATCORE_DATABASE_URL": url,
        }
        with serving("--database", url, environment=WITHOUT_LIMITS) as server, load(server, login) as sent:
            before = {*sent}
            shell(commands("Making backups"), **environment)
            server.stop()
        files = contents(home / "chat-data" / "uploads")
        name = parts.path[1:]
        try:
            shell(commands("Restoring on PostgreSQL", 0, name), **environment)
            check_restored(url, login, before, files)
        finally:
            shell(f"dropdb --if-exists {name}_before; dropdb --if-exists chat_before", **environment)
