"""Guarantees between two processes on one store. Each function takes two openings of the same store.

Not every store can be shared (one in memory cannot), so these tests are separate from the others.
"""

import threading
from functools import partial
from time import monotonic

from chatcore.domain.ids import Position
from chatcore.storage.conformance.makers import add_user, announce, text_of
from chatcore.storage.conformance.transactions import PATIENCE, Crowd, events_after, texts
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def test_one_process_reads_what_the_other_wrote(storage: Storage, second_storage: Storage) -> None:
    first = announce(storage, "one")
    assert texts(second_storage) == ["one"]
    assert announce(second_storage, "two") == first + 1
    assert texts(storage) == ["one", "two"]


def test_a_name_is_held_by_one_process_at_a_time(storage: Storage, second_storage: Storage) -> None:
    with storage.holding("soup") as is_held:
        for again in (storage, second_storage):
            with again.holding("soup") as is_held_again:
                assert not (is_held and is_held_again)
        with storage.holding("stew") as is_another_held:
            assert is_another_held == is_held
    for again in (second_storage, storage):
        with again.holding("soup") as is_held_again:
            assert is_held_again == is_held


def test_writers_of_two_processes_never_let_a_cursor_skip_an_event(
    storage: Storage, second_storage: Storage
) -> None:
    """Check that positions become visible in the order in which they are drawn by any process."""
    both = (storage, second_storage)
    positions: list[int] = []
    followed: list[list[int]] = [[], []]
    done = threading.Event()

    def write(which: int, name: int) -> None:
        for number in range(10):
            positions.append(announce(both[which], f"{name} {number}"))  # noqa: PERF401

    def follow(which: int) -> None:
        last, end = Position(0), monotonic() + PATIENCE
        while monotonic() < end:
            finishing = done.is_set()
            events = events_after(both[which], last, limit=7)
            followed[which] += [logged.position for logged in events]
            last = events[-1].position if events else last
            if finishing and not events:
                return

    readers, writers = Crowd(), Crowd()
    for which in (0, 1):
        readers.start(f"reader {which}", partial(follow, which))
        for name in range(3):
            writers.start(f"writer {which} {name}", partial(write, which, name))
    writers.wait()
    done.set()
    readers.wait()
    assert writers.errors == readers.errors == {}
    assert len(set(positions)) == len(positions) == 60
    assert followed[0] == followed[1] == sorted(positions)


def test_a_unit_of_work_acts_on_what_the_other_process_left(
    storage: Storage, second_storage: Storage
) -> None:
    """Nobody can add a user between the query for existing users and the insertion."""

    def add_the_only_one(tx: Transaction) -> None:
        if not tx.users.all():
            threading.Event().wait(0.02)
            add_user(tx, "ada")

    crowd = Crowd()
    for number in range(6):
        opened = (storage, second_storage)[number % 2]
        crowd.start(f"writer {number}", partial(opened.write, add_the_only_one))
    crowd.wait()
    assert crowd.errors == {}
    assert len(storage.read(lambda snapshot: snapshot.users.all())) == 1


def test_a_snapshot_does_not_see_what_the_other_process_commits(
    storage: Storage, second_storage: Storage
) -> None:
    announce(storage, "before")

    def look(snapshot: Snapshot) -> tuple[list[str], list[str]]:
        seen = [text_of(logged.event) for logged in snapshot.log.after(Position(0), 10)]
        announce(second_storage, "meanwhile")
        return seen, [text_of(logged.event) for logged in snapshot.log.after(Position(0), 10)]

    assert storage.read(look) == (["before"], ["before"])
    assert texts(storage) == ["before", "meanwhile"]
