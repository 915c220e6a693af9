"""A store that reads from a streaming replica of its PostgreSQL."""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
import pytest

from chatcore.storage import BadDatabaseUrl, StorageNotReady
from chatcore.storage.conformance.makers import announce
from chatcore.storage.conformance.several_processes import *  # noqa: F403
from chatcore.storage.conformance.transactions import PATIENCE, texts
from chatcore.storage.transaction import Snapshot
from storage_backends import open_storage, postgres_replica
from storage_backends.sql.store import SqlStorage
from tests.postgres import SETTINGS, make_store
from tests.postgres_cluster import postgres_cluster
from tests.worlds.registering_over_http import Api

END = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


@dataclass
class Pair:
    primary: str
    replica: str

    def open(self) -> SqlStorage:
        return open_storage(self.primary, read_url=self.replica)

    def does(self, statement: str) -> None:
        """Run a statement on the replica."""
        with psycopg.connect(self.replica, autocommit=True) as connection:
            connection.execute(statement.encode())

    @contextmanager
    def behind(self) -> Iterator[None]:
        self.does("SELECT pg_wal_replay_pause()")
        try:
            yield
        finally:
            self.does("SELECT pg_wal_replay_resume()")


@pytest.fixture(scope="module")
def servers() -> Iterator[Pair]:
    with postgres_cluster(SETTINGS) as primary, postgres_cluster(SETTINGS, copy_of=primary) as replica:
        yield Pair(primary, replica)


@pytest.fixture
def pair(servers: Pair) -> Iterator[Pair]:
    """A migrated database and its replica."""
    with psycopg.connect(servers.primary, autocommit=True) as connection:
        connection.execute("CREATE DATABASE chat")
        urls = (urlsplit(url)._replace(path="/chat").geturl() for url in (servers.primary, servers.replica))
        found = Pair(*urls)
        make_store(found.primary, None)
        yield found
        connection.execute("DROP DATABASE chat WITH (FORCE)")


@pytest.fixture
def storage(pair: Pair) -> Iterator[SqlStorage]:
    with closing(pair.open()) as opened:
        yield opened


@pytest.fixture
def second_storage(pair: Pair) -> Iterator[SqlStorage]:
    with closing(pair.open()) as opened:
        yield opened


def is_read_there(snapshot: Snapshot) -> bool:
    """Whether a unit of work runs on the replica."""
    database = snapshot.session.backend.database  # type: ignore[attr-defined]
    (answer,) = database.execute_sql("SELECT pg_is_in_recovery()").fetchone()
    return bool(answer)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_replica, "AWAY", 0.0)


def wait_until_read_there(storage: SqlStorage) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if storage.read(is_read_there):
            return
        time.sleep(0.001)
    raise AssertionError("the replica is not read")


def test_the_replica_is_read_and_the_primary_written(storage: SqlStorage) -> None:
    wait_until_read_there(storage)
    assert not storage.write(is_read_there)


def test_a_read_sees_each_commit_before_it(storage: SqlStorage, second_storage: SqlStorage) -> None:
    said, there = [], 0
    for number in range(60):
        said.append(f"event {number}")
        announce((storage, second_storage)[number % 2], said[-1])
        assert texts(storage) == said
        there += storage.read(is_read_there)
    assert there > 0


def test_the_primary_is_read_while_the_replica_is_behind(pair: Pair, storage: SqlStorage) -> None:
    wait_until_read_there(storage)
    with pair.behind():
        announce(storage, "one")
        assert texts(storage) == ["one"]
        assert not storage.read(is_read_there)
    wait_until_read_there(storage)
    assert texts(storage) == ["one"]


def test_the_primary_is_read_while_the_replica_is_away(
    pair: Pair, storage: SqlStorage, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(open_storage(pair.primary, read_url="postgresql://chat@/chat?host=/nowhere")) as alone:
        for number in range(3):
            announce(alone, f"event {number}")
            assert len(texts(alone)) == number + 1
    assert [record.getMessage()[:29] for record in caplog.records] == ["the replica is not read: conn"]


def test_a_replica_that_was_behind_is_left_alone(
    pair: Pair, storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until_read_there(storage)
    monkeypatch.setattr(postgres_replica, "AWAY", PATIENCE)
    with pair.behind():
        announce(storage, "one")
        assert not storage.read(is_read_there)
    assert storage.replica is not None
    monkeypatch.setattr(storage.replica.backend, "connection", lambda: pytest.fail("the replica is asked"))
    assert not storage.read(is_read_there)


def test_one_reader_waits_for_a_replica_that_does_not_answer(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert storage.replica is not None
    connect, tries, go_on = storage.replica.backend.connection, threading.Event(), threading.Event()

    def wait() -> AbstractContextManager[object]:
        tries.set()
        assert go_on.wait(PATIENCE)
        return connect()

    monkeypatch.setattr(storage.replica.backend, "connection", wait)
    reader = threading.Thread(target=storage.read, args=(is_read_there,))
    reader.start()
    assert tries.wait(PATIENCE)
    assert not storage.read(is_read_there)
    go_on.set()
    reader.join(PATIENCE)
    wait_until_read_there(storage)


def test_a_server_that_takes_no_writes_is_read_itself(pair: Pair, storage: SqlStorage) -> None:
    """A failover may leave the primary's address with a standby for a while."""
    wait_until_read_there(storage)
    with closing(open_storage(pair.replica, read_url=pair.replica)) as storage:
        assert storage.read(is_read_there)


def test_a_replica_that_was_started_anew_is_read_again(pair: Pair, storage: SqlStorage) -> None:
    wait_until_read_there(storage)
    pair.does(END)
    announce(storage, "one")
    assert texts(storage) == ["one"]
    wait_until_read_there(storage)


def test_a_read_that_loses_the_replica_fails_alone(pair: Pair, storage: SqlStorage) -> None:
    wait_until_read_there(storage)

    def work(snapshot: Snapshot) -> None:
        pair.does(END)
        snapshot.users.all()

    with pytest.raises(StorageNotReady):
        storage.read(work)
    assert texts(storage) == []


def test_a_message_is_found_at_once(storage: SqlStorage) -> None:
    wait_until_read_there(storage)
    api = Api(storage)
    for number in range(20):
        sent = api.ok("ada", "POST", "messages", type="direct", to=["grace@example.org"], content=f"{number}")
        found = api.ok("grace", "GET", "messages", anchor="newest", num_before=1, num_after=0)
        assert [message["id"] for message in found["messages"]] == [sent["id"]]
    api.svc.hub.stop()


def test_another_database_is_no_replica(pair: Pair, postgres_url: str) -> None:
    with (
        closing(open_storage(pair.primary, read_url=postgres_url)) as storage,
        pytest.raises(StorageNotReady, match="no replica"),
    ):
        texts(storage)


@pytest.mark.parametrize(
    ("url", "read_url"),
    [
        ("sqlite:///:memory:", "postgresql://chat@/chat"),
        ("postgresql://chat@/chat", "sqlite:///chat.db"),
        ("postgresql://chat@/chat", "chat"),
    ],
)
def test_only_postgresql_has_replicas(url: str, read_url: str) -> None:
    with pytest.raises(BadDatabaseUrl, match="replicas"):
        open_storage(url, read_url=read_url)
