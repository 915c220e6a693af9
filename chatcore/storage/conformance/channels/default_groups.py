"""`chatcore.storage.channels.default_groups`."""

from dataclasses import replace

from chatcore.domain.channels.default_groups import NOT_STORED, DefaultGroup
from chatcore.domain.ids import ChannelId, RecipientId
from chatcore.storage.transaction import Storage


def a_group(name: str, description: str = "") -> DefaultGroup:
    return DefaultGroup(id=NOT_STORED, name=name, description=description, channel_ids=())


def _all(storage: Storage) -> list[DefaultGroup]:
    return storage.read(lambda snapshot: list(snapshot.default_groups.all()))


def test_default_groups_are_added_changed_and_removed(storage: Storage) -> None:
    assert _all(storage) == []
    music, food = storage.write(
        lambda tx: (tx.default_groups.add(a_group("Musik ä", "loud")), tx.default_groups.add(a_group("Food")))
    )
    assert (music.name, music.description, music.channel_ids) == ("Musik ä", "loud", ())
    assert _all(storage) == [music, food]
    ids = (ChannelId(RecipientId(3)), ChannelId(RecipientId(7)))
    changed = replace(music, name="Noise", description="", channel_ids=ids)
    storage.write(lambda tx: tx.default_groups.update(changed))
    assert _all(storage) == [changed, food]
    storage.write(lambda tx: tx.default_groups.remove(food.id))
    assert _all(storage) == [changed]
    assert storage.write(lambda tx: tx.default_groups.add(a_group("Food"))).id > food.id
