"""`chatcore.storage.people.logins`."""

from chatcore.domain.ids import UserId
from chatcore.storage.transaction import Storage, Transaction


def test_failed_logins_are_counted_by_name_and_time(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        for at in (10.0, 20.0, 30.0):
            tx.logins.note_failure("Ada@example.com", at)
        tx.logins.note_failure("ben@example.com", 30.0)

    storage.write(write)

    def failures(name: str, since: float) -> list[float]:
        return list(storage.read(lambda snapshot: snapshot.logins.failures(name, since)))

    assert failures("ada@example.com", 15.0) == [20.0, 30.0]
    storage.write(lambda tx: tx.logins.forget_failures(15.0))
    assert failures("ada@example.com", 0.0) == [20.0, 30.0]
    storage.write(lambda tx: tx.logins.forget_failures_of("ada@EXAMPLE.com", 20.0))
    assert failures("ada@example.com", 0.0) == [30.0]
    storage.write(lambda tx: tx.logins.forget_failures_of("ada@example.com"))
    assert failures("ada@example.com", 0.0) == []
    assert failures("ben@example.com", 0.0) == [30.0]


def test_the_newest_networks_of_an_account_are_known(storage: Storage) -> None:
    ada, ben = UserId(1), UserId(2)

    def write(tx: Transaction) -> None:
        for at, network in ((10, "a"), (11, "b"), (12, "a"), (13, "c")):
            tx.logins.note_network(ada, network, at, keep=2)
        tx.logins.note_network(ben, "b", 10, keep=2)

    storage.write(write)

    def known(user_id: UserId) -> list[str]:
        return storage.read(lambda snapshot: [n for n in "abc" if snapshot.logins.knows(user_id, n)])

    assert known(ada) == ["a", "c"]
    assert known(ben) == ["b"]


def test_the_newest_devices_of_an_account_are_known(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        for at, device in ((10, "a"), (11, "b"), (12, "a"), (13, "c")):
            tx.logins.note_device(UserId(1), device, at, keep=2)
        tx.logins.note_device(UserId(2), "b", 10, keep=2)

    storage.write(write)
    assert storage.read(lambda snapshot: [snapshot.logins.devices(UserId(one)) for one in (1, 2, 3)]) == [
        {"a", "c"},
        {"b"},
        set(),
    ]
