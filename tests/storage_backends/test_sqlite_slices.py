"""SQLite where threads are greenlets: commits are made elsewhere, and long statements give way.

The server decides which greenlet runs next; these tests see only the places where they yield.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil

import pytest

from chatcore.storage import Snapshot, StorageNotReady, Transaction, slices
from chatcore.storage.conformance.makers import add_user
from chatcore.storage.conformance.transactions import Killed, names
from chatcore.storage.slices import in_slices
from storage_backends import open_storage, sqlite_slices
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement
from storage_backends.sql.store import SqlStorage

COUNT = Statement(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT sum(i) FROM n"
)
SUM = 50000 * 50001 // 2


class Elsewhere:
    """The thread for commits, which counts them."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, work: Callable[[], object]) -> object:
        self.calls += 1
        return work()


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


@pytest.fixture
def storage(sqlite_url: str, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqlStorage]:
    monkeypatch.setattr(sqlite_slices, "SLICE", 0)
    opened = open_storage(sqlite_url, elsewhere)
    yield opened
    opened.close()


def count(storage: SqlStorage) -> int:
    """Run a long statement on the connection of this thread."""
    return int(Session(storage.backend).value(COUNT))


def test_commits_are_made_elsewhere(storage: SqlStorage, elsewhere: Elsewhere) -> None:
    storage.write(lambda tx: add_user(tx, "ada"))
    assert (elsewhere.calls, names(storage)) == (1, ["Ada"])


def test_a_long_statement_gives_way(storage: SqlStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    switches: list[None] = []
    monkeypatch.setattr(sqlite_slices, "give_way", lambda: switches.append(None))
    assert storage.read(lambda _: count(storage)) == storage.write(lambda _: count(storage)) == SUM
    assert len(switches) > 100


def test_a_statement_without_a_transaction_is_measured_from_its_own_begin(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, switches = [0.0], list[None]()
    monkeypatch.setattr(sqlite_slices, "SLICE", slices.SLICE)
    monkeypatch.setattr(sqlite_slices, "give_way", lambda: switches.append(None))
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    storage.read(lambda _: count(storage))
    now[0] = 1.0  # the connection was not in use meanwhile
    with storage.backend.connection():
        assert (count(storage), switches) == (SUM, [])
        now[0] = 2.0
        assert count(storage) == SUM
    assert len(switches) == 1


def test_others_use_the_store_while_a_statement_gives_way(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[list[str]] = []

    def give_way() -> None:
        monkeypatch.setattr(sqlite_slices, "give_way", lambda: None)
        pool = storage.backend.database
        mine, pool._state.closed = (pool._state.conn, pool._state.transactions), True
        storage.write(
            lambda tx: add_user(tx, "ben")
        )  # as another greenlet would, with a connection of its own
        found.append(names(storage))
        pool._state.set_connection(mine[0])

    monkeypatch.setattr(sqlite_slices, "give_way", give_way)

    def read(snapshot: Snapshot) -> tuple[int, int]:
        before = len(snapshot.users.all())
        return count(storage), len(snapshot.users.all()) - before

    assert storage.read(read) == (SUM, 0)
    assert found == [["Ben"]]


@pytest.mark.parametrize("writing", [False, True])
def test_a_greenlet_killed_while_it_yields_ends(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch, writing: bool
) -> None:
    def give_way() -> None:
        raise Killed

    def write(tx: Transaction) -> None:
        add_user(tx, "ada")
        count(storage)

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_slices, "give_way", give_way)
        work = partial(storage.write, write) if writing else partial(storage.read, lambda _: count(storage))
        with pytest.raises(Killed):
            work()
    storage.write(lambda tx: add_user(tx, "zoe"))
    assert names(storage) == ["Zoe"]


def test_a_statement_that_is_interrupted_is_one_for_which_the_store_is_not_ready(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_slices.Connection, "give_way", lambda self: 1)
    with pytest.raises(StorageNotReady, match="interrupted"):
        storage.read(lambda _: count(storage))


def test_a_long_loop_gives_way_between_items(monkeypatch: pytest.MonkeyPatch) -> None:
    switches: list[None] = []
    monkeypatch.setattr(slices, "give_way", lambda: switches.append(None))
    monkeypatch.setattr(slices, "SLICE", 0)
    assert list(in_slices(range(100))) == list(range(100))
    assert len(switches) == ceil(100 / slices.LOOK_EVERY)


def test_long_statements_continue_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 100.0, []
    monkeypatch.setattr(slices.time, "perf_counter", lambda: now)
    monkeypatch.setattr(slices.time, "sleep", slept.append)
    queue = slices.SliceScheduler()
    for _ in range(3):
        queue.give_way()
    now += 1
    queue.give_way()
    first = slices.INSTANT
    assert slept == pytest.approx([first, slices.SLICE, 2 * slices.SLICE, first])
