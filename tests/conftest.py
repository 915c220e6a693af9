"""Stores for the tests: SQLite and a real PostgreSQL.

`store_url` is the URL of an empty, migrated store, once of each kind; `storage` is such a store, opened; for
tests of the stores themselves the one in memory too. When a test is over, nothing may be connected to its
store any more.
"""

import gc
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("chatcore.storage.conformance")

from storage_backends import open_storage  # noqa: E402
from storage_backends.sql.store import SqlStorage  # noqa: E402
from tests.postgres import WITHOUT, PostgresServer, postgres_server  # noqa: E402

pytest_plugins = ["tests.conformance.plugin"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server. Without one the tests fail, unless the developer wants it so."""
    if os.environ.get(WITHOUT):  # noqa: TID251
        pytest.skip(f"PostgreSQL is left out, as {WITHOUT} says")
    with postgres_server(os.environ) as server:  # noqa: TID251
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    storage = open_storage(f"sqlite:///{path}")
    storage.migrate()
    storage.close()
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> Iterator[str]:
    """An empty store in a file."""
    path = tmp_path / "chat.db"
    shutil.copyfile(sqlite_template, path)
    yield f"sqlite:///{path}"
    require_alone(path)


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """An empty store in a database of its own."""
    with postgres.database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """An empty store, once of each kind that several processes can share."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture
def storage(store_url: str) -> Iterator[SqlStorage]:
    """An empty store, opened, once of each kind."""
    opened = open_storage(store_url)
    yield opened
    opened.close()


def require_alone(path: Path) -> None:
    """Fail when somebody still has the database file open."""
    if not is_alone(path):
        gc.collect()  # an error that a test has kept may keep a cursor in its traceback
        assert is_alone(path), "connections were left open"


def is_alone(path: Path) -> bool:
    """Whether nobody has the database file open: only then does SQLite leave WAL mode."""
    connection = sqlite3.connect(path, timeout=0)
    try:
        return connection.execute("PRAGMA journal_mode = delete").fetchone() == ("delete",)
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
