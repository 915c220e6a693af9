"""`chatcore.storage.people.bot_storage`."""

from chatcore.storage.conformance.makers import a_town
from chatcore.storage.transaction import Storage, Transaction


def test_texts_are_kept_by_key_for_each_account(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.bot_storage.put(town.ada, {"game": "x", "größe": "☕☕", "": ""})
        tx.bot_storage.put(town.ben, {"game": "o"})
        tx.bot_storage.put(town.ada, {"game": "xo"})
        tx.bot_storage.put(town.ada, {})

    storage.write(write)
    all_of_ada = {"game": "xo", "größe": "☕☕", "": ""}
    assert storage.read(lambda snapshot: snapshot.bot_storage.get(town.ada, None)) == all_of_ada
    assert storage.read(lambda snapshot: snapshot.bot_storage.get(town.ben, None)) == {"game": "o"}
    assert storage.read(lambda snapshot: snapshot.bot_storage.get(town.cem, None)) == {}
    some = storage.read(lambda snapshot: snapshot.bot_storage.get(town.ada, ["game", "", "no"]))
    assert some == {"game": "xo", "": ""}
    assert storage.read(lambda snapshot: snapshot.bot_storage.get(town.ada, [])) == {}
    assert storage.read(lambda snapshot: snapshot.bot_storage.size(town.ada)) == (3, 4 + 2 + 5 + 2)
    assert storage.read(lambda snapshot: snapshot.bot_storage.size(town.cem)) == (0, 0)


def test_keys_are_forgotten(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[int]:
        for user_id in (town.ada, town.ben):
            tx.bot_storage.put(user_id, {"a": "1", "b": "2", "c": "3"})
        return [
            tx.bot_storage.remove(town.ada, ["a", "no"]),
            tx.bot_storage.remove(town.ada, []),
            tx.bot_storage.remove(town.ben, None),
            tx.bot_storage.remove(town.ben, None),
        ]

    assert storage.write(write) == [1, 0, 3, 0]
    assert storage.read(lambda snapshot: snapshot.bot_storage.get(town.ada, None)) == {"b": "2", "c": "3"}
    assert storage.read(lambda snapshot: snapshot.bot_storage.get(town.ben, None)) == {}
