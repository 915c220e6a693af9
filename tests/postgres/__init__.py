"""A real PostgreSQL for the tests, started by them; an empty database takes a few milliseconds.

It is configured for speed, not to survive a power failure: the tests check that the store asks for
durability.
"""

import gc
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import count
from typing import TypeAlias
from urllib.parse import urlsplit

import psycopg

from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.postgres.cluster import postgres_cluster
from tests.postgres.connections import OURSELVES, Connections, connections_kept
from tests.waiting import until

WITHOUT = "CHATCORE_TESTS_WITHOUT_POSTGRES"
"""Environment: a run without PostgreSQL is what the developer wants."""
GIVEN_URL = "CHATCORE_TESTS_POSTGRES_URL"
"""Environment: a server to use instead of one of our own, as a user who may create databases."""
WORKER = "PYTEST_XDIST_WORKER"
"""Environment: which of the test processes that run side by side this one is."""

SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_wal_size": "'1GB'",
    "checkpoint_timeout": "'1h'",
}

Found: TypeAlias = Callable[[SqlStorage], object]
"""A function that fills an empty store; it runs once, and copies of its rows are reused."""

# The rows and numbers that a database begins with.
KEEP = """
    CREATE SCHEMA migrated;
    DO $$
    DECLARE
        item record;
    BEGIN
        FOR item IN
            SELECT relname AS name FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
        LOOP
            EXECUTE format('CREATE TABLE migrated.%I AS TABLE public.%I', item.name, item.name);
        END LOOP;
    END $$;
    CREATE SCHEMA drawn;
    CREATE TABLE drawn.numbers AS SELECT schemaname, sequencename, last_value FROM pg_sequences;
"""
# Deleting is much faster than a new database, or even TRUNCATE: both make files. A big table is worth one.
EMPTY = """
    DO $$
    DECLARE
        item record;
    BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);  -- entries of the audit log are kept
        FOR item IN
            SELECT oid::regclass AS name, pg_relation_size(oid) > 1000000 AS is_big FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
        LOOP
            IF item.is_big THEN
                EXECUTE format('TRUNCATE %s', item.name);
            ELSE
                EXECUTE format('DELETE FROM %s', item.name);
            END IF;
        END LOOP;
        FOR item IN
            SELECT relname AS name FROM pg_class
            WHERE relkind = 'r' AND relnamespace = 'migrated'::regnamespace
        LOOP
            EXECUTE format(
                'INSERT INTO public.%I OVERRIDING SYSTEM VALUE TABLE migrated.%I', item.name, item.name
            );
        END LOOP;
    END $$;
    SELECT setval(format('%I.%I', schemaname, sequencename), coalesce(last_value, 1), last_value IS NOT NULL)
        FROM drawn.numbers;
"""


class PostgresServer:
    """A server with a few migrated databases, which are emptied and used again."""

    def __init__(self, url: str, prefix: str, connections: Connections) -> None:
        self.url = url
        self._prefix = prefix
        self._connections = connections
        self._numbers = count(1)
        self._admin = psycopg.connect(url, autocommit=True)
        self._free: defaultdict[Found | None, list[str]] = defaultdict(list)
        self._made: dict[str, psycopg.Connection] = {}

    @contextmanager
    def database(self, found: Found | None = None) -> Iterator[str]:
        """The URL of a database: migrated and filled by *found*, or empty.

        At the end no connection to it may be open.
        """
        free = self._free[found]
        name = free.pop() if free else self._make(found)
        yield self._url_of(name)
        self._wait_until_alone(name)
        self._made[name].execute(EMPTY)
        free.append(name)

    @contextmanager
    def bare_database(self) -> Iterator[str]:
        """The URL of a database without any table, which is dropped at the end."""
        name = self._create()
        try:
            yield self._url_of(name)
            self._wait_until_alone(name)
        finally:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def is_alone(self, url: str) -> bool:
        """Whether this is the only connection to the database."""
        return not self._connected(urlsplit(url).path[1:])

    def close(self) -> None:
        for name, connection in self._made.items():
            connection.close()
            self._run(f"DROP DATABASE {name} WITH (FORCE)")
        self._admin.close()

    def _make(self, found: Found | None) -> str:
        name = self._create()
        url = self._url_of(name)
        make_store(url, found)
        self._connections.keep(url)
        self._made[name] = psycopg.connect(url, autocommit=True, application_name=OURSELVES)
        self._made[name].execute(KEEP)
        return name

    def _create(self) -> str:
        name = f"{self._prefix}_{next(self._numbers)}"
        self._run(f"DROP DATABASE IF EXISTS {name}")
        self._run(f"CREATE DATABASE {name} TEMPLATE template0")
        return name

    def _run(self, statement: str) -> None:
        self._admin.execute(statement.encode())

    def _url_of(self, database: str) -> str:
        return urlsplit(self.url)._replace(path=f"/{database}").geturl()

    def _connected(self, database: str) -> list[tuple[str | None, str | None]]:
        return self._admin.execute(
            """
            SELECT state, query FROM pg_stat_activity
            WHERE datname = %s AND backend_type = 'client backend' AND application_name <> %s
            """,
            (database, OURSELVES),
        ).fetchall()

    def _wait_until_alone(self, database: str) -> None:
        try:
            until(lambda: not self._connected(database), lambda: str(self._connected(database)))
        except AssertionError:
            gc.collect()  # for those that come after
            raise


def make_store(url: str, found: Found | None) -> None:
    """Bring an empty database to the state in which tests begin."""
    storage = open_storage(url)
    storage.migrate()
    if found is not None:
        found(storage)
    storage.close()


@contextmanager
def postgres_server(environment: Mapping[str, str]) -> Iterator[PostgresServer]:
    """The server of the environment, or one of our own, which is gone afterwards."""
    given = environment.get(GIVEN_URL)
    with (
        nullcontext(given) if given else postgres_cluster(SETTINGS) as url,
        connections_kept() as connections,
    ):
        # Test processes side by side may have been given the same server.
        server = PostgresServer(url, f"chatcore_test_{environment.get(WORKER, 'main')}", connections)
        try:
            yield server
        finally:
            server.close()
