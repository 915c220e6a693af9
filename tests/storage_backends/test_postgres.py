"""Failures that only a store on PostgreSQL can have: the server ends connections or waits."""

import gc
import itertools
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from typing import Any

import peewee
import psycopg
import pytest

from chatcore.domain.ids import MessageId, Position
from chatcore.events.audience import Everyone
from chatcore.storage.conformance.makers import add_user, an_event, announce
from chatcore.storage.conformance.transactions import Crowd, Killed, in_one_commit, names, texts
from chatcore.storage.slices import WaitForSocket
from chatcore.storage.transaction import Snapshot, StorageNotReady, Transaction
from storage_backends import open_storage, postgres, postgres_connections, postgres_lock
from storage_backends.sql import group_commit
from storage_backends.sql.backend import LOCK_SECONDS
from storage_backends.sql.events import EventLog
from storage_backends.sql.statement import Statement
from storage_backends.sql.store import SqlStorage
from tests.storage_backends.frozen import frozen_writer
from tests.waiting import PATIENCE, until
from tests.worlds.registering import World


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


def waits_for_client(url: str, process: int) -> bool:
    """Return whether a process of the server has nothing to do; this is so a moment after it has answered."""
    with psycopg.connect(url) as connection:
        (state,) = connection.execute(
            "SELECT wait_event_type FROM pg_stat_activity WHERE pid = %s", (process,)
        ).fetchall()
    return state == ("Client",)


def waiting_for_the_lock(url: str) -> int:
    """Return how many processes of the server wait for an advisory lock of the database."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            """
            SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        ).rowcount


def wait_by_select(number: int, *, reading: bool, writing: bool, seconds: float) -> bool:
    return any(select.select([number] if reading else [], [number] if writing else [], [], seconds))


def test_each_connection_asks_once_which_log_it_writes(
    storage: SqlStorage, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[EventLog] = []
    monkeypatch.setattr(EventLog, "is_copied", lambda self: asked.append(self))
    storage.on_another_log(lambda tx: None)
    for number in range(3):
        announce(storage, f"{number}")
    assert len(asked) == 1
    end_connections(postgres_url)
    for number in range(3):
        announce(storage, f"{number}")
    assert len(asked) == 2


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


def test_a_connection_that_ends_in_the_middle_prints_nothing(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Require that no generator of the driver is left for the garbage collector to end."""
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)

    def work(tx: Transaction) -> None:
        add_user(tx, "ada")
        end_connections(postgres_url)
        tx.users.all()

    with closing(open_storage(postgres_url, wait_for_socket=wait_by_select)) as storage:
        with pytest.raises(StorageNotReady):
            storage.write(work)
        assert names(storage) == []
    assert not printed


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


@pytest.mark.parametrize(
    "statements",
    [
        "session.value(READ)",
        "list(session.each(READ))",
        "session.run(WRITE, more=0)",
        "session.run_many(WRITE, [{'more': 0}] * 9)",
        "session.run_counting(WRITE, more=0)",
        "session.run(WRITE, more=0); session.row(READ); session.run(WRITE, more=0)",
        "tx.session.backend.last_id('linkifier')",
        "tx.session.backend.continue_ids('linkifier', 0)",
    ],
)
def test_a_frozen_writer_keeps_others_from_writing_only_for_a_while(
    storage: SqlStorage, postgres_url: str, statements: str
) -> None:
    """The server counts the time of an idle transaction only after it has been sent a Sync."""
    assert postgres_connections.IDLE_SECONDS < LOCK_SECONDS
    with frozen_writer(postgres_url, statements):
        announce(storage, "after")
    assert texts(storage) == ["after"]


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param("database.execute_sql('SELECT 1')", id="before a Sync"),
        pytest.param("database.cursor().executemany('SELECT %s', [[1]] * 9)", id="in run_many"),
        pytest.param("database.execute_sql(\"SELECT repeat('x', 99999999)\")", id="in a result"),
        pytest.param(
            "session.backend._end_pipeline()\n"
            "    with database.cursor().copy('COPY linkifier FROM STDIN') as copy:\n"
            "        copy.write('#')\n"
            "        freeze()",
            id="in COPY",
        ),
    ],
)
def test_a_writer_that_is_frozen_in_the_middle_of_something_is_ended_by_those_who_wait(
    storage: SqlStorage,
    postgres_url: str,
    statements: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert postgres_lock.HOLDER_SILENT_SECONDS + 2 * postgres_lock.LOOK_SECONDS <= LOCK_SECONDS
    monkeypatch.setattr(postgres_lock, "HOLDER_SILENT_SECONDS", 0.5)
    monkeypatch.setattr(postgres, "LOOK_SECONDS", 0.2)
    with frozen_writer(postgres_url, statements):
        announce(storage, "after")
    assert texts(storage) == ["after"]
    assert "its client sent nothing" in caplog.text


class Looks:
    """A database that shows these silent holders of the lock, one at each look."""

    def __init__(self, *found: tuple[int, int, int] | None) -> None:
        self._found = list(found)
        self.ended: list[int] = []

    def execute_sql(self, statement: str, values: tuple[Any, ...]) -> Any:
        if statement == postgres_lock.END_SILENT:
            self.ended.append(values[1])
            return SimpleNamespace(fetchone=lambda: (True,))
        found = self._found.pop(0)
        return SimpleNamespace(fetchone=lambda: found)


def test_a_holder_of_the_lock_is_ended_only_if_nothing_of_it_has_moved() -> None:
    looks = Looks((7, 0, 1), (7, 0, 2), (7, 5, 2), None, (7, 5, 2), (8, 5, 2), (8, 5, 2))
    holder = postgres_lock.SilentHolder(looks, set())
    for _ in range(6):
        holder.look()
    assert looks.ended == []
    holder.look()
    assert looks.ended == [8]


class UnendingLooks(Looks):
    """A database that ends none of its silent holders, for these reasons, one at each try; "" if it tries."""

    def __init__(self, *found: tuple[int, int, int], reasons: tuple[str, ...]) -> None:
        super().__init__(*found)
        self._reasons = list(reasons)

    def execute_sql(self, statement: str, values: tuple[Any, ...]) -> Any:
        if statement != postgres_lock.END_SILENT:
            return super().execute_sql(statement, values)
        if reason := self._reasons.pop(0):
            raise peewee.ProgrammingError(reason)
        return SimpleNamespace(fetchone=lambda: (False,))


def test_each_reason_why_a_holder_is_not_ended_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    told: set[tuple[object, ...]] = set()
    looks = UnendingLooks(
        *[(7, 5, 2)] * 5, *[(8, 6, 2)] * 2, reasons=("not yours", "", "not yours", "", "not yours")
    )
    holder = postgres_lock.SilentHolder(looks, told)
    for _ in range(7):
        holder.look()
    said = [record.message.partition(" keeps all others from writing: ") for record in caplog.records]
    assert [(who.split()[1], why) for who, _, why in said] == [
        ("7", "not yours"),
        ("7", postgres_lock.FROZEN),
        ("8", "not yours"),
    ]
    assert {pid for pid, *_ in told} == {8}, "nothing is kept of holders that are gone"


def test_the_log_says_that_nothing_is_known_of_the_holder_of_the_lock(
    storage: SqlStorage, postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = storage.backend.database
    holder = postgres_lock.SilentHolder(database, set())
    with psycopg.connect(postgres_url) as connection, storage.backend.connection():
        connection.execute("SET track_activities = off")
        connection.execute(f"SELECT pg_advisory_xact_lock({postgres_lock.WRITE_LOCK})")
        until(lambda: waits_for_client(postgres_url, connection.info.backend_pid))
        for _ in range(3):
            holder.look()
        assert connection.execute("SELECT 1").fetchone() == (1,), "it was not ended"
    assert caplog.text.count("track_activities is off") == 1


def test_a_process_of_postgresql_that_stands_still_is_named_once_and_never_called_ended(
    storage: SqlStorage, postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody but the machine can end it; writers are refused until it goes on."""
    monkeypatch.setattr(postgres_lock, "HOLDER_SILENT_SECONDS", 0.1)
    monkeypatch.setattr(postgres, "LOOK_SECONDS", postgres.LEAST_PATIENCE)
    monkeypatch.setattr(group_commit, "LOCK_SECONDS", 3.0)
    with psycopg.connect(postgres_url) as connection:
        connection.execute(f"SELECT pg_advisory_xact_lock({postgres_lock.WRITE_LOCK})")
        until(lambda: waits_for_client(postgres_url, connection.info.backend_pid))
        os.kill(connection.info.backend_pid, signal.SIGSTOP)
        try:
            for _ in range(2):
                with pytest.raises(StorageNotReady):
                    announce(storage, "never")
        finally:
            os.kill(connection.info.backend_pid, signal.SIGCONT)
        with suppress(psycopg.OperationalError):  # now it ends
            connection.execute("SELECT 1")
    announce(storage, "after")
    assert texts(storage) == ["after"]
    assert caplog.text.count("stands still") == 1
    assert "was ended" not in caplog.text


def test_a_writer_that_computes_for_long_is_not_ended(
    storage: SqlStorage, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_lock, "HOLDER_SILENT_SECONDS", 0.1)
    monkeypatch.setattr(postgres, "LOOK_SECONDS", 0.1)
    begun = threading.Event()

    def work(tx: Transaction) -> None:
        tx.announce(an_event("before"), Everyone())
        begun.set()
        tx.session.run_counting(Statement("SELECT pg_sleep(1)"))  # type: ignore[attr-defined]

    crowd = Crowd()
    with closing(open_storage(postgres_url)) as other:
        crowd.start("computes", lambda: storage.write(work))
        assert begun.wait(PATIENCE)
        announce(other, "after")
    crowd.wait()
    assert (crowd.errors, texts(storage)) == ({}, ["before", "after"])


def test_a_migration_that_computes_for_long_is_not_ended(
    storage: SqlStorage, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends nothing meanwhile; those who write are refused once they have waited for long."""
    monkeypatch.setattr(postgres_lock, "HOLDER_SILENT_SECONDS", 0.1)
    for name in ("LOOK_SECONDS", "LEAST_PATIENCE"):
        monkeypatch.setattr(postgres, name, 0.1)
    monkeypatch.setattr(group_commit, "LOCK_SECONDS", 1.0)
    with (
        closing(open_storage(postgres_url)) as newer,
        newer.backend.connection(),
        newer.backend.migrating(),
        newer.backend.database.atomic(),
    ):
        newer.backend.lock_out_writers()
        with pytest.raises(StorageNotReady):
            announce(storage, "during")
        newer.backend.database.execute_sql("SELECT 1")
    announce(storage, "after")
    assert texts(storage) == ["after"]


@pytest.mark.parametrize("others_wait", [False, True], ids=["alone", "beside-others"])
def test_a_frozen_writer_is_ended_if_a_migration_waits(
    storage: SqlStorage, postgres_url: str, monkeypatch: pytest.MonkeyPatch, *, others_wait: bool
) -> None:
    monkeypatch.setattr(postgres_lock, "HOLDER_SILENT_SECONDS", 0.5)
    monkeypatch.setattr(postgres, "LOOK_SECONDS", 0.2)
    crowd = Crowd()

    def migrate() -> None:
        with newer.backend.connection(), newer.backend.migrating(), newer.backend.database.atomic():
            newer.backend.lock_out_writers()

    with (
        closing(open_storage(postgres_url)) as newer,
        frozen_writer(postgres_url, "database.execute_sql('SELECT 1')"),
    ):
        crowd.start("migrates", migrate)
        if others_wait:
            until(lambda: waiting_for_the_lock(postgres_url) == 1)
            announce(storage, "after")
        crowd.wait()
    assert (crowd.errors, texts(storage)) == ({}, ["after"] if others_wait else [])


@pytest.mark.parametrize("wait", [None, wait_by_select], ids=["alone", "in-a-server"])
def test_more_values_than_the_socket_takes_at_once_are_sent(
    postgres_url: str, wait: WaitForSocket | None
) -> None:
    def work(tx: Transaction) -> None:
        tx.session.run(Statement("SELECT pg_sleep(0)"))  # type: ignore[attr-defined]
        starred = tx.flags.starred_by([MessageId(one) for one in range(1_000_000, 1_400_000)])
        tx.announce(an_event(f"{len(starred)} are starred"), Everyone())

    with closing(open_storage(postgres_url, wait_for_socket=wait)) as storage:
        writer = threading.Thread(target=storage.write, args=(work,), daemon=True)
        writer.start()
        writer.join(PATIENCE)
        assert not writer.is_alive()
        assert texts(storage) == ["0 are starred"]


def test_the_first_error_of_several_statements_is_the_one_that_is_raised(storage: SqlStorage) -> None:
    def work(tx: Transaction) -> None:
        session = tx.session  # type: ignore[attr-defined]
        session.run(Statement("SELECT pg_sleep(0.05)"))
        session.run(Statement("SELECT 1 / 0"))
        for _ in range(9):
            session.run(Statement("SELECT pg_sleep(0.01)"))

    with pytest.raises(peewee.DataError, match="division by zero"):
        storage.write(work)


@pytest.fixture
def waits(storage: SqlStorage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The results that are waited for, one by one or together."""
    found: list[str] = []
    backend = storage.backend
    settle, sending = backend.settle, backend.sending

    @contextmanager
    def send() -> Iterator[None]:
        with sending():
            yield
        found.append("together")

    monkeypatch.setattr(backend, "settle", lambda: (settle(), found.append("one"))[0])
    monkeypatch.setattr(backend, "sending", send)
    return found


def test_statements_of_several_reads_are_waited_for_together(storage: SqlStorage, waits: list[str]) -> None:
    def read(snapshot: Snapshot) -> object:
        run = snapshot.session.value  # type: ignore[attr-defined]
        one, two = Statement("SELECT 1"), Statement("SELECT CAST(:more AS integer)")
        return snapshot.together(
            [lambda: run(one), lambda: run(two, more=run(one)), lambda: run(two, more=2)]
        )

    assert storage.read(read) == [1, 1, 2]
    assert waits == ["together", "together"]


def test_the_first_error_of_several_reads_is_the_one_that_is_raised(storage: SqlStorage) -> None:
    texts_of_values = ("1", "1 / 0", "CAST('a' AS integer)", "2")
    statements = [Statement(f"SELECT {text}") for text in texts_of_values]

    def read(snapshot: Snapshot) -> object:
        run = snapshot.session.value  # type: ignore[attr-defined]
        return snapshot.together([partial(run, statement) for statement in statements])

    for work in (storage.read, storage.write):
        with pytest.raises(peewee.DataError, match="division by zero"):
            work(read)


def test_an_error_that_is_being_handled_is_not_that_of_several_reads(storage: SqlStorage) -> None:
    def read(snapshot: Snapshot) -> object:
        run = snapshot.session.value  # type: ignore[attr-defined]
        return snapshot.together([partial(run, Statement("SELECT 1 / 0"))])

    try:
        raise psycopg.errors.SerializationFailure
    except psycopg.Error:
        with pytest.raises(peewee.DataError, match="division by zero"):
            storage.read(read)


def test_a_registration_waits_for_few_results(storage: SqlStorage, waits: list[str]) -> None:
    world = World(storage)
    for _ in range(2):
        waits.clear()
        world.state("ada")
    assert waits == ["together", "together"]


@pytest.mark.parametrize("uses", range(4, 7))
def test_a_read_that_was_skipped_behind_an_error_is_prepared_later(postgres_url: str, uses: int) -> None:
    def fail(snapshot: Snapshot) -> object:
        run = snapshot.session.value  # type: ignore[attr-defined]
        return snapshot.together([partial(run, Statement("SELECT 1 / 0")), snapshot.users.count])

    with closing(open_storage(postgres_url)) as storage:
        for _ in range(uses):
            storage.read(lambda snapshot: snapshot.users.count())
        with pytest.raises(peewee.DataError):
            storage.read(fail)
        for _ in range(OFTEN):
            assert storage.read(lambda snapshot: snapshot.users.count()) == 0


def test_several_reads_that_are_ended_are_answered_as_unavailable(storage: SqlStorage) -> None:
    def read(snapshot: Snapshot) -> object:
        run = snapshot.session.value  # type: ignore[attr-defined]
        snapshot.session.run(Statement("SET LOCAL statement_timeout = 20"))  # type: ignore[attr-defined]
        return snapshot.together([partial(run, Statement("SELECT pg_sleep(9)")), snapshot.users.count])

    with pytest.raises(StorageNotReady):
        storage.read(read)
    assert storage.read(lambda snapshot: snapshot.users.count()) == 0


def test_statements_behind_one_that_failed_do_not_fail_the_commit_of_others(storage: SqlStorage) -> None:
    def fail(tx: Transaction) -> None:
        session = tx.session  # type: ignore[attr-defined]
        session.run(Statement("SELECT 1 / 0"))
        for _ in range(200):
            session.run(Statement("SELECT 1"))

    def add(name: str) -> Callable[[Transaction], object]:
        return lambda tx: add_user(tx, name)

    crowd = Crowd()
    works = [("ada", add("ada")), ("fails", fail), ("ben", add("ben"))]
    in_one_commit(storage, crowd, works)
    assert isinstance(crowd.errors.pop("fails"), peewee.DataError)
    assert not crowd.errors
    assert sorted(names(storage)) == ["Ada", "Ben"]


def write_by_several_statements(storage: SqlStorage) -> None:
    def work(tx: Transaction) -> None:
        add_user(tx, "ben")
        tx.users.all()
        tx.session.run(Statement("UPDATE account SET full_name = full_name"))  # type: ignore[attr-defined]

    storage.write(work)


def read_together(storage: SqlStorage) -> None:
    def work(snapshot: Snapshot) -> Sequence[int]:
        return snapshot.together([snapshot.users.count, lambda: len(snapshot.users.by_names(["Ada"]))])

    assert storage.read(work) == [1, 1]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("work", [write_by_several_statements, read_together])
@pytest.mark.parametrize("has_begun", [False, True])
@pytest.mark.parametrize("place", range(1, 13))
def test_work_that_is_ended_while_it_waits_for_the_server_ends_alone(
    storage: SqlStorage,
    monkeypatch: pytest.MonkeyPatch,
    place: int,
    has_begun: bool,
    work: Callable[[SqlStorage], None],
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

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "wait", end)
        with suppress(Killed):
            work(storage)
    for name in ("cem", "dan", "eve"):
        storage.write(lambda tx, name=name: add_user(tx, name))
    assert {"Ada", "Cem", "Dan", "Eve"} <= set(names(storage))
    for generator in broken_off * 3:  # those of the driver want to go on at the end
        with suppress(psycopg.Error, RuntimeError):
            generator.close()
    gc.collect()  # one of an end that failed is not ours to close


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
        until(lambda: len(received) >= len(said))
        assert received == said
        assert committed.wait(PATIENCE)


def test_connections_wait_by_the_function_of_the_server(postgres_url: str) -> None:
    waits = []

    def wait(number: int, *, reading: bool, writing: bool, seconds: float) -> bool:
        waits.append(number)
        return wait_by_select(number, reading=reading, writing=writing, seconds=seconds)

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
        tables = {table.name: [*itertools.chain(*batches)] for table, batches in tx.tables.export(None)}
        tx.tables.clear()
        tx.tables.load("user_group", tables["user_group"])
        for number in range(people):
            add_user(tx, f"ada {number}")
        if loaded == "a corpus":
            tx.imports.note(loaded, 1, finished=True)
        else:
            tx.tables.finish(Position(2**40), {})

    storage.write(load)
    assert rows() == people


USED = Statement("SELECT full_name FROM account WHERE id = :id")
OFTEN = 10
"""Uses of a statement after which the driver has prepared it."""


def use(tx: Transaction) -> None:
    tx.session.run(USED, id=1)  # type: ignore[attr-defined]


def fail_by_database(tx: Transaction) -> None:
    tx.session.run(Statement("SELECT 1 / 0"))  # type: ignore[attr-defined]
    use(tx)


@pytest.mark.parametrize("uses", range(4, 7))
@pytest.mark.parametrize("error", [peewee.DataError, StorageNotReady])
def test_a_statement_that_was_skipped_behind_an_error_is_prepared_later(
    postgres_url: str, uses: int, error: type[Exception]
) -> None:
    """The driver notes a statement as prepared when it sends it for the sixth time."""

    def fail(tx: Transaction) -> None:
        if error is StorageNotReady:
            tx.session.run(Statement("SET LOCAL statement_timeout = 20"))  # type: ignore[attr-defined]
            tx.session.run(Statement("SELECT pg_sleep(9)"))  # type: ignore[attr-defined]
            use(tx)
        else:
            fail_by_database(tx)

    with closing(open_storage(postgres_url)) as storage:
        names(storage)  # the driver looks at the first ROLLBACK of a connection only
        for _ in range(uses):
            storage.write(use)
        with pytest.raises(error):
            storage.write(fail)
        for _ in range(OFTEN):
            storage.write(use)


@pytest.mark.parametrize("uses", range(1, 4))
def test_a_statement_that_was_skipped_is_prepared_later_in_the_same_commit(
    postgres_url: str, uses: int
) -> None:
    crowd = Crowd()
    with closing(open_storage(postgres_url)) as storage:
        in_one_commit(storage, Crowd(), [("first", use), ("fails", fail_by_database)])
        for _ in range(uses):
            storage.write(use)
        good = [(f"good {number}", use) for number in range(OFTEN)]
        in_one_commit(storage, crowd, [("first", use), ("fails", fail_by_database), *good])
    assert set(crowd.errors) == {"fails"}
    assert isinstance(crowd.errors["fails"], peewee.DataError)


def test_a_deadlock_is_answered_as_unavailable(storage: SqlStorage, postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as operator:

        def work(tx: Transaction) -> None:
            session = tx.session  # type: ignore[attr-defined]
            session.run_counting(Statement("LOCK TABLE account"))
            operator.execute("LOCK TABLE channel")
            waits.start()
            session.run(Statement("SET LOCAL deadlock_timeout = 10"))
            session.run(Statement("SELECT pg_sleep(0.2)"))
            session.run_counting(Statement("LOCK TABLE channel"))

        def wait_for_the_writer() -> None:
            operator.execute("SET LOCAL deadlock_timeout = '1h'")
            operator.execute("LOCK TABLE account")

        waits = threading.Thread(target=wait_for_the_writer)
        with pytest.raises(StorageNotReady, match="deadlock"):
            storage.write(work)
        waits.join(PATIENCE)
