"""Writers whose thread is interrupted while they wait or lead a commit; later writers go on."""

import threading
from collections.abc import Callable
from functools import partial

import peewee
import pytest

from chatcore.storage.conformance.makers import add_user
from chatcore.storage.conformance.transactions import Crowd, Killed, names
from chatcore.storage.transaction import StorageNotReady, Transaction
from storage_backends.sql import group_commit
from storage_backends.sql.statement import Statement
from storage_backends.sql.store import SqlStorage
from tests.waiting import PATIENCE, until


class Impatient(threading.Event):
    """A job whose waiting thread is killed at once, as can happen to greenlets at any moment."""

    def wait(self, timeout: float | None = None) -> bool:
        raise Killed


REFUSED = Statement("INSERT INTO remembered_version (kind, version) VALUES ('people', 1)")
"""A statement that repeats a key."""


class Afterwards(threading.Event):
    """A job whose waiting thread is killed when the event is set."""

    def wait(self, timeout: float | None = None) -> bool:
        super().wait(timeout)
        raise Killed


class EndedAfterwards(group_commit.Job):
    def __init__(self, work: Callable[[Transaction], object]) -> None:
        super().__init__(work)
        self.woken = Afterwards()


def add(name: str) -> Callable[[Transaction], object]:
    return lambda tx: add_user(tx, name)


def until_queued(storage: SqlStorage, writers: int) -> None:
    until(lambda: storage.writers.waiting >= writers)


def hold(storage: SqlStorage, crowd: Crowd) -> threading.Event:
    """Keep the store busy until the event is set."""
    running, go_on = threading.Event(), threading.Event()

    def work(tx: Transaction) -> None:
        running.set()
        assert go_on.wait(PATIENCE)

    crowd.start("holds the others up", partial(storage.write, work))
    assert running.wait(PATIENCE)
    return go_on


@pytest.mark.parametrize("place", [0, 1])
def test_a_writer_that_is_ended_while_it_waits_leaves_the_queue(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    crowd = Crowd()
    go_on = hold(storage, crowd)
    writers = ["ben", "cem"]
    writers.insert(place, "ended")
    for number, name in enumerate(writers):
        if name == "ended":
            with monkeypatch.context() as patch:
                patch.setattr(group_commit.threading, "Event", Impatient)
                with pytest.raises(Killed):
                    storage.write(add(name))
        else:
            crowd.start(name, partial(storage.write, add(name)))
            until_queued(storage, number + (place > number))
    go_on.set()
    crowd.wait()
    assert crowd.errors == {}
    assert sorted(names(storage)) == ["Ben", "Cem"]


def test_a_writer_whose_turn_does_not_come_in_time_leaves_the_queue(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = Crowd()
    go_on = hold(storage, crowd)
    with monkeypatch.context() as patch:
        patch.setattr(group_commit, "LOCK_SECONDS", 0.1)
        for _ in range(2):
            with pytest.raises(StorageNotReady, match="too long"):
                storage.write(add("never"))
    crowd.start("ben", partial(storage.write, add("ben")))
    until_queued(storage, 1)
    go_on.set()
    crowd.wait()
    assert crowd.errors == {}
    assert names(storage) == ["Ben"]


def test_a_writer_that_is_ended_just_when_it_has_to_lead_passes_that_on(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = Crowd()
    go_on = hold(storage, crowd)
    with monkeypatch.context() as patch:
        patch.setattr(group_commit, "Job", EndedAfterwards)
        crowd.start("ended", partial(storage.write, add("ended")))
        until_queued(storage, 1)
    crowd.start("ben", partial(storage.write, add("ben")))
    until_queued(storage, 2)
    go_on.set()
    crowd.wait()
    assert set(crowd.errors) == {"ended"}
    assert names(storage) == ["Ben"]
    storage.write(add("zoe"))


def test_a_leader_that_is_ended_before_it_begins_passes_on(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sleep(seconds: float) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(group_commit.time, "sleep", sleep)
        with pytest.raises(Killed):
            storage.write(add("ended"))
    storage.write(add("ada"))
    assert names(storage) == ["Ada"]


@pytest.mark.parametrize("reads_on", [False, True])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_unit_of_work_fails_alone_by_a_statement_that_it_never_asks_about(
    storage: SqlStorage, place: int, reads_on: bool
) -> None:
    """The database may refuse a statement after others were sent."""
    crowd = Crowd()
    go_on = hold(storage, crowd)
    writers = ["ben", "cem"]
    writers.insert(place, "refused")

    def refused(tx: Transaction) -> None:
        add_user(tx, "refused")
        tx.session.run(REFUSED)  # type: ignore[attr-defined]
        if reads_on:
            tx.users.all()

    for number, name in enumerate(writers):
        crowd.start(name, partial(storage.write, refused if name == "refused" else add(name)))
        until_queued(storage, number + 1)
    go_on.set()
    crowd.wait()
    assert list(crowd.errors) == ["refused"]
    assert sorted(names(storage)) == ["Ben", "Cem"]


def test_a_unit_of_work_that_is_alone_fails_with_its_last_statement(storage: SqlStorage) -> None:
    def refused(tx: Transaction) -> None:
        add_user(tx, "refused")
        tx.session.run(REFUSED)  # type: ignore[attr-defined]

    for _ in range(2):
        with pytest.raises(peewee.IntegrityError):
            storage.write(refused)
    storage.write(add("ben"))
    assert names(storage) == ["Ben"]


@pytest.mark.parametrize("read", ["rows", "row", "value", "column", "mapping"])
def test_a_read_raises_the_error_of_a_statement_before_it(storage: SqlStorage, read: str) -> None:
    def refused(tx: Transaction) -> None:
        session = tx.session  # type: ignore[attr-defined]
        session.run(REFUSED)
        getattr(session, read)(Statement("SELECT id, full_name FROM account"))

    with pytest.raises(peewee.IntegrityError):
        storage.write(refused)


def test_a_failed_commit_fails_everybody_in_it(storage: SqlStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd()
    go_on = hold(storage, crowd)
    for name in ("ada", "ben"):
        crowd.start(name, partial(storage.write, add(name)))
    until_queued(storage, 2)

    def commit(head: int | None) -> None:
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(storage.backend, "commit", commit)
        go_on.set()
        crowd.wait()
    assert {str(error) for error in crowd.errors.values()} == {"no space left on device"}
    assert set(crowd.errors) == {"holds the others up", "ada", "ben"}
    assert names(storage) == []
    storage.write(add("zoe"))
    assert names(storage) == ["Zoe"]


def test_after_a_failure_a_commit_of_nothing_has_the_next_probe_look_for_itself(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty commit shows that the database is there, but not that it can be written."""
    monkeypatch.setattr(group_commit, "PROBE_INTERVAL", 3600)
    commits: list[int | None] = []

    def refuse(head: int | None) -> None:
        commits.append(head)
        raise OSError("no space left on device")

    def fail(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(storage.backend, "commit", refuse)
        patch.setattr(storage.backend, "has_gone", lambda error: True)

    with monkeypatch.context() as patch:
        fail(patch)
        with pytest.raises(StorageNotReady):
            storage.write(add("ada"))
    for _ in range(2):
        with pytest.raises(StorageNotReady):
            storage.check_writing()  # it remembers, and tries nothing
    storage.write(lambda tx: None)
    with monkeypatch.context() as patch:
        fail(patch)
        assert len(commits) == 1
        for _ in range(2):
            with pytest.raises(StorageNotReady):
                storage.check_writing()
        assert len(commits) == 2, "it has tried once"
    storage.write(lambda tx: None)
    storage.check_writing()
    storage.write(add("ada"))
    storage.check_writing()
