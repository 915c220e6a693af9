"""A real PostgreSQL for the tests, started by themselves; a fresh migrated database takes a few hundredths of
a second.

It is made for speed, not to survive a power failure: what is tested is that the store asks for durability.
"""

import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from storage_backends import open_storage

WITHOUT = "CHATCORE_TESTS_WITHOUT_POSTGRES"
"""Environment: a run without PostgreSQL is what the developer wants."""
GIVEN_URL = "CHATCORE_TESTS_POSTGRES_URL"
"""Environment: a server to use instead of one of our own, as a user who may create databases."""

SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_wal_size": "'1GB'",
    "checkpoint_timeout": "'1h'",
}
TEMPLATE = "chatcore_test_template"
PATIENCE = 5.0
"""Seconds that a backend of PostgreSQL may take to notice that its client has gone."""


class PostgresServer:
    """A server with a migrated database, of which copies are made."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._numbers = count(1)
        self._admin = psycopg.connect(url, autocommit=True)
        self._run(f"DROP DATABASE IF EXISTS {TEMPLATE}")
        self._run(f"CREATE DATABASE {TEMPLATE}")
        template = open_storage(self.url_of(TEMPLATE))
        template.migrate()
        template.close()
        self._wait_until_alone(TEMPLATE)

    def url_of(self, database: str) -> str:
        return urlsplit(self.url)._replace(path=f"/{database}").geturl()

    def is_alone(self, database: str) -> bool:
        """Whether nobody is connected to the database."""
        return not self._connections(database)

    @contextmanager
    def database(self, *, migrated: bool = True) -> Iterator[str]:
        """The URL of a fresh database; at the end nobody may be connected to it any more."""
        name = f"chatcore_test_{next(self._numbers)}"
        self._run(f"DROP DATABASE IF EXISTS {name}")
        self._run(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE if migrated else 'template0'} STRATEGY FILE_COPY")
        try:
            yield self.url_of(name)
            self._wait_until_alone(name)
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        self._run(f"DROP DATABASE {TEMPLATE} WITH (FORCE)")
        self._admin.close()

    def _run(self, statement: str) -> None:
        self._admin.execute(statement.encode())

    def _connections(self, database: str) -> list[tuple[str | None, str | None]]:
        return self._admin.execute(
            "SELECT state, query FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'",
            (database,),
        ).fetchall()

    def _wait_until_alone(self, database: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while left := self._connections(database):
            assert time.monotonic() < deadline, f"connections were left open: {left}"
            time.sleep(0.002)


@contextmanager
def postgres_server(environment: Mapping[str, str]) -> Iterator[PostgresServer]:
    """The server of the environment, or one of our own, which is gone afterwards."""
    given = environment.get(GIVEN_URL)
    with nullcontext(given) if given else _own_server() as url:
        server = PostgresServer(url)
        try:
            yield server
        finally:
            server.close()


@contextmanager
def _own_server() -> Iterator[str]:
    with warnings.catch_warnings():
        # It says so at import wherever there is no login session, as in a container.
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set", category=UserWarning)
        import pgserver
    folder = Path(tempfile.mkdtemp(prefix="chatcore-postgres-"))  # a short path: the socket is in it
    try:
        server = pgserver.get_server(folder, cleanup_mode="stop")
        try:
            url = server.get_uri()
            with psycopg.connect(url, autocommit=True) as connection:
                for name, value in SETTINGS.items():
                    connection.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
                connection.execute("SELECT pg_reload_conf()")
            yield url
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
