"""`chatcore.storage.channels.folders`."""

from dataclasses import replace

from chatcore.domain.channels.folders import Folder, NewFolder
from chatcore.domain.ids import UserId
from chatcore.storage.conformance.makers import NOW, add_channel
from chatcore.storage.transaction import Storage, Transaction

KITCHENS = NewFolder(
    name="Küchen",
    description="*eat*",
    rendered_description="<p><em>eat</em></p>",
    date_created=NOW,
    creator_id=UserId(7),
)
HALLS = NewFolder(name="Halls", date_created=NOW, is_archived=True)


def _all(storage: Storage) -> list[Folder]:
    return storage.read(lambda snapshot: list(snapshot.channel_folders.all()))


def test_folders_come_back_as_they_were_added(storage: Storage) -> None:
    assert _all(storage) == []
    kitchens = storage.write(lambda tx: tx.channel_folders.add(KITCHENS))
    halls = storage.write(lambda tx: tx.channel_folders.add(HALLS))
    assert (kitchens.name, kitchens.creator_id, kitchens.order) == ("Küchen", 7, 0)
    assert (halls.is_archived, halls.creator_id, halls.order) == (True, None, 1)
    assert _all(storage) == [kitchens, halls]


def test_a_folder_is_changed(storage: Storage) -> None:
    kitchens, halls = storage.write(
        lambda tx: (tx.channel_folders.add(KITCHENS), tx.channel_folders.add(HALLS))
    )
    cellars = replace(kitchens, name="Cellars", description="", rendered_description="", is_archived=True)
    storage.write(lambda tx: tx.channel_folders.update(cellars))
    assert _all(storage) == [cellars, halls]


def test_folders_are_ordered_anew(storage: Storage) -> None:
    def write(tx: Transaction) -> list[Folder]:
        return [tx.channel_folders.add(replace(HALLS, name=name)) for name in "abc"]

    a, b, c = storage.write(write)
    storage.write(lambda tx: tx.channel_folders.reorder([c.id, a.id, b.id]))
    assert _all(storage) == [replace(c, order=0), replace(a, order=1), replace(b, order=2)]
    last = storage.write(lambda tx: tx.channel_folders.add(KITCHENS))
    assert (last.order, _all(storage)[-1]) == (3, last)


def test_a_folder_has_channels(storage: Storage) -> None:
    kitchens, halls = storage.write(
        lambda tx: (tx.channel_folders.add(KITCHENS), tx.channel_folders.add(HALLS))
    )
    plaza = storage.write(lambda tx: add_channel(tx, "plaza", folder_id=kitchens.id, is_archived=True))
    assert plaza.folder_id == kitchens.id
    assert storage.read(lambda snapshot: snapshot.channels.find(plaza.id)) == plaza

    def with_channels() -> list[bool]:
        return storage.read(
            lambda snapshot: [snapshot.channels.any_in_folder(folder.id) for folder in (kitchens, halls)]
        )

    assert with_channels() == [True, False]
    storage.write(lambda tx: tx.channels.update(plaza.id, folder_id=halls.id))
    assert with_channels() == [False, True]
    storage.write(lambda tx: tx.channels.update(plaza.id, folder_id=None))
    assert with_channels() == [False, False]
