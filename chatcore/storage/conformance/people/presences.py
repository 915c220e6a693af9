"""`chatcore.storage.people.presences`."""

from collections.abc import Mapping

from chatcore.domain.ids import UserId
from chatcore.domain.people.presence import Presence
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction


def put(storage: Storage, user_id: UserId, presence: Presence) -> None:
    storage.write(lambda tx: tx.presences.put(user_id, presence))


def since(storage: Storage, update_id: int) -> Mapping[UserId, Presence]:
    return storage.read(lambda snapshot: snapshot.presences.since(update_id, 0))


def test_nobody_was_there_at_first(storage: Storage) -> None:
    ada = a_town(storage).ada
    assert storage.read(lambda snapshot: snapshot.presences.find(ada)) is None
    assert storage.read(lambda snapshot: snapshot.presences.newest_update()) == -1
    assert storage.read(lambda snapshot: snapshot.presences.since(-1, 0)) == {}


def test_a_presence_is_written_over(storage: Storage) -> None:
    town = a_town(storage)
    for presence in (Presence(None, NOW), Presence(NOW + 5, NOW + 5), Presence(NOW + 5, NOW + 90)):
        put(storage, town.ada, presence)
        assert storage.read(lambda snapshot: snapshot.presences.find(town.ada)) == presence
    assert storage.read(lambda snapshot: snapshot.presences.find(town.ben)) is None


def test_new_rows_are_found_by_the_number_of_the_change(storage: Storage) -> None:
    town = a_town(storage)

    def numbers(tx: Transaction) -> list[int]:
        updates = []
        for user_id, at in ((town.ada, NOW), (town.ben, NOW + 1), (town.ada, NOW + 2)):
            tx.presences.put(user_id, Presence(None, at))
            updates.append(tx.presences.newest_update())
        return updates

    first, second, third = storage.write(numbers)
    assert -1 < first < second < third
    ada, ben = {town.ada: Presence(None, NOW + 2)}, {town.ben: Presence(None, NOW + 1)}
    for after, known in ((-1, ada | ben), (first, ada | ben), (second, ada), (third, {})):
        assert since(storage, after) == known


def test_presences_from_long_ago_are_left_out(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.presences.put(town.ada, Presence(NOW - 10, NOW))
        tx.presences.put(town.ben, Presence(NOW - 1, NOW - 1))

    storage.write(write)
    presences = storage.read(lambda snapshot: snapshot.presences.since(-1, NOW))
    assert presences == {town.ada: Presence(NOW - 10, NOW)}
