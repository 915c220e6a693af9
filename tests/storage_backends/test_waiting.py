"""A store that another connection has locked: writers wait for a while, readers do not wait."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from types import SimpleNamespace

import psycopg
import pytest

from chatcore.settings import sqlite_file
from chatcore.storage import StorageNotReady, Transaction
from chatcore.storage.conformance.makers import add_user
from chatcore.storage.conformance.transactions import Crowd, names
from storage_backends import open_storage, postgres, postgres_connections, postgres_lock, sqlite
from storage_backends.sql import group_commit
from storage_backends.sql.memory import HeadRows
from storage_backends.sql.store import SqlStorage
from tests.postgres.connections import OURSELVES
from tests.waiting import PATIENCE, until


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Another process writes."""
    path = sqlite_file(url)
    if path is not None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("ROLLBACK")
    else:
        with psycopg.connect(url, application_name=OURSELVES) as connection:
            connection.execute(f"SELECT pg_advisory_xact_lock({postgres_lock.WRITE_LOCK})")
            yield


def test_writers_wait_for_a_lock_as_long_as_they_may_and_readers_not_at_all(
    storage: SqlStorage, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.node.callspec.params["storage"] == "memory":
        pytest.skip("nobody else has a store in memory")
    url = request.getfixturevalue(request.node.callspec.params["storage"])
    monkeypatch.setattr(group_commit, "LOCK_SECONDS", 0.5)
    monkeypatch.setattr(group_commit, "PROBE_PATIENCE", 0.1)
    monkeypatch.setattr(postgres, "LEAST_PATIENCE", 0.1)
    crowd = Crowd()
    with locked(url):
        for name in ("ada", "ben", "cem"):
            crowd.start(name, partial(storage.write, partial(add_user, name=name)))
        assert names(storage) == []
        crowd.wait()
        with pytest.raises(StorageNotReady):
            storage.check_writing()
    assert {type(error) for error in crowd.errors.values()} == {StorageNotReady}
    assert set(crowd.errors) == {"ada", "ben", "cem"}
    storage.write(partial(add_user, name="zoe"))
    storage.check_writing()
    assert names(storage) == ["Zoe"]


def test_a_writer_goes_on_when_the_lock_is_free_again(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd, asks = Crowd(), threading.Event()
    with closing(open_storage(store_url)) as storage:
        begin_write = storage.backend.begin_write

        def ask(until: float) -> HeadRows:
            asks.set()
            return begin_write(until)

        monkeypatch.setattr(storage.backend, "begin_write", ask)
        with locked(store_url):
            crowd.start("ada", partial(storage.write, partial(add_user, name="ada")))
            assert asks.wait(PATIENCE)
        crowd.wait()
        assert (crowd.errors, names(storage)) == ({}, ["Ada"])


def test_migrating_waits_for_a_lock_too(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_storage(sqlite_url)) as storage:
        with locked(sqlite_url), monkeypatch.context() as patch:
            patch.setattr(sqlite, "LOCK_SECONDS", 0.05)
            with pytest.raises(StorageNotReady, match="locked"):
                storage.migrate()
        assert storage.migrate() == []


def test_long_work_does_not_delay_the_commit_of_those_behind_it(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "BATCH_SECONDS", PATIENCE)
    passed = 0.0
    monkeypatch.setattr(
        group_commit, "time", SimpleNamespace(sleep=time.sleep, monotonic=lambda: time.monotonic() + passed)
    )
    commits: list[list[str]] = [[]]
    begun, go_on = threading.Event(), threading.Event()

    def work(name: str, seconds: float, tx: Transaction) -> None:
        nonlocal passed
        if name == "first":
            begun.set()
            assert go_on.wait(PATIENCE)
        passed += seconds
        commits[-1].append(name)
        add_user(tx, name)

    commit = storage.backend.commit

    def spy(head: int | None) -> None:
        commit(head)
        commits.append([])

    monkeypatch.setattr(storage.backend, "commit", spy)
    crowd = Crowd()
    crowd.start("first", partial(storage.write, partial(work, "first", 0)))
    assert begun.wait(PATIENCE)
    for number, (name, seconds) in enumerate([("light", 0.0), ("heavy", 2 * PATIENCE), ("late", 0.0)]):
        crowd.start(name, partial(storage.write, partial(work, name, seconds)))
        until(lambda number=number: storage.writers.waiting > number)  # type: ignore[misc]
    go_on.set()
    crowd.wait()
    assert (crowd.errors, commits) == ({}, [["first"], ["light", "heavy"], ["late"], []])


def test_a_process_that_is_frozen_lets_go_of_the_lock(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = postgres_connections.OPTIONS.replace(f"{postgres_connections.IDLE_SECONDS:g}s", "200ms")
    holds, thawed = threading.Event(), threading.Event()

    def freeze(tx: Transaction) -> None:
        holds.set()
        assert thawed.wait(PATIENCE)
        add_user(tx, "late")

    crowd = Crowd()
    with closing(open_storage(postgres_url)) as frozen, closing(open_storage(postgres_url)) as other:
        with monkeypatch.context() as patch:  # of the connection that this one opens
            patch.setattr(postgres_connections, "OPTIONS", options)
            crowd.start("frozen", partial(frozen.write, freeze))
            assert holds.wait(PATIENCE)
        other.write(partial(add_user, name="ada"))
        thawed.set()
        crowd.wait()
        assert isinstance(crowd.errors["frozen"], StorageNotReady)
        assert names(other) == ["Ada"]
