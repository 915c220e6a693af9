"""Closing a store while it is in use."""

import threading
from collections.abc import Callable

from chatcore.storage import Snapshot, Storage, StorageClosed, Transaction
from chatcore.storage.conformance.makers import add_user
from chatcore.storage.conformance.transactions import PATIENCE, Crowd, names


def is_refused(work: Callable[[], object]) -> bool:
    try:
        work()
    except StorageClosed:
        return True
    return False


def test_a_closed_store_refuses_all_work(storage: Storage) -> None:
    storage.close()
    storage.close()  # once more changes nothing
    assert is_refused(lambda: names(storage))
    assert is_refused(lambda: storage.write(lambda tx: add_user(tx, "ada")))
    assert is_refused(storage.check)


def test_a_store_is_closed_under_nobody(storage: Storage) -> None:
    """Running writes, running reads and waiting writes complete when the store is closed."""
    crowd = Crowd()
    results: list[int] = []
    writing, reading, go_on = threading.Event(), threading.Event(), threading.Event()

    def write(tx: Transaction) -> None:
        writing.set()
        assert go_on.wait(PATIENCE)
        add_user(tx, "ada")

    def write_later(tx: Transaction) -> None:
        results.append(add_user(tx, "ben").id)

    def read(snapshot: Snapshot) -> None:
        reading.set()
        go_on.wait(0.1)
        results.append(len(snapshot.users.all()))

    crowd.start("writes", lambda: storage.write(write))
    try:
        crowd.until(writing.is_set)
        assert crowd.start("waits to write", lambda: storage.write(write_later)).wait(PATIENCE)
        assert crowd.start("reads", lambda: storage.read(read)).wait(PATIENCE)
        reading.wait(0.2)  # a store in memory does not read during a write
        closed = threading.Event()

        def close() -> None:
            storage.close()
            closed.set()

        crowd.start("closes", close)
        crowd.until(lambda: is_refused(lambda: storage.read(lambda snapshot: None)))
        assert not closed.wait(0.05)
    finally:
        go_on.set()
    crowd.wait()
    assert crowd.errors == {}
    assert len(results) == 2
