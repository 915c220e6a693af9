"""`chatcore.storage.organization.imports`."""

from chatcore.storage.transaction import Storage


def test_a_source_is_unknown_until_some_of_it_is_in(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.imports.sources()) == {}


def test_how_far_an_import_has_come_is_overwritten(storage: Storage) -> None:
    storage.write(lambda tx: tx.imports.note("abc", 1000))
    storage.write(lambda tx: tx.imports.note("abc", 1700, finished=True))
    storage.write(lambda tx: tx.imports.note("def", 5))
    sources = storage.read(lambda snapshot: snapshot.imports.sources())
    assert sources == {"abc": (1700, True), "def": (5, False)}


def test_imported_messages_are_known(storage: Storage) -> None:
    storage.write(lambda tx: tx.imports.add(["a", "b"]))
    storage.write(lambda tx: tx.imports.add([]))
    storage.write(lambda tx: tx.imports.add([f"c{number}" for number in range(1500)]))
    asked = ["b", "d", *(f"c{number}" for number in range(1400, 1600))]
    known = storage.read(lambda snapshot: snapshot.imports.known(asked))
    assert known == {"b", *(f"c{number}" for number in range(1400, 1500))}
    assert storage.read(lambda snapshot: snapshot.imports.known([])) == set()
