"""A store that can be read but not written: full, read-only, or locked by another connection."""

import errno
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import psycopg
import pytest
from werkzeug.test import Client as WsgiClient
from werkzeug.test import TestResponse

from chatcore.bootstrap import make_application
from chatcore.storage.files import FilesNotReady
from storage_backends import files, postgres_connections
from storage_backends.sql import group_commit
from tests.http.serving.test_durability import Client, Server
from tests.postgres.connections import OURSELVES, connections_are_new
from tests.waiting import PATIENCE
from tests.worlds.files import (
    MULTIPART,
    attachments,
    fetches,
    files_world,
    form,
    part,
    sends_file,
    stored_files,
    uploads,
)
from tests.worlds.organization import World

__all__ = ["files_world"]


@contextmanager
def full(world: World) -> Iterator[None]:
    """The file of the store cannot grow; there is one connection to it."""
    database = world.storage.backend.database
    with world.storage.backend.connection():
        pages = database.pragma("max_page_count")
        database.pragma("max_page_count", 1)
    yield
    with world.storage.backend.connection():
        database.pragma("max_page_count", pages)


@contextmanager
def read_only(world: World) -> Iterator[None]:
    """Make the database read-only, as it may be after a failover."""
    with (
        connections_are_new(),
        psycopg.connect(world.url, autocommit=True, application_name=OURSELVES) as connection,
    ):
        name = urlsplit(world.url).path[1:]
        setting = f"ALTER DATABASE {name} {{}} default_transaction_read_only"
        connection.execute((setting.format("SET") + " = on").encode())
        world.storage.backend.database.close_all()
        try:
            yield
        finally:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(setting.format("RESET").encode())


@pytest.mark.parametrize("store", ["sqlite_url", "postgres_url"])
def test_a_failing_write_is_logged_once_and_recovers_by_itself(
    store: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(group_commit, "PROBE_INTERVAL", 0)
    monkeypatch.setattr(postgres_connections, "RENEWAL_SECONDS", 0)
    with closing(World(request.getfixturevalue(store))) as world:
        ada, client = world["ada"], WsgiClient(make_application(world.svc))
        ada.says("before", "lunch", "today")

        def send(length: int) -> TestResponse:
            data = {"type": "channel", "to": '"lunch"', "topic": "today", "content": "x" * length}
            return client.post("/api/v1/messages", data=data, headers=ada.headers)

        with (full if store == "sqlite_url" else read_only)(world), caplog.at_level(logging.INFO):
            answers = [send(9_000) for _ in range(30)]
            refused = [one for one in answers if one.status_code != 200]
            assert len(refused) > 5
            assert {(one.status_code, one.get_json()["code"]) for one in refused} == {
                (503, "SERVER_NOT_READY")
            }
            assert ada.reads(apply_markdown=False)[0]["content"] == "before"
            assert client.get("/health").status_code == 200
            if store == "postgres_url":  # a file that cannot grow may still be written here and there
                assert client.get("/ready").status_code == 503
            lines = [one for one in caplog.records if one.levelno >= logging.WARNING]
            assert len(lines) == len({one.getMessage() for one in lines})
            assert [one for one in lines if one.exc_info] == []
        kept = [one.get_json()["id"] for one in answers if one.status_code == 200]
        if store == "postgres_url":
            client.get("/ready")  # finds the connection that is read-only still
        assert client.get("/ready").status_code == 200
        last = ada.says("after", "lunch", "today")
        assert [one["id"] for one in ada.reads()][1:] == [*kept, last]


def test_the_page_that_says_whether_it_is_ready_remembers_what_failed(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(World(sqlite_url)) as world:
        client = WsgiClient(make_application(world.svc))
        ada = world["ada"]
        with full(world):
            data = {"type": "channel", "to": '"lunch"', "topic": "today", "content": "x" * 9_000}
            while client.post("/api/v1/messages", data=data, headers=ada.headers).status_code == 200:
                pass
            assert client.get("/ready").status_code == 503
        ada.says("after", "lunch", "today")
        assert client.get("/ready").status_code == 200


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_disk_that_takes_no_file_is_said_and_nothing_is_left(
    files_world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    call: str,
    number: int,
) -> None:
    ada, client = files_world["ada"], WsgiClient(make_application(files_world.svc))
    body = form(part(b"soup" * 1_000))

    def refuse(*arguments: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(files.os, call, refuse)
        for _ in range(2):
            response = client.post(
                "/api/v1/user_uploads", data=body, content_type=MULTIPART, headers=ada.headers
            )
            assert (response.status_code, response.get_json()["code"]) == (507, "INSUFFICIENT_STORAGE")
    (line,) = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert (line.name, line.exc_info) == ("chatcore.http", None)
    assert (stored_files(files_world), attachments(ada)) == ([], [])
    assert files_world.storage.read(lambda snapshot: snapshot.uploads.space_of_user(ada.id)).files == 0
    assert sends_file(ada, b"soup").status_code == 200


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE, errno.ENFILE])
def test_a_folder_of_files_that_cannot_be_used_is_said(
    files_world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    ada, client = files_world["ada"], WsgiClient(make_application(files_world.svc))
    url, body = uploads(ada, b"soup")["url"], form(part(b"soup"))
    assert client.get("/ready").status_code == 200

    def refuse(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        for place in ("_unfinished_path", "_finished_path", "_existing_folder"):
            patch.setattr(files.LocalFiles, place, refuse)
        answers = [
            client.get(url, headers=ada.headers),
            client.post("/api/v1/user_uploads", data=body, content_type=MULTIPART, headers=ada.headers),
            client.get("/ready"),
        ]
        for response in answers:
            assert (response.status_code, response.get_json()["code"]) == (503, "SERVER_NOT_READY")
    assert [one for one in caplog.records if one.exc_info] == []
    assert client.get("/ready").status_code == 200
    assert sends_file(ada, b"soup").status_code == 200
    assert fetches(ada, url).data == b"soup"


def test_files_out_of_reach_are_answered_503(files_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, client = files_world["ada"], WsgiClient(make_application(files_world.svc))
    url = uploads(ada, b"soup")["url"]

    def upload(data: bytes) -> tuple[int, str]:
        body = form(part(data))
        response = client.post("/api/v1/user_uploads", data=body, content_type=MULTIPART, headers=ada.headers)
        return response.status_code, response.get_json()["code"]

    with monkeypatch.context() as away:
        for work in ("open", "remove"):
            away.setattr(type(files_world.svc.files), work, out_of_reach)
        response = client.get(url, headers=ada.headers)
        assert (response.status_code, response.get_json()["code"]) == (503, "SERVER_NOT_READY")
        assert upload(b"soup") == (503, "SERVER_NOT_READY")
        too_large = bytes(files_world.svc.limits.max_file_upload_size_mib * 2**20 + 1)
        assert upload(too_large) == (400, "BAD_REQUEST")
    assert fetches(ada, url).data == b"soup"


def out_of_reach(*_: object) -> None:
    raise FilesNotReady("no route to the bucket")


def test_a_request_that_waits_for_a_lock_delays_no_other(sqlite_url: str, tmp_path: Path) -> None:
    """A lock of another process must not make the server stand still until the request gives up."""
    world = World(sqlite_url)
    world.close()
    server = Server(sqlite_url, tmp_path)
    writer, reader = (Client(world, name, lambda: server.port) for name in ("ada", "bea"))
    sends, has_ended, sent = threading.Event(), threading.Event(), list[int]()

    def send() -> None:
        sends.set()
        try:
            answer = writer.call("POST", "/messages", type="channel", to="lunch", topic="t", content="x")
            sent.append(answer["id"])
        finally:
            has_ended.set()

    sending = threading.Thread(target=send)
    try:
        with closing(sqlite3.connect(tmp_path / "chat.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            sending.start()
            assert sends.wait(PATIENCE)
            for _ in range(10):
                with urlopen(f"http://127.0.0.1:{server.port}/health") as answer:
                    assert answer.status == 200
                reader.call("GET", "/users/me")
            assert not has_ended.is_set()
            other.execute("ROLLBACK")
        sending.join()
        assert sent
    finally:
        for client in (writer, reader):
            client.close()
        server.stop()
