"""`chatcore.storage.mail.missed`."""

from dataclasses import replace

from chatcore.domain.ids import MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.sent_mail.missed import MAILS, PUSHES, MissedConversation
from chatcore.storage.conformance.makers import NOW, a_town, send
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def _missed(user_id: int, topic_key: str, due: int) -> MissedConversation:
    return MissedConversation(
        user_id=UserId(user_id),
        recipient_id=RecipientId(9),
        topic_key=topic_key,
        message_ids=(MessageId(3), MessageId(5)),
        due=due,
    )


def test_missed_conversations_wait_in_the_order_of_their_times(storage: Storage) -> None:
    late, soon, other = _missed(1, "ä", 20), _missed(1, "Ä", 10), _missed(2, "ä", 30)

    def write(tx: Transaction) -> None:
        for one in (late, soon, other):
            tx.missed.put(one)

    storage.write(write)
    assert storage.read(lambda snapshot: snapshot.missed.first_due()) == soon
    due = storage.read(lambda s: [s.missed.due(now, limit) for now, limit in ((20, 9), (20, 1), (9, 9))])
    assert due == [[soon, late], [soon], []]
    assert storage.read(lambda snapshot: snapshot.missed.find(late.user_id, late.recipient_id, "ä")) == late
    counts = storage.read(lambda snapshot: [snapshot.missed.count(UserId(one)) for one in (1, 2, 3)])
    assert counts == [2, 1, 0]
    later = replace(soon, due=40, message_ids=(MessageId(3),))
    storage.write(lambda tx: tx.missed.put(later))
    storage.write(lambda tx: tx.missed.remove(late))
    assert storage.read(lambda snapshot: snapshot.missed.first_due()) == other
    assert storage.read(lambda snapshot: snapshot.missed.find(soon.user_id, soon.recipient_id, "Ä")) == later


def test_messages_are_looked_at_once(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.missed.backlog(MAILS))[0] == 0
    storage.write(lambda tx: tx.missed.look_no_further_than(MAILS, tx.draw()))
    assert storage.read(lambda snapshot: snapshot.missed.backlog(MAILS))[0] > 0
    assert storage.read(lambda snapshot: snapshot.missed.backlog(PUSHES))[0] == 0


def test_the_people_whom_messages_may_concern_are_found(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        plain = send(tx, town.ada, town.plaza)
        mentioning = send(tx, town.ada, town.plaza, timestamp=NOW + 5)
        tx.flags.on_arrival(mentioning, {town.ben: Flag.MENTIONED, town.ada: Flag.TOPIC_WILDCARD})
        tx.flags.on_arrival(plain, {town.ben: Flag.HAS_ALERT_WORD})
        tx.subscriptions.update(town.ben, town.plaza, email_notifications=True)
        tx.subscriptions.update(town.ada, town.plaza, email_notifications=False)
        tx.users.update(town.cem, settings={"enable_sounds": True})
        tx.users.update(town.ada, settings={"enable_sounds": False})
        return [plain, mentioning]

    plain, mentioning = storage.write(write)
    both = [plain.id, mentioning.id]

    def read(snapshot: Snapshot) -> None:
        missed = snapshot.missed
        assert missed.mentioned_in(both) == {mentioning.id: {town.ada, town.ben}}
        assert missed.wanting_channel(MAILS, town.plaza) == {town.ben}
        assert missed.wanting_channel(MAILS, town.office) == set()
        assert missed.having_switched_on("enable_sounds") == {town.cem}
        assert list(missed.new_messages(Position(0), NOW, 9)) == both
        assert list(missed.new_messages(Position(0), NOW, 1)) == [plain.id]
        assert list(missed.new_messages(Position(0), NOW + 1, 9)) == [mentioning.id]
        assert list(missed.new_messages(Position(plain.id), NOW, 9)) == [mentioning.id]
        assert missed.backlog(MAILS)[1] == Position(mentioning.id)

    storage.read(read)
