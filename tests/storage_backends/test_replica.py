"""A store that reads from a streaming replica of its PostgreSQL."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import psycopg
import pytest

from chatcore.storage import BadDatabaseUrl, StorageNotReady
from chatcore.storage.conformance.makers import announce
from chatcore.storage.conformance.several_processes import *  # noqa: F403
from chatcore.storage.conformance.transactions import texts
from chatcore.storage.transaction import Snapshot
from storage_backends import open_storage, postgres_replica, postgres_silence
from storage_backends.sql.store import SqlStorage
from tests.postgres import SETTINGS, make_store
from tests.postgres.cluster import postgres_cluster
from tests.postgres.standing_still import Frozen, silent
from tests.waiting import PATIENCE, until
from tests.worlds.registering_over_http import Api

END = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


ANOTHER = "it copies another database, or the primary before a failover"


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
        try:
            make_store(found.primary, None)
            yield found
        finally:
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
    monkeypatch.setattr(postgres_replica, "AVOIDED_SECONDS", 0.0)
    monkeypatch.setattr(postgres_replica, "LOG_INTERVAL", 0.0)


def wait_until_read_there(storage: SqlStorage) -> None:
    until(lambda: storage.read(is_read_there))


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
    pair: Pair, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(postgres_replica, "LOG_INTERVAL", 60.0)
    with closing(open_storage(pair.primary, read_url="postgresql://chat@/chat?host=/nowhere")) as alone:
        for number in range(3):
            announce(alone, f"event {number}")
            assert len(texts(alone)) == number + 1
    assert [record.getMessage()[:29] for record in caplog.records] == ["the replica is not read: conn"]


def test_a_replica_that_was_behind_is_left_alone(
    pair: Pair, storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_until_read_there(storage)
    monkeypatch.setattr(postgres_replica, "AVOIDED_SECONDS", PATIENCE)
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


def test_the_primary_is_read_while_the_replica_stands_still(
    pair: Pair, storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_silence.Connection, "patience", 0.2)
    announce(storage, "one")
    wait_until_read_there(storage)
    with silent(Frozen(pair.replica)):
        for _ in range(3):
            assert texts(storage) == ["one"]
        announce(storage, "two")
        assert texts(storage) == ["one", "two"]
    wait_until_read_there(storage)


def test_a_replica_that_could_not_be_reached_is_tried_again(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert storage.replica is not None
    tries: list[object] = []

    def fail() -> AbstractContextManager[object]:
        tries.append(None)
        raise psycopg.OperationalError("no route to host")

    for known in (False, True):
        with monkeypatch.context() as patch:
            patch.setattr(storage.replica.backend, "connection", fail)
            assert not any(storage.read(is_read_there) for _ in range(3))
        assert len(tries) == (6 if known else 3)
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


def test_a_server_that_is_no_replica_is_not_read(
    pair: Pair, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    for url in (postgres_url, pair.primary):
        with closing(open_storage(pair.primary, read_url=url)) as storage:
            announce(storage, "one")
            assert texts(storage)[-1] == "one"
    assert "no replica" in caplog.text
    assert "behind" not in caplog.text


def test_another_database_of_the_same_server_is_not_read(
    pair: Pair, storage: SqlStorage, caplog: pytest.LogCaptureFixture
) -> None:
    with psycopg.connect(pair.primary, autocommit=True) as connection:
        connection.execute("CREATE DATABASE office TEMPLATE chat")
    office = [urlsplit(url)._replace(path="/office").geturl() for url in (pair.primary, pair.replica)]
    try:
        with closing(open_storage(office[0], read_url=office[1])) as of_the_office:
            announce(of_the_office, "secret")
            wait_until_read_there(of_the_office)
        with closing(open_storage(pair.primary, read_url=office[1])) as storage:
            assert texts(storage) == []
    finally:
        with psycopg.connect(pair.primary, autocommit=True) as connection:
            connection.execute("DROP DATABASE office WITH (FORCE)")
    assert ANOTHER in caplog.text


def test_after_a_failover_a_replica_of_the_old_primary_is_not_read(
    servers: Pair, pair: Pair, storage: SqlStorage, caplog: pytest.LogCaptureFixture
) -> None:
    wait_until_read_there(storage)
    with postgres_cluster(SETTINGS, copy_of=servers.primary) as url:
        promoted = urlsplit(url)._replace(path="/chat").geturl()
        with psycopg.connect(promoted, autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")
        for number in range(20):
            announce(storage, f"lost {number}")  # the log of the old primary is the longer one
        wait_until_read_there(storage)
        with closing(open_storage(promoted, read_url=pair.replica)) as after:
            announce(after, "kept")
            assert texts(after) == ["kept"]
    assert ANOTHER in caplog.text


def test_commits_that_do_not_wait_for_the_disk_are_seen(pair: Pair) -> None:
    with psycopg.connect(pair.primary, autocommit=True) as connection:
        connection.execute("ALTER DATABASE chat SET synchronous_commit = off")
    with closing(pair.open()) as storage:
        for number in range(1, 20):
            announce(storage, f"event {number}")
            assert len(texts(storage)) == number
        wait_until_read_there(storage)


def test_a_replica_that_commits_wait_for_is_not_read(
    servers: Pair, storage: SqlStorage, caplog: pytest.LogCaptureFixture
) -> None:
    """It would show changes that are not acknowledged, and that the primary does not show yet."""
    wait_until_read_there(storage)
    with psycopg.connect(servers.primary, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")
        try:
            until(lambda: not storage.read(is_read_there))
        finally:
            connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
            connection.execute("SELECT pg_reload_conf()")
    wait_until_read_there(storage)
    assert "commits of the primary wait for standbys" in caplog.text


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
