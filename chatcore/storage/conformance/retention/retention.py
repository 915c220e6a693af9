"""`chatcore.storage.retention.retention`."""

from collections.abc import Collection

from chatcore.domain.ids import MAX_INTEGER, ChannelId, MessageId, Position, UserId
from chatcore.domain.retention.due import ClockMark, Deadline
from chatcore.storage.conformance.makers import NOW, a_town, ids, send, send_direct
from chatcore.storage.retention.retention import DueMessage
from chatcore.storage.transaction import Storage

MINUTE = 60


def due(
    storage: Storage,
    channel_id: ChannelId | None,
    *,
    before: int = NOW,
    until: int = MAX_INTEGER,
    held: Collection[UserId] = (),
    after: DueMessage | None = None,
    limit: int = 10,
) -> list[MessageId]:
    deadline = Deadline(before=before, until=until)
    found = storage.read(lambda s: s.retention.due(channel_id, deadline, held, after=after, limit=limit))
    return [message.id for message in found]


def test_messages_of_a_channel_are_due_by_their_time_and_id(storage: Storage) -> None:
    town = a_town(storage)
    times = (NOW - 5, NOW - 7, NOW, NOW - 5)
    sent = storage.write(lambda tx: [send(tx, town.ada, town.plaza, timestamp=at) for at in times])
    a, b, _, d = ids(sent)
    other = storage.write(lambda tx: send(tx, town.ada, town.office, timestamp=NOW - 9)).id
    storage.write(lambda tx: send_direct(tx, town.ada, town.ben, timestamp=NOW - 9))
    assert due(storage, town.plaza) == [b, a, d]
    assert due(storage, town.plaza, limit=2) == [b, a]
    assert due(storage, town.plaza, after=DueMessage(a, NOW - 5)) == [d]
    assert due(storage, town.plaza, before=NOW - 5) == [b]
    assert due(storage, town.plaza, until=b) == [b, a]
    assert due(storage, town.office) == [other]


def test_messages_of_people_who_are_held_are_not_due(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: send(tx, town.ada, town.plaza, timestamp=1))
    other = storage.write(lambda tx: send(tx, town.ben, town.plaza, timestamp=2)).id
    assert due(storage, town.plaza, held=[town.ada, town.cem]) == [other]


def test_direct_messages_of_all_conversations_are_due_together(storage: Storage) -> None:
    town = a_town(storage)
    times = {3: (town.ada, town.ben), 2: (town.ben, town.cem), 4: (town.cem,)}
    late, early, mine = ids(
        storage.write(lambda tx: [send_direct(tx, *people, timestamp=at) for at, people in times.items()])
    )
    storage.write(lambda tx: send(tx, town.ada, town.plaza, timestamp=1))
    assert due(storage, None) == [early, late, mine]
    assert due(storage, None, held=[town.ada]) == [early, mine]
    assert due(storage, None, held=[town.cem]) == [late]
    assert due(storage, None, held=[town.ben]) == [mine]


def test_marks_are_kept_by_time(storage: Storage) -> None:
    marks = [ClockMark(at=7, position=Position(70)), ClockMark(at=5, position=Position(90))]
    storage.write(lambda tx: tx.retention.note(marks[0]))
    storage.write(lambda tx: tx.retention.note(marks[1]))
    assert storage.read(lambda snapshot: snapshot.retention.marks()) == marks[::-1]


def test_one_holder_at_a_time_claims_the_deletion(storage: Storage) -> None:
    def claims(holder: str, now: int) -> bool:
        return storage.write(lambda tx: tx.retention.claim(holder, now, now + MINUTE))

    assert claims("a", NOW)
    assert claims("a", NOW + 1)
    assert not claims("b", NOW + 60)
    assert claims("b", NOW + 61)
    assert not claims("a", NOW + 62)
    storage.write(lambda tx: tx.retention.release("a"))
    assert not claims("a", NOW + 62)
    storage.write(lambda tx: tx.retention.release("b"))
    assert claims("a", NOW + 62)
    assert claims("b", NOW - 1000)  # the clock was set back
