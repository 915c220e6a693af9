"""A database restored from a backup: all clients have to register anew."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from click.testing import CliRunner

from chatcore import Chat, open_chat
from chatcore.cli import chatcore
from chatcore.domain.errors import BadEventQueue
from chatcore.settings import Settings
from tests.postgres import PostgresServer
from tests.waiting import until
from tests.worlds.organization import MakeWorld

SETTINGS = Settings(secret_key=b"s" * 32, external_url="https://chat.example.org")
OWNER = "ada@example.org"


def opened(url: str) -> Chat:
    return open_chat(url, owner_email=OWNER, settings=SETTINGS)


class Client:
    """Somebody who follows the messages, over restarts and restores."""

    def __init__(self, chat: Chat) -> None:
        registered = chat.events.register(chat.users.actor(OWNER), event_types=["message"])
        self.queue_id, self.last = str(registered.queue_id), int(registered.last_event_id)

    def receives(self, chat: Chat) -> list[int]:
        """The ids of new messages, acknowledged by the next poll."""
        found = chat.events.poll(chat.users.actor(OWNER), self.queue_id, self.last, dont_block=True)
        self.last = max([self.last, *(event["id"] for event in found)])
        return [event["message"]["id"] for event in found]


def say(chat: Chat, content: str) -> int:
    ada = chat.users.actor(OWNER)
    return int(chat.messages.send(ada, content, to=[ada.user_id]).message_id)


def by_vacuum(file: Path) -> Path:
    backup = file.with_suffix(".backup")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(backup),))
    return backup


def by_copying(file: Path) -> Path:
    """A backup by copying a database that no process has open."""
    return Path(shutil.copy(file, file.with_suffix(".backup")))


def by_moving(backup: Path, file: Path) -> None:
    backup.rename(file)


def into_the_file(backup: Path, file: Path) -> None:
    file.write_bytes(backup.read_bytes())


def lives_through(
    url: str, back_up: Callable[[], None], restore: Callable[[], str]
) -> tuple[Chat, Client, int]:
    """Return a client, the newest id before a backup was restored, and the chat after the restore."""
    with opened(url) as chat:
        client = Client(chat)
        say(chat, "before")
        client.receives(chat)
        chat.services.hub.maintain()
    back_up()
    with opened(url) as chat:
        newest = [say(chat, "lost") for _ in range(5)][-1]
        assert newest in client.receives(chat), "a queue survives a restart"
        client.receives(chat)
    return opened(restore()), client, newest


def require_new_beginning(chat: Chat, client: Client, newest: int) -> None:
    with pytest.raises(BadEventQueue):
        client.receives(chat)
    assert say(chat, "after") > newest, "no id is given to a second message"
    again = Client(chat)
    sent = say(chat, "later")
    assert again.receives(chat) == [sent]


@pytest.mark.parametrize(
    ("back_up", "put_back"), [(by_vacuum, by_moving), (by_vacuum, into_the_file), (by_copying, by_moving)]
)
def test_a_file_that_was_put_back_is_noticed(
    sqlite_url: str, back_up: Callable[[Path], Path], put_back: Callable[[Path, Path], None]
) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    backups: list[Path] = []

    def restore() -> str:
        put_back(backups[0], file)
        return sqlite_url

    chat, client, newest = lives_through(sqlite_url, lambda: backups.append(back_up(file)), restore)
    with chat:
        require_new_beginning(chat, client, newest)
    with opened(sqlite_url) as chat:
        say(chat, "and from then on it is the original")
        client = Client(chat)
        sent = say(chat, "soup")
    with opened(sqlite_url) as chat:
        assert client.receives(chat) == [sent]


def test_a_database_that_was_put_back_is_noticed(postgres: PostgresServer) -> None:
    with postgres.bare_database() as url, psycopg.connect(postgres.url, autocommit=True) as connection:
        name = urlsplit(url).path[1:]

        def back_up() -> None:
            until(lambda: postgres.is_alone(url))
            connection.execute(f"CREATE DATABASE {name}_copy TEMPLATE {name}".encode())

        chat, client, newest = lives_through(url, back_up, lambda: url.replace(name, f"{name}_copy"))
        with chat:
            require_new_beginning(chat, client, newest)
        connection.execute(f"DROP DATABASE {name}_copy WITH (FORCE)".encode())


def test_a_restore_that_cannot_be_noticed_is_declared_by_a_command(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the bytes of a backup replace those of the same file, only the operator knows it."""
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    for name in [name for name in os.environ if name.startswith("CHATCORE_")]:  # noqa: TID251
        monkeypatch.delenv(name)
    backups: list[Path] = []

    def restore() -> str:
        into_the_file(backups[0], file)
        done = CliRunner().invoke(
            chatcore, ["restored", "--database", sqlite_url], env={"CHATCORE_SECRET_KEY": "s" * 32}
        )
        assert (done.exit_code, "All clients register anew" in done.output) == (0, True), done.output
        return sqlite_url

    chat, client, newest = lives_through(sqlite_url, lambda: backups.append(by_copying(file)), restore)
    with chat:
        require_new_beginning(chat, client, newest)


def test_a_log_that_is_shorter_than_it_was_is_noticed_by_a_running_server(make_world: MakeWorld) -> None:
    """As after a failover to a database to which not everything was replicated."""
    world = make_world()
    ada, bea = world["ada"], world["bea"]
    line = bea.opens_queue("message")
    poll = line.waits()
    lost = [ada.says("soup", "plaza") for _ in range(5)][-1]
    until(lambda: world.svc.hub.position >= lost)
    world.sql("UPDATE log_head SET position = ?", lost - 4)
    world.sql("DELETE FROM message WHERE id > ?", lost - 4)
    world.sql("DELETE FROM event WHERE id > ?", lost - 4)
    world.svc.hub.hint()
    assert poll.answer() == []
    line.refused()
    again = bea.opens_queue("message")
    sent = ada.says("stew")
    assert sent > lost
    assert again.messages() == [sent]
