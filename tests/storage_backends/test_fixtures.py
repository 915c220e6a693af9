"""The fixtures themselves: what they promise to the tests that use them."""

import sqlite3
from pathlib import Path

import psycopg
import pytest

from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.conftest import is_alone, require_alone
from tests.postgres import PostgresServer


def test_a_store_is_migrated_and_empty(store_url: str) -> None:
    storage = open_storage(store_url)
    storage.check()
    assert storage.read(lambda snapshot: snapshot.log.head()) == 0
    assert storage.read(lambda snapshot: snapshot.users.all()) == []
    storage.close()


def test_an_opened_store_is_migrated_and_empty(storage: SqlStorage) -> None:
    storage.check()
    assert storage.read(lambda snapshot: snapshot.organization.find()) is None


def test_a_file_that_is_still_open_is_noticed(sqlite_url: str) -> None:
    path = Path(sqlite_url.removeprefix("sqlite:///"))
    connection = sqlite3.connect(path)
    connection.execute("SELECT count(*) FROM message")
    with pytest.raises(AssertionError, match="left open"):
        require_alone(path)
    connection.close()
    assert is_alone(path)


def test_a_database_that_is_still_open_is_noticed(postgres: PostgresServer) -> None:
    with postgres.database() as url:
        name = url.partition("?")[0].rpartition("/")[2]
        with psycopg.connect(url):
            assert not postgres.is_alone(name)
