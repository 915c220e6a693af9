"""`chatcore.storage.people.muted_users`."""

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.storage.conformance.makers import (
    a_town,
    flags,
    ids,
    mute,
    send,
    send_direct,
    subscribe,
    unmute,
    unread,
)
from chatcore.storage.conformance.messages.moves import move
from chatcore.storage.transaction import Storage, Transaction


def test_people_are_muted_one_by_one(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        mute(tx, town.ada, town.cem, at=5)
        mute(tx, town.ada, town.ben, at=7)
        mute(tx, town.cem, town.ben, at=6)
        mute(tx, town.ben, town.ada, at=6)
        unmute(tx, town.ben, town.ada)

    storage.write(write)
    muted = storage.read(lambda snapshot: snapshot.muted_users.of_user(town.ada))
    assert list(muted.items()) == [(town.cem, 5), (town.ben, 7)]
    assert storage.read(lambda snapshot: snapshot.muted_users.of_user(town.ben)) == {}
    assert storage.read(lambda snapshot: snapshot.muted_users.who_muted(town.ben)) == {town.ada, town.cem}


READ, NONE = Flag.READ, Flag.NONE


def had_muted(storage: Storage, *messages: Message, users: list[UserId]) -> dict[MessageId, set[UserId]]:
    muted = storage.read(lambda snapshot: snapshot.muted_users.had_muted(messages, users))
    return {message_id: set(who) for message_id, who in muted.items()}


def test_messages_of_muted_senders_are_read(storage: Storage) -> None:
    """Applies to channel and direct messages, but not to earlier or later ones, other senders or readers."""
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        before = send(tx, town.ben, town.plaza)
        mute(tx, town.ada, town.ben)
        direct = send_direct(tx, town.ben, town.ada, town.cem)
        muted = send(tx, town.ben, town.plaza)
        own = send(tx, town.ada, town.plaza)
        unmute(tx, town.ada, town.ben)
        between = send(tx, town.ben, town.plaza)
        mute(tx, town.ada, town.ben)
        return [before, direct, muted, own, between, send(tx, town.ben, town.plaza)]

    messages = storage.write(write)
    before, direct, muted, own, between, again = messages
    assert flags(storage, town.ada, *messages) == [NONE, READ, READ, NONE, NONE, READ]
    assert flags(storage, town.ben, direct, muted) == flags(storage, town.cem, direct) * 2 == [NONE, NONE]
    assert unread(storage, town.ada) == ids([before, own, between])
    everybody = [town.ada, town.ben, town.cem]
    of_ada = {message.id: {town.ada} for message in (direct, muted, again)}
    assert had_muted(storage, *messages, users=everybody) == of_ada
    assert had_muted(storage, *messages, users=[town.ben, town.cem]) == {}
    assert had_muted(storage, before, own, between, users=everybody) == {}
    readers = storage.read(lambda snapshot: snapshot.flags.of_readers(muted, everybody))
    assert readers == {town.ada: READ, town.ben: NONE}


def mark_read(storage: Storage, user_id: UserId, message: Message) -> None:
    storage.write(lambda tx: tx.flags.set(user_id, [message], READ))


def unmark_read(storage: Storage, user_id: UserId, message: Message) -> None:
    storage.write(lambda tx: tx.flags.clear(user_id, [message], READ))


def test_messages_read_by_muting_can_be_marked_unread_and_read(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        mute(tx, town.ada, town.ben)
        sent = [send(tx, sender, town.plaza) for sender in (town.ben, town.cem, town.ben)]
        unmute(tx, town.ada, town.ben)
        return sent

    first, second, third = storage.write(write)
    for mark, message, expected in (
        (unmark_read, third, [READ, NONE, NONE]),
        (mark_read, second, [READ, READ, NONE]),
        (unmark_read, first, [NONE, READ, NONE]),
        (mark_read, third, [NONE, READ, READ]),
        (mark_read, first, [READ, READ, READ]),
    ):
        mark(storage, town.ada, message)
        assert flags(storage, town.ada, first, second, third) == expected
        assert unread(storage, town.ada) == ids(
            user for user, flag in zip((first, second, third), expected, strict=True) if flag == NONE
        )


def test_moved_messages_stay_read_or_unread_by_earlier_muting(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        subscribe(tx, town.office, town.ada)
        mute(tx, town.ada, town.ben)
        return [send(tx, sender, town.plaza) for sender in (town.ben, town.ben, town.cem)]

    messages = storage.write(write)
    unmark_read(storage, town.ada, messages[0])
    storage.write(lambda tx: move(tx, messages, to=town.office))
    moved = storage.read(lambda snapshot: snapshot.messages.by_ids(ids(messages)))
    assert [message.channel_id for message in moved] == [town.office] * 3
    assert flags(storage, town.ada, *moved) == [NONE, READ, NONE]
    assert unread(storage, town.ada) == ids([messages[0], messages[2]])
