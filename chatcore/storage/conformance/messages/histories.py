"""`chatcore.storage.messages.flags`: messages in the history of people who never received them."""

from collections.abc import Mapping

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.storage.conformance.makers import a_town, flags, send_direct, subscribe, unread
from chatcore.storage.conformance.messages.flags import HISTORICAL, READ, STARRED, mark, some_messages, unmark
from chatcore.storage.transaction import Storage


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
