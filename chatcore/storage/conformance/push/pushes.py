"""`chatcore.storage.push.pushes`."""

from dataclasses import replace

from chatcore.domain.ids import MessageId, RecipientId, UserId
from chatcore.domain.push.pushes import Push
from chatcore.storage.transaction import Storage, Transaction

ADA, BEN = UserId(1), UserId(2)


def _push(user_id: UserId, topic_key: str, due: int) -> Push:
    return Push(
        subscription_id=int(user_id),
        user_id=user_id,
        recipient_id=RecipientId(9),
        topic_key=topic_key,
        message_ids=(MessageId(3), MessageId(5)),
        due=due,
    )


def test_pushes_wait_in_the_order_of_their_times(storage: Storage) -> None:
    late, soon, other = _push(ADA, "ä", 20), _push(ADA, "Ä", 10), _push(BEN, "ä", 30)

    def write(tx: Transaction) -> None:
        for one in (late, soon, other):
            tx.pushes.add(one)

    storage.write(write)
    first = storage.read(lambda s: s.pushes.first_due())
    assert first is not None
    assert first == replace(soon, id=first.id)
    assert storage.read(lambda s: s.pushes.find(first.id)) == first
    assert storage.read(lambda s: s.pushes.find_of(int(ADA), RecipientId(9), "Ä")) == first
    assert storage.read(lambda s: s.pushes.find_of(int(ADA), RecipientId(9), "a")) is None
    second = storage.read(lambda s: s.pushes.first_due(but_of=[ADA]))
    assert second is not None
    assert second.user_id == BEN
    assert storage.read(lambda s: s.pushes.first_due(but_of=[ADA, BEN])) is None
    counts = storage.read(lambda s: (s.pushes.count(), s.pushes.count_to(ADA), s.pushes.count_to(UserId(3))))
    assert counts == (3, 2, 0)
    changed = replace(first, due=40, attempts=1, message_ids=(MessageId(5),))
    storage.write(lambda tx: tx.pushes.update(changed))
    assert storage.read(lambda s: s.pushes.find(first.id)) == changed
    storage.write(lambda tx: tx.pushes.remove(first.id))
    assert storage.read(lambda s: (s.pushes.find(first.id), s.pushes.count())) == (None, 2)
