"""`chatcore.storage.messages.submessages`."""

from chatcore.domain.messages.messages import Submessage
from chatcore.storage.conformance.makers import a_town, ids, send
from chatcore.storage.transaction import Storage, Transaction


def test_submessages_come_with_their_message_in_the_order_in_which_they_were_added(storage: Storage) -> None:
    town = a_town(storage)
    poll, other, plain = storage.write(lambda tx: [send(tx, town.ada, town.plaza) for _ in range(3)])

    def write(tx: Transaction) -> list[Submessage]:
        return [
            tx.submessages.add(poll.id, town.ada, "widget", '{"question": "Suppe? ☕"}'),
            tx.submessages.add(other.id, town.ben, "other", "1"),
            tx.submessages.add(poll.id, town.ben, "widget", "2"),
        ]

    first, elsewhere, second = storage.write(write)
    assert (first.sender_id, first.msg_type, first.content) == (
        town.ada,
        "widget",
        '{"question": "Suppe? ☕"}',
    )
    assert first.id < elsewhere.id < second.id
    messages = storage.read(lambda snapshot: snapshot.messages.by_ids(ids([poll, other, plain])))
    assert [message.submessages for message in messages] == [(first, second), (elsewhere,), ()]


def test_submessages_go_with_their_message(storage: Storage) -> None:
    town = a_town(storage)
    poll, other = storage.write(lambda tx: [send(tx, town.ada, town.plaza) for _ in range(2)])

    def write(tx: Transaction) -> None:
        for message in (poll, other):
            tx.submessages.add(message.id, town.ada, "widget", "1")
        tx.edits.remove([poll.id])
        tx.messages.add(poll, [])

    storage.write(write)
    again, kept = storage.read(lambda snapshot: snapshot.messages.by_ids([poll.id, other.id]))
    assert (again.submessages, len(kept.submessages)) == ((), 1)
    storage.write(lambda tx: tx.submessages.add(poll.id, town.ben, "widget", "2"))
    (again,) = storage.read(lambda snapshot: snapshot.messages.by_ids([poll.id]))
    assert [submessage.content for submessage in again.submessages] == ["2"]
