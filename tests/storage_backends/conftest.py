"""The tests of the stores themselves run on the store in memory too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.postgres import PostgresServer


@pytest.fixture(params=["sqlite_url", "memory", "postgres_url"], ids=["sqlite", "memory", "postgresql"])
def storage(request: pytest.FixtureRequest) -> Iterator[SqlStorage]:
    """An empty store, opened, once of each kind."""
    in_memory = request.param == "memory"
    opened = open_storage("sqlite:///:memory:" if in_memory else request.getfixturevalue(request.param))
    if in_memory:
        opened.migrate()
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place for a store in which there is nothing yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/chat.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.bare_database() as url:
        yield url
