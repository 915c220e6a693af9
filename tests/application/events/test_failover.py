"""A failover to a replica of PostgreSQL that lacks the last commits, while a server runs."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest

from chatcore import Chat, open_chat
from chatcore.domain.errors import BadEventQueue
from chatcore.settings import Settings
from chatcore.storage import StorageNotReady
from tests.postgres import SETTINGS as FAST
from tests.postgres.cluster import postgres_cluster
from tests.waiting import PATIENCE, until
from tests.worlds.organization import at_once

SETTINGS = Settings(secret_key=b"s" * 32, external_url="https://chat.example.org")
OWNER = "ada@example.org"


def runs(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())


def address(url: str, path: str) -> str:
    return urlsplit(url)._replace(path=path).geturl()


@dataclass
class Servers:
    """A primary and its replica. What reads `url` is sent to the primary, and later to the replica."""

    primary: str
    replica: str
    link: Path

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/chat?host={self.link}"

    def lead_to(self, server: str) -> None:
        new = self.link.with_suffix(".new")
        new.symlink_to(parse_qs(urlsplit(server).query)["host"][0])
        new.replace(self.link)

    def catch_up(self) -> None:
        """Wait until the replica has everything."""
        with psycopg.connect(self.primary) as connection:
            end = connection.execute("SELECT pg_current_wal_insert_lsn()").fetchone()
        with psycopg.connect(self.replica, autocommit=True) as connection:
            until(
                lambda: connection.execute("SELECT pg_last_wal_replay_lsn() >= %s", end).fetchone() == (True,)
            )

    def detach(self) -> None:
        """Promote the replica; it lacks everything that the primary commits from now on."""
        runs(self.replica, "SELECT pg_promote()")

    def fail_over(self) -> None:
        self.lead_to(self.replica)
        runs(
            self.primary,
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = 'chat' AND pid <> pg_backend_pid()",
        )


@pytest.fixture
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with ExitStack() as stack:
        primary = stack.enter_context(postgres_cluster(FAST))
        runs(primary, "CREATE DATABASE chat")
        opened(address(primary, "/chat")).close()
        replica = stack.enter_context(postgres_cluster(FAST, copy_of=primary))
        found = Servers(primary, replica, tmp_path_factory.mktemp("to") / "s")
        found.lead_to(primary)
        yield found


def opened(url: str) -> Chat:
    return open_chat(url, owner_email=OWNER, settings=SETTINGS)


class Client:
    """Somebody who follows the messages."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        registered = chat.events.register(chat.users.actor(OWNER), event_types=["message"])
        self.queue_id, self.last = str(registered.queue_id), int(registered.last_event_id)
        self.received: list[int] = []
        self.is_refused = threading.Event()

    def follow(self) -> None:
        """Poll in a thread until the queue is refused."""
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while not self.is_refused.is_set():
            try:
                actor = self.chat.users.actor(OWNER)
                events = self.chat.events.poll(actor, self.queue_id, self.last)
            except StorageNotReady:
                threading.Event().wait(0.05)
            except BadEventQueue:
                self.is_refused.set()
            else:
                self.last = max([self.last, *(event["id"] for event in events)])
                self.received += [event["message"]["id"] for event in events if event["type"] == "message"]


def say(chat: Chat, content: str) -> int:
    """Send a message, again and again until the database takes it."""
    sent: list[int] = []

    def is_sent() -> bool:
        try:
            ada = chat.users.actor(OWNER)
            sent.append(int(chat.messages.send(ada, content, to=[ada.user_id]).message_id))
        except StorageNotReady:
            return False
        return True

    until(is_sent)
    return sent[0]


@pytest.mark.parametrize(
    ("lost", "at_the_same_time"), [(20, 8), (2, 8), (2, 1), (0, 1)], ids=["load", "few", "one", "none lost"]
)
def test_the_first_write_after_a_failover_comes_behind_the_lost_ones(
    servers: Servers, lost: int, at_the_same_time: int
) -> None:
    with opened(servers.url) as chat, opened(servers.url) as other:
        clients = [Client(chat), Client(other)]
        for client in clients:
            client.follow()
        before = say(chat, "before")
        servers.detach()
        ids = [say((chat, other)[number % 2], "lost") for number in range(lost)]
        until(lambda: all(client.received == [before, *ids] for client in clients))
        servers.fail_over()
        news = at_once(*(lambda: say(chat, "after") for _ in range(at_the_same_time)))
        assert min(news) > max([before, *ids])
        assert len(set(news)) == at_the_same_time
        for client in clients:
            assert client.is_refused.wait(PATIENCE)
            assert client.received == [before, *ids]
        again = Client(other)
        again.follow()
        sent = say(chat, "soup")
        until(lambda: again.received == [sent])
        again.is_refused.set()


@pytest.mark.parametrize("lost", [1, 0])
def test_clients_register_anew_although_nobody_writes(servers: Servers, lost: int) -> None:
    """If nothing is lost, only the hub's regular check can notice it: the log is as long as it was."""
    with opened(servers.url) as chat:
        client = Client(chat)
        client.follow()
        before = say(chat, "before")
        servers.catch_up()
        servers.detach()
        ids = [before, *(say(chat, "lost") for _ in range(lost))]
        until(lambda: client.received == ids)
        servers.fail_over()
        assert client.is_refused.wait(PATIENCE)
        assert say(chat, "after") > ids[-1]


def test_a_start_right_after_the_promotion_notices_it(servers: Servers) -> None:
    with opened(servers.url) as chat:
        client = Client(chat)
        servers.detach()
        lost = [say(chat, "lost") for _ in range(3)][-1]
    servers.fail_over()
    with opened(servers.url) as chat:
        client.chat = chat
        client.follow()
        assert client.is_refused.wait(PATIENCE)
        assert say(chat, "after") > lost
