"""A store on PostgreSQL behind PgBouncer in transaction mode."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest

from chatcore.domain.ids import Position
from chatcore.storage.conformance.makers import announce
from chatcore.storage.conformance.several_processes import *  # noqa: F403
from chatcore.storage.conformance.transactions import events_after
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.postgres import PostgresServer
from tests.storage_backends.frozen import frozen_writer
from tests.storage_backends.pgbouncer import pgbouncer
from tests.waiting import PATIENCE


@pytest.fixture(params=["", "ignore_startup_parameters = options"], ids=["refuses", "ignores"])
def pooled_url(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[str]:
    """PgBouncer refuses the settings of a connection, or ignores them."""
    with pgbouncer(postgres_url, request.param) as url:
        yield url


@pytest.fixture
def storage(pooled_url: str) -> Iterator[SqlStorage]:
    with closing(open_storage(pooled_url)) as opened:
        yield opened


@pytest.fixture
def second_storage(pooled_url: str) -> Iterator[SqlStorage]:
    with closing(open_storage(pooled_url)) as opened:
        yield opened


def test_statements_run_often_on_connections_that_others_have_used(
    storage: SqlStorage, second_storage: SqlStorage
) -> None:
    """Prepared statements would be those of another connection."""
    both = (storage, second_storage)
    for number in range(24):
        one = both[number % 2]
        announce(one, f"event {number}")
        assert len(events_after(one, Position(0), limit=100)) == number + 1


def test_the_limits_of_waiting_hold_in_each_transaction_and_stay_there(
    storage: SqlStorage, pooled_url: str
) -> None:
    def limits(tx: object) -> list[str]:
        show = storage.backend.database.execute_sql
        return [show(f"SHOW {name}").fetchone()[0] for name in ("lock_timeout", "jit")]

    names = ("lock_timeout", "jit", "idle_in_transaction_session_timeout")
    with psycopg.connect(pooled_url, autocommit=True, prepare_threshold=None) as other:
        usual = [other.execute(f"SHOW {name}").fetchone() for name in names]
        assert storage.read(limits) == ["10s", "off"]
        announce(storage, "event")
        assert [other.execute(f"SHOW {name}").fetchone() for name in names] == usual


def test_a_frozen_writer_keeps_others_from_writing_only_for_a_while(
    storage: SqlStorage, pooled_url: str
) -> None:
    with frozen_writer(pooled_url, "session.row(READ); session.run(WRITE, more=0)"):
        announce(storage, "after")
    assert len(events_after(storage, Position(0))) == 1


@contextmanager
def waiting_for_locks(url: str, limit: str) -> Iterator[None]:
    """Let a database have a limit of its own."""
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE \"{name}\" SET lock_timeout = '{limit}'".encode())
        try:
            yield
        finally:
            connection.execute(f'ALTER DATABASE "{name}" RESET lock_timeout'.encode())


def test_a_migration_changes_no_limits_of_others(postgres_url: str) -> None:
    """One of the two connections to the server holds the lock, so that the other one serves everybody."""
    with (
        waiting_for_locks(postgres_url, "7s"),
        pgbouncer(postgres_url, "default_pool_size = 2") as url,
        closing(open_storage(url)) as storage,
        psycopg.connect(url, autocommit=True, prepare_threshold=None) as other,
    ):
        storage.migrate()
        with storage.backend.connection(), storage.backend.migrating():
            assert other.execute("SHOW lock_timeout").fetchone() == ("7s",)


def test_a_pooler_is_noticed_where_the_database_has_the_same_limits(postgres_url: str) -> None:
    with (
        waiting_for_locks(postgres_url, "10s"),
        pgbouncer(postgres_url, "ignore_startup_parameters = options") as url,
        closing(open_storage(url)) as storage,
    ):
        announce(storage, "event")
        assert storage.backend.database.has_pooler


def test_commits_of_another_process_are_noticed(storage: SqlStorage, second_storage: SqlStorage) -> None:
    received = threading.Event()
    storage.on_commit(received.set)
    assert received.wait(PATIENCE)
    for text in ("one", "two"):
        received.clear()
        announce(second_storage, text)
        assert received.wait(PATIENCE)


def test_tables_are_made_once_by_processes_that_start_together(postgres: PostgresServer) -> None:
    with postgres.bare_database() as url, pgbouncer(url) as pooled:
        applied: list[list[str]] = []

        def migrate() -> None:
            with closing(open_storage(pooled)) as storage:
                applied.append(storage.migrate())

        threads = [threading.Thread(target=migrate) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(map(len, applied))[:2] == [0, 0]
        assert sum(map(len, applied)) > 10
