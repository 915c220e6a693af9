"""`chatcore.storage.muted_users`"""

from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def test_people_are_muted_one_by_one(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.muted_users.add(town.ada, town.cem, 5)
        tx.muted_users.add(town.ada, town.ben, 7)
        tx.muted_users.add(town.cem, town.ben, 6)
        tx.muted_users.add(town.ben, town.ada, 6)
        tx.muted_users.remove(town.ben, town.ada)

    storage.write(write)
    muted = storage.read(lambda snapshot: snapshot.muted_users.of_user(town.ada))
    assert list(muted.items()) == [(town.cem, 5), (town.ben, 7)]
    assert storage.read(lambda snapshot: snapshot.muted_users.of_user(town.ben)) == {}
    assert storage.read(lambda snapshot: snapshot.muted_users.who_muted(town.ben)) == {town.ada, town.cem}
