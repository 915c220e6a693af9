"""Answers to clients while the database is unreachable, and recovery afterwards."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest
from werkzeug.test import Client

from chatcore.bootstrap import make_application
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.postgres import PostgresServer
from tests.postgres.connections import OURSELVES, connections_are_new
from tests.waiting import PATIENCE
from tests.worlds.registering_over_http import Api

NOT_READY = {"result": "error", "msg": "The server is not ready", "code": "SERVER_NOT_READY"}

REQUESTS = [
    ("GET", "/api/v1/users/me", {}),
    ("POST", "/api/v1/messages", {"type": "direct", "to": '["grace@example.org"]', "content": "Hello"}),
    ("POST", "/api/v1/register", {}),
]


Headers = Mapping[str, str]


def require_not_ready(
    client: Client,
    headers: Headers,
    caplog: pytest.LogCaptureFixture,
    requests: Sequence[tuple[str, str, dict[str, str]]] = REQUESTS,
) -> None:
    """Requests and the readiness page answer that the store is unavailable.

    The log has one line for each cause, however many requests fail.
    """
    caplog.clear()
    for method, path, data in (*requests, *requests, ("GET", "/ready", {})):
        response = client.open(path, method=method, data=data, headers=headers)
        assert (response.status_code, response.get_json()) == (503, NOT_READY)
    records = [one for one in caplog.records if one.name == "chatcore.http"]
    assert 1 <= len(records) == len({one.args for one in records})
    assert [one for one in records if one.exc_info] == []
    assert "the database is temporarily unavailable" in records[0].getMessage()
    caplog.clear()


def client_of(api: Api) -> tuple[Client, Headers]:
    """A client that does not itself read from the store."""
    return Client(make_application(api.svc)), api.headers("ada")


@contextmanager
def gone(postgres: PostgresServer, url: str) -> Iterator[None]:
    """Close all connections to the database and refuse new ones."""
    name = urlsplit(url).path[1:]
    with connections_are_new(), psycopg.connect(postgres.url, autocommit=True) as connection:

        def allow(allowed: bool) -> None:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}".encode())

        allow(False)
        try:
            connection.execute(
                """
                SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = %s AND application_name <> %s AND backend_type = 'client backend'
                """,
                (name, OURSELVES),
            )
            yield
        finally:
            allow(True)


def test_a_postgresql_that_has_gone_is_waited_for(
    postgres: PostgresServer, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(open_storage(postgres_url)) as storage:
        api = Api(storage)
        grace = api.follow("grace", "message")
        client, headers = client_of(api)
        with gone(postgres, postgres_url):
            require_not_ready(client, headers, caplog)
        api.ok("ada", "POST", "messages", type="direct", to=["grace@example.org"], content="Back again")
        assert [event["message"]["content"] for event in grace.events()] == ["Back again"]
        assert client.get("/ready").status_code == 200
        api.svc.hub.stop()


def test_connections_that_are_all_in_use_are_waited_for(
    storage: SqlStorage, caplog: pytest.LogCaptureFixture
) -> None:
    api = Api(storage)
    client, headers = client_of(api)
    pool = storage.backend.database
    pool._max_connections, pool._wait_timeout = 1, 0.01
    pool.close_all()
    reads, enough = threading.Event(), threading.Event()

    def read(snapshot: object) -> None:
        reads.set()
        enough.wait(PATIENCE)

    reader = threading.Thread(target=storage.read, args=(read,))
    reader.start()
    assert reads.wait(PATIENCE)
    require_not_ready(client, headers, caplog)
    enough.set()
    reader.join()
    assert api.ok("ada", "GET", "users/me")["full_name"]
    api.svc.hub.stop()


@contextmanager
def cut_commit(storage: SqlStorage, url: str, *, is_stored: bool) -> Iterator[None]:
    """Lose the connection in the next commit, before or after the database has made it."""
    backend = storage.backend
    commit, cut = backend.commit, list[int | None]()

    def cut_off(head: int | None) -> None:
        if cut:
            commit(head)
            return
        cut.append(head)
        pid = backend.database.connection().info.backend_pid
        if is_stored:
            commit(head)
        with psycopg.connect(url, application_name=OURSELVES, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        if is_stored:
            backend.database.execute_sql("SELECT 1")  # the driver notices the loss
        else:
            commit(head)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "commit", cut_off)
        yield
    assert cut


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_change_whose_commit_was_lost_is_answered_as_unknown(postgres_url: str, is_stored: bool) -> None:
    with closing(open_storage(postgres_url)) as storage:
        api = Api(storage)
        client, headers = client_of(api)
        method, path, data = REQUESTS[1]
        with cut_commit(storage, postgres_url, is_stored=is_stored):
            response = client.open(path, method=method, data=data, headers=headers)
        assert (response.status_code, response.get_json()["code"]) == (503, "OUTCOME_UNKNOWN")
        assert client.open(path, method=method, data=data, headers=headers).status_code == 200
        found = api.ok("ada", "GET", "messages", anchor="newest", num_before=9, num_after=0)["messages"]
        assert len(found) == 1 + is_stored
        api.svc.hub.stop()


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_change_without_an_event_whose_commit_was_lost_is_unknown_too(
    postgres_url: str, is_stored: bool
) -> None:
    with closing(open_storage(postgres_url)) as storage:
        api = Api(storage)
        client, headers = client_of(api)
        with cut_commit(storage, postgres_url, is_stored=is_stored):
            response = client.post("/api/v1/users/me/api_key/regenerate", headers=headers)
        assert (response.status_code, response.get_json()["code"]) == (503, "OUTCOME_UNKNOWN")
        after = client.get("/api/v1/users/me", headers=headers)
        assert after.status_code == (401 if is_stored else 200)
        api.svc.hub.stop()
