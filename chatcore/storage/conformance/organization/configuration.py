"""`chatcore.storage.organization.configuration`."""

from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.domain.organization.playgrounds import NOT_STORED, Playground
from chatcore.storage.transaction import Storage, Transaction


def test_linkifiers_come_in_their_order(storage: Storage) -> None:
    assert storage.read(lambda snapshot: list(snapshot.linkifiers.all())) == []
    first = storage.write(lambda tx: tx.linkifiers.add("#(?P<id>[0-9]+)", "https://example.com/{id}"))
    second = storage.write(lambda tx: tx.linkifiers.add("ä'?%", "https://example.com/"))
    both = [
        Linkifier(first, "#(?P<id>[0-9]+)", "https://example.com/{id}"),
        Linkifier(second, "ä'?%", "https://example.com/"),
    ]
    assert storage.read(lambda snapshot: list(snapshot.linkifiers.all())) == both
    storage.write(lambda tx: tx.linkifiers.reorder([second, first]))
    assert storage.read(lambda snapshot: list(snapshot.linkifiers.all())) == both[::-1]
    third = storage.write(lambda tx: tx.linkifiers.add("c", "https://example.com/c"))
    assert storage.read(lambda snapshot: [linkifier.id for linkifier in snapshot.linkifiers.all()]) == [
        second,
        first,
        third,
    ]


def test_a_linkifier_is_changed_where_it_is(storage: Storage) -> None:
    def write(tx: Transaction) -> list[Linkifier]:
        ids = [tx.linkifiers.add(pattern, "https://example.com/") for pattern in ("a", "b")]
        tx.linkifiers.update(Linkifier(ids[0], "c", "https://example.org/"))
        return [
            Linkifier(ids[0], "c", "https://example.org/"),
            Linkifier(ids[1], "b", "https://example.com/"),
        ]

    expected = storage.write(write)
    assert storage.read(lambda snapshot: list(snapshot.linkifiers.all())) == expected


def test_ids_of_removed_rows_are_not_used_again(storage: Storage) -> None:
    linkifier = storage.write(lambda tx: tx.linkifiers.add("a", "https://example.com/"))
    new = Playground(NOT_STORED, "Try", "Python", "https://example.com/{code}")
    playground = storage.write(lambda tx: tx.playgrounds.add(new))
    storage.write(lambda tx: tx.linkifiers.remove(linkifier))
    storage.write(lambda tx: tx.playgrounds.remove(playground.id))
    assert storage.read(lambda snapshot: list(snapshot.linkifiers.all())) == []
    assert storage.read(lambda snapshot: list(snapshot.playgrounds.all())) == []
    assert storage.write(lambda tx: tx.linkifiers.add("a", "https://example.com/")) > linkifier
    assert storage.write(lambda tx: tx.playgrounds.add(new)).id > playground.id


def test_playgrounds_come_as_they_were_made(storage: Storage) -> None:
    def write(tx: Transaction) -> list[Playground]:
        rows = [
            ("Try", "Python", "https://example.com/?q={code}"),
            ("Try", "C++", "https://example.org/{code}"),
            ("Äpfel", "Python", "https://example.net/{code}"),
        ]
        made = [tx.playgrounds.add(Playground(NOT_STORED, *row)) for row in rows]
        assert made == [Playground(playground.id, *row) for playground, row in zip(made, rows, strict=True)]
        return made

    made = storage.write(write)
    assert storage.read(lambda snapshot: list(snapshot.playgrounds.all())) == made
    storage.write(lambda tx: tx.playgrounds.remove(made[1].id))
    assert storage.read(lambda snapshot: list(snapshot.playgrounds.all())) == [made[0], made[2]]
