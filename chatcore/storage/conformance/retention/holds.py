"""`chatcore.storage.retention.holds`."""

from dataclasses import replace

from chatcore.domain.ids import AttachmentId, UserId
from chatcore.domain.retention.holds import NOT_STORED, Hold, Holds
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.conformance.uploads import add_file
from chatcore.storage.transaction import Storage


def present(storage: Storage) -> Holds:
    return storage.read(lambda snapshot: snapshot.holds.present())


def test_holds_last_until_they_are_removed(storage: Storage) -> None:
    town = a_town(storage)
    assert present(storage) == Holds()
    wanted = [
        Hold(id=NOT_STORED, user_id=town.ada, channel_id=None, reason="case 7", set_at=NOW, set_by=town.cem),
        Hold(id=NOT_STORED, user_id=None, channel_id=town.plaza, reason="x", set_at=NOW, set_by=town.cem),
    ]
    stored = storage.write(lambda tx: [tx.holds.add(hold) for hold in wanted])
    assert [replace(hold, id=NOT_STORED) for hold in stored] == wanted
    assert storage.read(lambda snapshot: snapshot.holds.all()) == stored
    assert present(storage) == Holds(frozenset({town.ada}), frozenset({town.plaza}))
    storage.write(lambda tx: tx.holds.remove(stored[0].id))
    assert present(storage) == Holds(channels=frozenset({town.plaza}))


def test_files_of_people_who_are_held_are_not_among_the_unlinked(storage: Storage) -> None:
    town = a_town(storage)
    mine = storage.write(lambda tx: add_file(tx, town.ada, "mine.pdf"))
    theirs = storage.write(lambda tx: add_file(tx, town.ben, "theirs.pdf"))

    def unlinked(*held: UserId) -> list[AttachmentId]:
        files = storage.read(lambda snapshot: snapshot.attachments.unlinked(2 * NOW, 9, held=held))
        return [file.id for file in files]

    assert unlinked() == [mine.id, theirs.id]
    assert unlinked(town.ada) == [theirs.id]
    assert unlinked(town.ada, town.ben) == []
