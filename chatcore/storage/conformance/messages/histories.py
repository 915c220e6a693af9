"""`chatcore.storage.messages.flags`: messages in the history of people who never received them."""

from collections.abc import Mapping
from functools import partial

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.messages.unread import UnreadMessages
from chatcore.domain.narrow import HasFlag
from chatcore.storage.conformance.makers import a_town, flags, send, send_direct, subscribe, unread
from chatcore.storage.conformance.messages.edits import now_of
from chatcore.storage.conformance.messages.flags import HISTORICAL, READ, STARRED, mark, some_messages, unmark
from chatcore.storage.conformance.messages.moves import move
from chatcore.storage.conformance.messages.search import newest
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def test_starring_what_was_never_received_takes_it_into_the_history(storage: Storage) -> None:
    town = a_town(storage)
    first, second = some_messages(storage, town, 2)
    storage.write(lambda tx: tx.flags.set(town.cem, [first], STARRED, historical=[first.id]))
    assert flags(storage, town.cem, first, second) == [READ | STARRED | HISTORICAL, None]
    unmark(storage, town.cem, first, flag=STARRED)
    assert flags(storage, town.cem, first, second) == [READ | HISTORICAL, None]
    assert storage.read(lambda snapshot: snapshot.flags.historical_channels(town.cem)) == {town.plaza}
    assert storage.read(lambda snapshot: snapshot.flags.historical_channels(town.ada)) == frozenset()


def test_a_historical_message_stays_one_after_subscribing(storage: Storage) -> None:
    town = a_town(storage)
    first, second = some_messages(storage, town, 2)
    storage.write(lambda tx: tx.flags.set(town.cem, [first], STARRED, historical=[first.id]))
    storage.write(lambda tx: subscribe(tx, town.plaza, town.cem))
    assert flags(storage, town.cem, first, second) == [READ | STARRED | HISTORICAL, None]
    assert unread(storage, town.cem) == []


def test_messages_never_received_can_be_marked_unread(storage: Storage) -> None:
    town = a_town(storage)
    first, second = some_messages(storage, town, 2)
    storage.write(lambda tx: subscribe(tx, town.plaza, town.cem))
    unmark(storage, town.cem, first)
    assert flags(storage, town.cem, first, second) == [HISTORICAL, None]
    assert unread(storage, town.cem) == [first.id]
    mark(storage, town.cem, first)
    assert flags(storage, town.cem, first, second) == [READ | HISTORICAL, None]


def test_a_conversation_of_others_is_nobody_elses_history(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send_direct(tx, town.ada, town.ben))
    assert flags(storage, town.cem, message) == [None]


def test_users_with_a_message_in_their_history_keep_it(storage: Storage) -> None:
    town = a_town(storage)
    message, other = some_messages(storage, town, 2)

    def keepers() -> Mapping[MessageId, frozenset[UserId]]:
        return storage.read(lambda snapshot: snapshot.flags.keepers([message.id, other.id]))

    mark(storage, town.ada, message, flag=STARRED)
    assert keepers() == {}
    for user_id in (town.ben, town.cem):
        storage.write(
            lambda tx, user_id=user_id: tx.flags.set(  # type: ignore[misc]
                user_id, [message], Flag.HISTORICAL, historical=[message.id]
            )
        )
    assert keepers() == {message.id: {town.ben, town.cem}}


def unread_of(user_id: UserId, snapshot: Snapshot, limit: int = 10) -> UnreadMessages:
    return snapshot.flags.unread(user_id, snapshot.subscriptions.of_user(user_id), limit)


def test_a_channel_wildcard_calls_nobody_for_whom_its_message_was_historical(storage: Storage) -> None:
    """A move to a channel of theirs does not change that: no event would tell them."""
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        subscribe(tx, town.office, town.ada, town.cem)
        message = send(tx, town.ben, town.plaza, channel_wildcard=True)
        tx.flags.set(town.cem, [message], Flag.STARRED, historical=[message.id])
        tx.flags.clear(town.cem, [message], Flag.READ)
        move(tx, [message], to=town.office)
        return message

    message = now_of(storage, storage.write(write))
    assert flags(storage, town.ada, message) == [Flag.CHANNEL_WILDCARD]
    assert flags(storage, town.cem, message) == [Flag.STARRED | Flag.HISTORICAL]
    mentions = HasFlag(Flag.ANY_MENTION)
    for who, called in ((town.ada, [message.id]), (town.cem, [])):
        assert newest(storage, who, mentions, personal=True) == called
        assert storage.read(partial(unread_of, who)).to_all == called


def test_mentions_are_listed_in_the_newest_unread_messages_only(storage: Storage) -> None:
    town = a_town(storage)
    messages = storage.write(lambda tx: [send(tx, town.ben, town.plaza) for _ in range(4)])
    for flag, called in ((Flag.MENTIONED, messages[::3]), (Flag.TOPIC_WILDCARD, messages[::2])):
        storage.write(lambda tx, flag=flag, called=called: tx.flags.set(town.ada, called, flag))  # type: ignore[misc]
    for limit in 4, 3, 1:
        found = storage.read(partial(unread_of, town.ada, limit=limit))
        newest = found.message_ids
        assert newest == [one.id for one in messages][-limit:]
        assert sorted(found.naming) == [one.id for one in messages[::3] if one.id in newest]
        assert sorted(found.to_all) == [one.id for one in messages[::2] if one.id in newest]
