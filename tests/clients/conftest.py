"""A server for programs of other people, once for each kind of store."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.clients.installed import require_brand
from tests.clients.served import Served, serving
from tests.postgres import PostgresServer


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def session_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    brand = require_brand()
    folder = tmp_path_factory.mktemp("served")
    with ExitStack() as stack:
        if request.param == "postgresql":
            postgres: PostgresServer = request.getfixturevalue("postgres")
            database = stack.enter_context(postgres.database())
        else:
            database = f"sqlite:///{folder / 'chat.db'}"
        yield stack.enter_context(serving(folder, database, brand))


@pytest.fixture
def served(session_server: Served) -> Iterator[Served]:
    yield session_server
    session_server.forget_clients()


@pytest.fixture
def ada(served: Served) -> Any:
    """The owner, as a client of the library."""
    return served.client("ada")


@pytest.fixture
def bea(served: Served) -> Any:
    """A member, as a client of the library."""
    return served.client("bea")


@pytest.fixture
def robo(served: Served) -> Any:
    """A bot, as a client of the library."""
    return served.client("robo")
