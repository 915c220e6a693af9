"""Failures that only a store on PostgreSQL can have: the server ends connections or waits."""

import itertools
import select
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

import peewee
import psycopg
import pytest

from chatcore.domain.ids import Position
from chatcore.storage.conformance.makers import add_user, announce
from chatcore.storage.conformance.transactions import PATIENCE, Killed, names, texts
from chatcore.storage.transaction import Snapshot, Transaction
from storage_backends import open_storage
from storage_backends.sql.statement import Statement
from storage_backends.sql.store import SqlStorage


@pytest.fixture
def storage(postgres_url: str) -> Iterator[SqlStorage]:
    with closing(open_storage(postgres_url)) as opened:
        yield opened


def end_connections(url: str) -> int:
    """End everybody's connections, as a restart of the server does; how many there were."""
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
                AND application_name <> 'chatcore tests' AND backend_type = 'client backend'
            """
        ).rowcount


def test_a_restart_of_the_server_goes_unnoticed(storage: SqlStorage, postgres_url: str) -> None:
    announce(storage, "before")
    assert end_connections(postgres_url) > 0
    assert texts(storage) == ["before"]
    assert end_connections(postgres_url) > 0
    announce(storage, "after")
    assert texts(storage) == ["before", "after"]


def test_a_connection_that_ends_in_the_middle_fails_that_unit_of_work_alone(
    storage: SqlStorage, postgres_url: str
) -> None:
    def work(snapshot: Snapshot) -> None:
        end_connections(postgres_url)
        snapshot.users.all()

    with pytest.raises(Exception, match=r"terminat|closed"):
        storage.write(work)
    with pytest.raises(Exception, match=r"terminat|closed"):
        storage.read(work)
    storage.write(lambda tx: add_user(tx, "ada"))
    assert len(storage.read(lambda snapshot: snapshot.users.all())) == 1


def test_a_write_waits_for_no_results_until_it_reads(storage: SqlStorage) -> None:
    went_on = threading.Event()

    def work(tx: Transaction) -> None:
        session = tx.session  # type: ignore[attr-defined]
        session.run(Statement("SELECT pg_sleep(0.1)"))
        session.run(Statement("SELECT 1 / 0"))
        went_on.set()
        tx.users.all()

    with pytest.raises(peewee.DataError):
        storage.write(work)
    assert went_on.is_set()


@pytest.mark.parametrize("has_begun", [False, True])
@pytest.mark.parametrize("place", range(1, 13))
def test_a_writer_that_is_ended_while_it_waits_for_the_server_ends_alone(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch, place: int, has_begun: bool
) -> None:
    storage.write(lambda tx: add_user(tx, "ada"))
    waits = itertools.count(1)
    broken_off: list[Any] = []
    wait = psycopg.Connection.wait

    def end(connection: Any, gen: Any, *more: Any) -> Any:
        if next(waits) == place:
            if has_begun:
                next(gen, None)
            broken_off.append(gen)
            raise Killed
        return wait(connection, gen, *more)

    def work(tx: Transaction) -> None:
        add_user(tx, "ben")
        tx.users.all()
        tx.session.run(Statement("UPDATE account SET full_name = full_name"))  # type: ignore[attr-defined]

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "wait", end)
        with suppress(Killed):
            storage.write(work)
    for name in ("cem", "dan", "eve"):
        storage.write(lambda tx, name=name: add_user(tx, name))
    assert {"Ada", "Cem", "Dan", "Eve"} <= set(names(storage))
    for generator in broken_off * 3:  # those of the driver want to go on at the end
        with suppress(psycopg.Error, RuntimeError):
            generator.close()


def test_listening_goes_on_after_a_restart_of_the_server(storage: SqlStorage, postgres_url: str) -> None:
    received = threading.Event()
    with closing(open_storage(postgres_url)) as other:
        storage.on_commit(received.set)
        announce(other, "one")
        assert received.wait(PATIENCE)
        end_connections(postgres_url)
        received.clear()
        announce(other, "two")
        assert received.wait(PATIENCE)
        assert texts(storage) == ["one", "two"]


def test_a_writer_of_another_process_is_waited_for(storage: SqlStorage, postgres_url: str) -> None:
    """The writer waits even where the database has a stricter isolation level, which would take the snapshot
    too early.
    """
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(
            f"ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'".encode()
        )
        try:
            with closing(open_storage(postgres_url)) as one, closing(open_storage(postgres_url)) as two:
                positions: list[int] = []

                def write(opened: SqlStorage) -> None:
                    for _ in range(20):
                        positions.append(announce(opened, "event"))  # noqa: PERF401

                threads = [threading.Thread(target=write, args=(opened,)) for opened in (one, two)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(PATIENCE)
                assert sorted(positions) == list(range(1, 41))
        finally:
            connection.execute(f"ALTER DATABASE {name} RESET default_transaction_isolation".encode())


def test_simultaneous_notifications_arrive_in_order(storage: SqlStorage, postgres_url: str) -> None:
    """Texts and commits that arrive while a notification is being sent are included."""
    received: list[str] = []
    listens, committed = threading.Event(), threading.Event()
    with closing(open_storage(postgres_url)) as other:
        other.on_commit(listens.set)
        other.on_broadcast(received.append)
        assert listens.wait(PATIENCE)
        other.on_commit(committed.set)
        said = [f"claim {number}" for number in range(40)]
        for number, text in enumerate(said):
            storage.broadcast(text)
            if number % 10 == 5:
                announce(storage, text)
                threading.Event().wait(0.005)
        for _ in range(int(PATIENCE / 0.01)):
            if len(received) >= len(said):
                break
            threading.Event().wait(0.01)
        assert received == said
        assert committed.wait(PATIENCE)


def test_connections_wait_by_the_function_of_the_server(postgres_url: str) -> None:
    waits = []

    def wait(number: int, *, reading: bool, writing: bool) -> None:
        waits.append(number)
        select.select([number] if reading else [], [number] if writing else [], [], PATIENCE)

    with closing(open_storage(postgres_url, wait_for_socket=wait)) as storage:
        announce(storage, "one")
        assert texts(storage) == ["one"]
        assert end_connections(postgres_url) > 0
        assert texts(storage) == ["one"]
    assert waits


@pytest.mark.parametrize("loaded", ["a corpus", "an archive"])
def test_plans_know_of_rows_that_were_just_loaded(
    storage: SqlStorage, postgres_url: str, loaded: str
) -> None:
    def rows() -> int:
        with psycopg.connect(postgres_url) as connection:
            found = connection.execute("SELECT reltuples FROM pg_class WHERE relname = 'account'").fetchone()
        assert found is not None
        return int(found[0])

    people = max(rows(), 0) + 1  # the database of an earlier test has kept its statistics

    def load(tx: Transaction) -> None:
        tx.tables.clear()
        for number in range(people):
            add_user(tx, f"ada {number}")
        if loaded == "a corpus":
            tx.imports.note(loaded, 1, finished=True)
        else:
            tx.tables.finish(Position(2**40), {})

    storage.write(load)
    assert rows() == people
