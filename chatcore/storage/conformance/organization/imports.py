"""`chatcore.storage.organization.imports`."""

from chatcore.storage.transaction import Storage


def test_a_source_is_unknown_until_some_of_it_is_in(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.imports.find("abc")) is None


def test_how_far_an_import_has_come_is_overwritten(storage: Storage) -> None:
    storage.write(lambda tx: tx.imports.note("abc", 1000))
    storage.write(lambda tx: tx.imports.note("abc", 1700, finished=True))
    storage.write(lambda tx: tx.imports.note("def", 5))
    assert storage.read(lambda snapshot: snapshot.imports.find("abc")) == (1700, True)
    assert storage.read(lambda snapshot: snapshot.imports.find("def")) == (5, False)
