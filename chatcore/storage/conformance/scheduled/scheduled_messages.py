"""`chatcore.storage.scheduled`."""

from dataclasses import replace

from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.scheduled.scheduled_messages import NOT_STORED, Scheduled
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction


def note(author_id: UserId, due: int = NOW, content: str = "soup") -> Scheduled:
    return Scheduled(author_id=author_id, due=due, content=content, rendered_content="", people=(author_id,))


def test_scheduled_messages_come_back_as_they_were_added_or_changed(storage: Storage) -> None:
    ada = a_town(storage).ada
    wanted = [
        Scheduled(
            author_id=ada,
            due=NOW + 9,
            channel_id=ChannelId(RecipientId(3)),
            topic="lunch ☕",
            content="*soup*",
            rendered_content="<em>soup</em>",
            client="website",
            read_by_sender=False,
        ),
        Scheduled(
            author_id=ada, due=NOW + 5, people=(UserId(9), UserId(7)), content="a", rendered_content="b"
        ),
    ]
    reminder = replace(note(ada), reminds_of=MessageId(77), note="buy ☕")

    def write(tx: Transaction) -> None:
        late, soon, reminded = [tx.scheduled_messages.add(message) for message in (*wanted, reminder)]
        assert [replace(message, id=NOT_STORED) for message in (late, soon, reminded)] == [*wanted, reminder]
        assert len({late.id, soon.id, reminded.id}) == 3
        assert tx.scheduled_messages.of_user(ada) == [reminded, soon, late]
        changed = replace(
            late, due=NOW, channel_id=None, people=(ada,), topic="", content="c", rendered_content="d",
            client="", read_by_sender=True, failure="no ☕",
        )  # fmt: skip
        tx.scheduled_messages.update(changed)
        assert tx.scheduled_messages.find(ada, late.id) == changed
        assert tx.scheduled_messages.of_user(ada) == [changed, reminded, soon]

    storage.write(write)


def test_the_first_that_is_due_has_not_failed(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert tx.scheduled_messages.first_due() is None
        last = tx.scheduled_messages.add(note(town.ada, NOW + 2))
        first = tx.scheduled_messages.add(note(town.ben, NOW + 1))
        second = tx.scheduled_messages.add(replace(note(town.ada, NOW + 1), reminds_of=MessageId(7)))
        assert tx.scheduled_messages.first_due() == first
        tx.scheduled_messages.update(replace(first, failure=""))
        assert tx.scheduled_messages.first_due() == second
        tx.scheduled_messages.remove(town.ada, second.id)
        assert tx.scheduled_messages.first_due() == last

    storage.write(write)


def test_what_is_due_is_found_by_author(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        add = tx.scheduled_messages.add
        later, first, failed = (add(note(town.ada, NOW + seconds)) for seconds in (1, -9, -20))
        tx.scheduled_messages.update(replace(failed, failure=""))
        second, hers = add(note(town.ada, NOW)), add(note(town.ben, NOW - 12))
        assert [tx.scheduled_messages.due_authors(NOW, limit) for limit in (9, 1)] == [
            [town.ben, town.ada],
            [town.ben],
        ]
        assert [tx.scheduled_messages.due_authors(NOW + at, 9) for at in (-9, -10, -13)] == [
            [town.ben, town.ada],
            [town.ben],
            [],
        ]
        assert tx.scheduled_messages.due_of(town.ada, NOW, 9) == [first, second]
        assert tx.scheduled_messages.due_of(town.ada, NOW + 1, 9) == [first, second, later]
        assert tx.scheduled_messages.due_of(town.ada, NOW + 1, 1) == [first]
        assert tx.scheduled_messages.due_of(town.ben, NOW, 9) == [hers]

    storage.write(write)


def test_the_size_of_scheduled_messages_is_in_bytes(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        assert tx.scheduled_messages.size(town.ada) == 0
        for content, html, about in (("é€", "ab", ""), ("a", "", "bc")):
            new = replace(note(town.ada, content=content), rendered_content=html, note=about)
            tx.scheduled_messages.add(new)
        assert (tx.scheduled_messages.size(town.ada), tx.scheduled_messages.size(town.ben)) == (10, 0)

    storage.write(write)


def test_nobody_has_the_scheduled_messages_of_another(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        stored = tx.scheduled_messages
        own = stored.add(note(town.ada))
        assert stored.find(town.ben, own.id) is None
        assert stored.of_user(town.ben) == []
        assert not stored.remove(town.ben, own.id)
        counts = [stored.count(who, reminders=kind) for who in (town.ada, town.ben) for kind in (False, True)]
        assert counts == [1, 0, 0, 0]
        assert stored.remove(town.ada, own.id)
        assert not stored.remove(town.ada, own.id)
        assert stored.count(town.ada, reminders=False) == 0

    storage.write(write)
