"""The fixtures themselves: what they promise to the tests that use them."""

import sqlite3
from importlib import import_module
from math import inf
from pathlib import Path
from pkgutil import walk_packages

import psycopg
import pytest

from chatcore.storage import conformance
from chatcore.storage.conformance.makers import a_town
from storage_backends import open_storage, postgres_silence
from storage_backends.sql.store import SqlStorage
from tests.conftest import is_alone, require_alone
from tests.postgres import PostgresServer


def test_a_store_is_migrated_and_empty(store_url: str) -> None:
    storage = open_storage(store_url)
    storage.check()
    assert storage.read(lambda snapshot: snapshot.log.head()) == 0
    assert not storage.read(lambda snapshot: snapshot.users.all())
    storage.close()


def test_an_opened_store_is_migrated_and_empty(storage: SqlStorage) -> None:
    storage.check()
    assert storage.read(lambda snapshot: snapshot.organization.find()) is None


def test_a_file_that_is_still_open_is_noticed(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    connection = sqlite3.connect(path)
    connection.execute("SELECT count(*) FROM message").fetchall()
    with pytest.raises(AssertionError, match="left open"):
        require_alone(path)
    connection.close()
    assert is_alone(path)


def test_a_database_that_is_still_open_is_noticed(postgres: PostgresServer) -> None:
    with postgres.bare_database() as url:
        assert postgres.is_alone(url)
        with psycopg.connect(url):
            assert not postgres.is_alone(url)


def test_a_long_statement_of_a_test_is_waited_for(postgres: PostgresServer) -> None:
    """Only a store has somebody who finds out whether the server still works on it."""
    with postgres.bare_database() as url, psycopg.connect(url) as connection:
        assert isinstance(connection, postgres_silence.Connection)
        assert connection.patience == inf


def test_a_connection_that_is_used_again_has_nothing_of_before(
    postgres: PostgresServer, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url) as connection:
        assert not postgres.is_alone(postgres_url)
        process = connection.info.backend_pid
        connection.execute("SELECT pg_advisory_lock(1)")
        connection.execute("SET lock_timeout = '1s'")
        connection.execute("LISTEN news")
    assert connection.closed
    assert postgres.is_alone(postgres_url)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        assert connection.info.backend_pid == process
        assert not postgres.is_alone(postgres_url)
        for left in (
            "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
            "SELECT pg_listening_channels()",
            "SELECT 1 FROM pg_settings WHERE source = 'session'",
        ):
            assert connection.execute(left).fetchall() == [], left
    with psycopg.connect(postgres_url) as connection:
        connection.execute("DELETE FROM log_head")
        connection.close()  # without a commit
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT count(*) FROM log_head").fetchone() == (1,)


def test_a_connection_that_has_broken_is_not_used_again(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as first, psycopg.connect(postgres_url, autocommit=True) as second:
        broken = first.info.backend_pid
        first.close()
        second.execute("SELECT pg_terminate_backend(%s, 5000)", [broken])
        with psycopg.connect(postgres_url) as third:
            assert third.info.backend_pid != broken
            assert third.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("time", ["first", "second"])
def test_a_database_is_empty_when_it_is_used_again(postgres_url: str, time: str) -> None:
    storage = open_storage(postgres_url)
    town = a_town(storage)
    assert storage.read(lambda snapshot: snapshot.users.all())[0].id == town.ada == 1
    assert storage.read(lambda snapshot: snapshot.log.head()) == 1
    storage.close()


def test_no_test_of_the_suite_hides_another() -> None:
    modules = [
        import_module(info.name) for info in walk_packages(conformance.__path__, f"{conformance.__name__}.")
    ]
    names = [
        name
        for module in modules
        for name, value in vars(module).items()
        if name.startswith("test_") and value.__module__ == module.__name__
    ]
    assert len(names) == len(set(names)) > 100
