"""`chatcore.storage.organization.emoji`."""

from chatcore.domain.ids import EmojiId
from chatcore.domain.organization.custom_emoji import NOT_STORED, CustomEmoji
from chatcore.storage.conformance.makers import Town, a_town
from chatcore.storage.transaction import Storage


def add_emoji(storage: Storage, town: Town, name: str, token: str) -> CustomEmoji:
    emoji = CustomEmoji(
        id=NOT_STORED,
        name=name,
        author_id=town.ada,
        token=token,
        content_type="image/gif",
        is_animated=True,
    )
    return storage.write(lambda tx: tx.emoji.add(emoji))


def all_emoji(storage: Storage) -> list[CustomEmoji]:
    return storage.read(lambda snapshot: list(snapshot.emoji.all()))


def test_emoji_come_as_they_were_added(storage: Storage) -> None:
    town = a_town(storage)
    assert all_emoji(storage) == []
    cat, dog = add_emoji(storage, town, "cat", "aa1"), add_emoji(storage, town, "dog", "bb2")
    assert cat == CustomEmoji(
        id=EmojiId(cat.id),
        name="cat",
        author_id=town.ada,
        token="aa1",
        content_type="image/gif",
        is_animated=True,
    )
    assert all_emoji(storage) == [cat, dog]
    assert storage.read(lambda snapshot: snapshot.emoji.count()) == 2
    assert storage.read(lambda snapshot: snapshot.emoji.find("bb2")) == dog
    assert storage.read(lambda snapshot: snapshot.emoji.find("cc3")) is None
    assert storage.read(lambda snapshot: snapshot.emoji.active(["dog", "cow"])) == {"dog": dog}
    assert storage.read(lambda snapshot: snapshot.emoji.active([])) == {}


def test_a_deactivated_emoji_stays_and_gives_its_name_back(storage: Storage) -> None:
    town = a_town(storage)
    old = add_emoji(storage, town, "cat", "aa1")
    storage.write(lambda tx: tx.emoji.deactivate(old))
    assert storage.read(lambda snapshot: snapshot.emoji.active(["cat"])) == {}
    new = add_emoji(storage, town, "cat", "bb2")
    assert storage.read(lambda snapshot: snapshot.emoji.active(["cat"])) == {"cat": new}
    assert [(emoji.token, emoji.deactivated) for emoji in all_emoji(storage)] == [
        ("aa1", True),
        ("bb2", False),
    ]
