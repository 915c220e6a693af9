"""`Snapshot.together`: several reads in one call."""

from collections.abc import Callable, Sequence
from functools import partial

from chatcore.storage.conformance.makers import add_user, error_of
from chatcore.storage.conformance.transactions import Refused
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def test_reads_together_have_the_results_of_each(storage: Storage) -> None:
    ids = storage.write(lambda tx: [add_user(tx, name).id for name in ("ada", "ben", "cyd")])

    def in_steps(snapshot: Snapshot) -> list[str]:
        found: list[str] = []
        for user_id in ids:  # each name is looked up when the one before is known
            earlier = snapshot.users.by_names(found[-1:])
            found.append(snapshot.users.get(user_id).full_name)
            assert len(earlier) == len(found[-2:-1])
        return found

    def reads(snapshot: Snapshot) -> Sequence[Callable[[], object]]:
        return [
            lambda: [user.full_name for user in snapshot.users.by_names(["Ben"])],
            partial(in_steps, snapshot),
            snapshot.users.count,
            lambda: list(snapshot.together([snapshot.users.count, snapshot.users.count])),
            lambda: None,
            snapshot.users.count,
        ]

    expected = [["Ben"], ["Ada", "Ben", "Cyd"], 3, [3, 3], None, 3]
    for _ in range(2):
        assert list(storage.read(lambda snapshot: snapshot.together(reads(snapshot)))) == expected
    assert storage.read(lambda snapshot: list(snapshot.together([]))) == []


def test_reads_together_see_what_their_transaction_has_written(storage: Storage) -> None:
    def write(tx: Transaction) -> list[int]:
        counts = [*tx.together([tx.users.count])]
        for name in ("ada", "ben"):
            add_user(tx, name)
            counts += tx.together([tx.users.count, lambda: len(tx.users.all())])
        return counts

    assert storage.write(write) == [0, 1, 1, 2, 2]


def test_an_error_in_one_of_several_reads_is_raised(storage: Storage) -> None:
    storage.write(lambda tx: add_user(tx, "ada"))

    def refuse(snapshot: Snapshot) -> None:
        assert snapshot.users.count() == 1
        raise Refused

    def read(snapshot: Snapshot) -> int:
        reads: list[Callable[[], object]] = [snapshot.users.count, lambda: refuse(snapshot)]
        error_of(Refused, lambda: snapshot.together(reads))
        return snapshot.users.count()

    assert storage.read(read) == storage.read(read) == 1
