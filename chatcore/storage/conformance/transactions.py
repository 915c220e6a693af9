"""`chatcore.storage.transaction`: units of work, snapshots, and guarantees under concurrency.

A store may serialize all access: no test needs a reader to proceed during a write.
"""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from chatcore.domain.ids import Position
from chatcore.events.audience import Everyone
from chatcore.storage.conformance.makers import a_town, add_user, an_event, announce, error_of, send, text_of
from chatcore.storage.events import LoggedEvent
from chatcore.storage.transaction import Snapshot, Storage, Transaction

PATIENCE = 120.0
"""Seconds after which an unfinished operation counts as stuck: far more than a busy machine needs."""


class Refused(Exception):
    pass


class Killed(BaseException):
    """Ends a thread from outside: not an `Exception`, so that error handlers do not catch it."""


def events_after(storage: Storage, position: int, limit: int = 10_000) -> Sequence[LoggedEvent]:
    return storage.read(lambda snapshot: snapshot.log.after(Position(position), limit))


def texts(storage: Storage) -> list[str]:
    return [text_of(logged.event) for logged in events_after(storage, 0)]


def names(storage: Storage) -> list[str]:
    return [user.full_name for user in storage.read(lambda snapshot: snapshot.users.all())]


class Crowd:
    """Threads that each run one function, and the errors with which they end."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self.errors: dict[str, BaseException] = {}

    def start(self, name: str, work: Callable[[], object]) -> threading.Event:
        """Start the work; the event returned is set when its thread has begun."""
        begun = threading.Event()

        def run() -> None:
            begun.set()
            try:
                work()
            except BaseException as error:
                self.errors[name] = error

        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()
        return begun

    def until(self, reached: Callable[[], object]) -> None:
        """Wait for a condition; fail if it does not come, or at once if a thread has ended with an error."""
        end = monotonic() + PATIENCE
        while not reached():
            for name, error in self.errors.items():
                raise AssertionError(f"'{name}' failed") from error
            assert monotonic() < end, "what a store promises did not happen"
            threading.Event().wait(0.001)

    def wait(self) -> None:
        """Wait for all threads; fail if one does not end."""
        end = monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(end - monotonic(), 0))
        stuck = [thread.name for thread in self._threads if thread.is_alive()]
        assert not stuck, f"these never came to an end: {stuck}"


def in_one_commit(
    storage: Storage, crowd: Crowd, works: Sequence[tuple[str, Callable[[Transaction], object]]]
) -> None:
    """Make units of work wait for the same writer, so that they are probably committed together."""
    running, go_on = threading.Event(), threading.Event()

    def hold(tx: Transaction) -> None:
        running.set()
        assert go_on.wait(PATIENCE)

    crowd.start("holds the others up", lambda: storage.write(hold))
    crowd.until(running.is_set)
    for name, work in works:
        begun = crowd.start(name, partial(storage.write, work))
        assert begun.wait(PATIENCE)
    threading.Event().wait(0.05)  # until they are all in the queue
    go_on.set()
    crowd.wait()


def test_a_unit_of_work_gives_its_result(storage: Storage) -> None:
    assert storage.write(lambda tx: "done") == "done"
    assert storage.read(lambda snapshot: "read") == "read"


def test_a_failed_unit_of_work_leaves_no_row_and_no_event(storage: Storage) -> None:
    def fail(tx: Transaction) -> None:
        add_user(tx, "ada")
        tx.announce(an_event("never"), Everyone())
        raise Refused("no")

    before = announce(storage, "before")
    error = error_of(Refused, lambda: storage.write(fail))
    assert str(error) == "no"
    assert names(storage) == []
    assert texts(storage) == ["before"]
    assert announce(storage, "after") == before + 1


def test_a_unit_of_work_that_the_store_refuses_leaves_nothing(storage: Storage) -> None:
    def fail(tx: Transaction) -> None:
        tx.announce(an_event("never"), Everyone())
        add_user(tx, "ada")
        add_user(tx, "ada")

    error_of(Exception, lambda: storage.write(fail))
    assert names(storage) == []
    assert texts(storage) == []
    storage.write(lambda tx: add_user(tx, "ada"))
    assert names(storage) == ["Ada"]


def test_a_failed_unit_of_work_does_not_disturb_its_neighbours(storage: Storage) -> None:
    def add(name: str) -> Callable[[Transaction], object]:
        def work(tx: Transaction) -> None:
            add_user(tx, name)
            tx.announce(an_event(name), Everyone())

        return work

    def fail(name: str, add_twice: bool) -> Callable[[Transaction], object]:
        def work(tx: Transaction) -> None:
            add(name)(tx)
            if add_twice:
                add(name)(tx)
            raise Refused(name)

        return work

    crowd = Crowd()
    works = [
        ("ada", add("ada")),
        ("refuses", fail("xenia", add_twice=False)),
        ("ben", add("ben")),
        ("is refused", fail("yves", add_twice=True)),
        ("cem", add("cem")),
    ]
    in_one_commit(storage, crowd, works)
    assert set(crowd.errors) == {"refuses", "is refused"}
    assert isinstance(crowd.errors["refuses"], Refused)
    assert sorted(names(storage)) == ["Ada", "Ben", "Cem"]
    assert sorted(texts(storage)) == ["ada", "ben", "cem"]
    events = events_after(storage, 0)
    first = events[0].position
    assert [logged.position for logged in events] == [first, first + 1, first + 2]


def test_neighbours_in_one_commit_see_each_other(storage: Storage) -> None:
    seen: list[int] = []

    def add(name: str) -> Callable[[Transaction], object]:
        def work(tx: Transaction) -> None:
            seen.append(len(tx.users.all()))
            assert tx.log.head() == len(seen) - 1
            assert len(tx.log.after(Position(0), 100)) == len(seen) - 1
            add_user(tx, name)
            tx.announce(an_event(name), Everyone())

        return work

    crowd = Crowd()
    in_one_commit(storage, crowd, [(name, add(name)) for name in ("ada", "ben", "cem")])
    assert crowd.errors == {}
    assert seen == [0, 1, 2]


def test_a_write_returns_when_its_changes_can_be_read(storage: Storage) -> None:
    missing: list[str] = []

    def write(name: str) -> None:
        for number in range(5):
            text = f"{name} {number}"
            announce(storage, text)
            if text not in texts(storage):
                missing.append(text)

    crowd = Crowd()
    for name in ("ada", "ben", "cem", "dora"):
        crowd.start(name, partial(write, name))
    crowd.wait()
    assert crowd.errors == {}
    assert missing == []


def test_ids_follow_the_order_of_commits_and_no_cursor_skips_an_event(storage: Storage) -> None:
    """A reader that always asks for events after the last one it has seen receives each event once."""
    writers, each = 6, 12
    positions: list[int] = []
    followed: list[tuple[int, str]] = []
    done = threading.Event()

    def write(name: int) -> None:
        for number in range(each):
            positions.append(announce(storage, f"{name} {number}"))  # noqa: PERF401

    def follow() -> None:
        last, end = Position(0), monotonic() + PATIENCE
        while monotonic() < end:
            finishing = done.is_set()
            for logged in events_after(storage, last, limit=5):
                followed.append((logged.position, text_of(logged.event)))
                last = logged.position
                finishing = False
            if finishing:
                return

    crowd, readers = Crowd(), Crowd()
    readers.start("reader", follow)
    for name in range(writers):
        crowd.start(f"writer {name}", partial(write, name))
    crowd.wait()
    done.set()
    readers.wait()
    assert crowd.errors == readers.errors == {}
    assert [position for position, _ in followed] == sorted(positions)
    for name in range(writers):
        own = [text for _, text in followed if text.startswith(f"{name} ")]
        assert own == [f"{name} {number}" for number in range(each)]


def test_a_read_sees_one_moment(storage: Storage) -> None:
    announce(storage, "before")
    crowd = Crowd()

    def look(snapshot: Snapshot) -> tuple[list[int], list[int]]:
        seen = [len(snapshot.log.after(Position(0), 100)), snapshot.log.head(), len(snapshot.users.all())]
        written = threading.Event()

        def write() -> None:
            storage.write(lambda tx: add_user(tx, "ada"))
            announce(storage, "meanwhile")
            written.set()

        crowd.start("writer", write)
        written.wait(0.3)  # where everybody takes turns, it cannot happen yet
        again = [len(snapshot.log.after(Position(0), 100)), snapshot.log.head(), len(snapshot.users.all())]
        return seen, again

    seen, again = storage.read(look)
    crowd.wait()
    assert seen == again == [1, 1, 0]
    assert texts(storage) == ["before", "meanwhile"]
    assert names(storage) == ["Ada"]


def test_an_error_in_a_read_is_raised_and_leaves_nothing_behind(storage: Storage) -> None:
    def fail(snapshot: Snapshot) -> None:
        snapshot.users.all()
        raise Refused("no")

    for _ in range(30):  # more often than there are connections to lose
        error_of(Refused, lambda: storage.read(fail))
    storage.write(lambda tx: add_user(tx, "ada"))
    assert names(storage) == ["Ada"]


def test_a_killed_writer_does_not_hang_the_others(storage: Storage) -> None:
    def die(tx: Transaction) -> None:
        add_user(tx, "xenia")
        raise Killed

    def add(name: str) -> Callable[[Transaction], object]:
        return lambda tx: add_user(tx, name)

    crowd = Crowd()
    works = [("ada", add("ada")), ("dies", die), ("ben", add("ben")), ("cem", add("cem"))]
    in_one_commit(storage, crowd, works)
    # Work in the same commit may have failed with it, but only the leader was killed.
    assert sum(isinstance(error, Killed) for error in crowd.errors.values()) <= 1
    added = {name.title() for name, _ in works} - {name.title() for name in crowd.errors}
    assert set(names(storage)) == added
    storage.write(add("zoe"))
    assert "Zoe" in names(storage)


def test_a_writer_that_is_killed_alone_leaves_nothing(storage: Storage) -> None:
    def die(tx: Transaction) -> None:
        add_user(tx, "xenia")
        raise Killed

    error_of(Killed, lambda: storage.write(die))
    assert names(storage) == []
    storage.write(lambda tx: add_user(tx, "ada"))
    assert names(storage) == ["Ada"]


def test_listeners_are_called_after_the_commit(storage: Storage) -> None:
    called: list[list[str]] = []
    storage.on_commit(lambda: called.append(texts(storage)))
    announce(storage, "one")
    assert ["one"] in called


def test_a_listener_that_fails_disturbs_nobody(storage: Storage) -> None:
    called = threading.Event()

    def fail() -> None:
        raise Refused("no")

    storage.on_commit(fail)
    storage.on_commit(called.set)
    announce(storage, "one")
    assert called.wait(PATIENCE)
    assert texts(storage) == ["one"]


def test_the_size_of_each_commit_and_its_time_are_known(storage: Storage) -> None:
    sizes: list[int] = []
    times: list[float] = []

    def note(size: int, seconds: float) -> None:
        sizes.append(size)
        times.append(seconds)

    storage.on_batch(note)
    storage.write(lambda tx: add_user(tx, "ada"))
    assert sizes == [1]
    assert times[0] > 0

    def add(name: str) -> Callable[[Transaction], object]:
        return lambda tx: add_user(tx, name)

    def fail(tx: Transaction) -> None:
        raise Refused("no")

    error_of(Refused, lambda: storage.write(fail))
    assert sizes == [1]  # nothing was committed
    crowd = Crowd()
    in_one_commit(storage, crowd, [*((name, add(name)) for name in ("ben", "cem", "zoe")), ("fails", fail)])
    assert sum(sizes) == 5  # with the one that held the others up


def test_a_listener_to_sizes_that_fails_disturbs_nobody(storage: Storage) -> None:
    def fail(size: int, seconds: float) -> None:
        raise Refused("no")

    storage.on_batch(fail)
    storage.write(lambda tx: add_user(tx, "ada"))
    assert names(storage) == ["Ada"]


def test_messages_of_many_writers_get_ids_of_their_own(storage: Storage) -> None:
    town = a_town(storage)
    sent: list[int] = []

    def write() -> None:
        for _ in range(5):
            sent.append(storage.write(lambda tx: send(tx, town.ada, town.plaza)).id)  # noqa: PERF401

    crowd = Crowd()
    for number in range(5):
        crowd.start(f"writer {number}", write)
    crowd.wait()
    assert crowd.errors == {}
    assert len(set(sent)) == len(sent) == 25
    assert storage.read(lambda snapshot: snapshot.messages.newest_id()) == max(sent)
