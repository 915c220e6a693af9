"""`chatcore.storage.messages.flags`: received messages, read state, and the other flags of a reader."""

from collections.abc import Mapping, Sequence

from chatcore.domain.ids import ChannelId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.flags import OF_CALLED, Flag
from chatcore.domain.messages.messages import Message
from chatcore.storage.conformance.makers import (
    Town,
    a_town,
    add_user,
    flags,
    ids,
    send,
    send_direct,
    subscribe,
    unread,
    unsubscribe,
)
from chatcore.storage.conformance.messages.moves import move
from chatcore.storage.transaction import Storage, Transaction

READ, STARRED, HISTORICAL, NONE = Flag.READ, Flag.STARRED, Flag.HISTORICAL, Flag.NONE


def some_messages(storage: Storage, town: Town, count: int = 4) -> list[Message]:
    """Send messages by ben to the plaza, unread for ada."""
    return storage.write(lambda tx: [send(tx, town.ben, town.plaza) for _ in range(count)])


def mark(storage: Storage, user_id: UserId, *messages: Message, flag: Flag = READ) -> None:
    storage.write(lambda tx: tx.flags.set(user_id, messages, flag))


def unmark(storage: Storage, user_id: UserId, *messages: Message, flag: Flag = READ) -> None:
    storage.write(lambda tx: tx.flags.clear(user_id, messages, flag))


def test_a_message_is_received_unread_by_its_subscribers_alone(storage: Storage) -> None:
    town = a_town(storage)
    (message,) = some_messages(storage, town, 1)
    assert flags(storage, town.ada, message) == [NONE]
    assert flags(storage, town.cem, message) == [None]
    assert unread(storage, town.ada) == [message.id]
    assert unread(storage, town.cem) == []


def test_a_direct_message_is_received_unread_by_its_people(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send_direct(tx, town.ada, town.ben))
    assert flags(storage, town.ben, message) == [NONE]
    assert unread(storage, town.ada) == unread(storage, town.ben) == [message.id]
    assert unread(storage, town.cem) == []


def test_messages_from_before_joining_were_not_received(storage: Storage) -> None:
    town = a_town(storage)
    before = storage.write(lambda tx: send(tx, town.ben, town.plaza))
    storage.write(lambda tx: subscribe(tx, town.plaza, town.cem))
    after = storage.write(lambda tx: send(tx, town.ben, town.plaza))
    assert flags(storage, town.cem, before, after) == [None, NONE]
    assert unread(storage, town.cem) == [after.id]


def test_messages_are_marked_read_in_any_order(storage: Storage) -> None:
    town = a_town(storage)
    first, second, third, fourth = some_messages(storage, town)
    for marked, expected in (
        ((third,), [NONE, NONE, READ, NONE]),
        ((first,), [READ, NONE, READ, NONE]),
        ((second,), [READ, READ, READ, NONE]),
        ((fourth, third), [READ, READ, READ, READ]),
    ):
        mark(storage, town.ada, *marked)
        assert flags(storage, town.ada, first, second, third, fourth) == expected
    assert flags(storage, town.ben, first, fourth) == [NONE, NONE]
    assert unread(storage, town.ada) == []
    (fifth,) = some_messages(storage, town, 1)
    assert unread(storage, town.ada) == [fifth.id]


def test_read_messages_are_marked_unread_again(storage: Storage) -> None:
    town = a_town(storage)
    first, second, third, fourth = some_messages(storage, town)
    mark(storage, town.ada, first, second, third)
    unmark(storage, town.ada, second)
    assert flags(storage, town.ada, first, second, third, fourth) == [READ, NONE, READ, NONE]
    assert unread(storage, town.ada) == [second.id, fourth.id]
    mark(storage, town.ada, fourth)
    assert flags(storage, town.ada, second, fourth) == [NONE, READ]
    mark(storage, town.ada, second)
    assert flags(storage, town.ada, first, second, third, fourth) == [READ] * 4
    unmark(storage, town.ada, fourth, first)
    assert flags(storage, town.ada, first, second, third, fourth) == [NONE, READ, READ, NONE]


def test_reading_one_channel_leaves_the_others_unread(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        subscribe(tx, town.office, town.ada)
        return [
            send(tx, town.ben, town.plaza),
            send(tx, town.ben, town.office),
            send_direct(tx, town.ben, town.ada),
            send(tx, town.ben, town.plaza),
        ]

    messages = storage.write(write)
    mark(storage, town.ada, messages[3], messages[0])
    assert unread(storage, town.ada) == ids(messages[1:3])
    mark(storage, town.ada, messages[1], messages[2])
    assert unread(storage, town.ada) == []


def test_other_flags_are_kept_when_messages_are_read(storage: Storage) -> None:
    town = a_town(storage)
    first, second = some_messages(storage, town, 2)
    mark(storage, town.ada, first, flag=STARRED)
    mark(storage, town.ada, second, flag=Flag.COLLAPSED)
    mark(storage, town.ada, first, second)
    assert flags(storage, town.ada, first, second) == [READ | STARRED, READ | Flag.COLLAPSED]
    unmark(storage, town.ada, first, flag=STARRED)
    unmark(storage, town.ada, second)
    assert flags(storage, town.ada, first, second) == [READ, Flag.COLLAPSED]


def test_a_message_arrives_with_what_concerns_single_readers(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.ada, town.plaza, channel_wildcard=True)
        flagged = {town.ada: READ, town.ben: Flag.MENTIONED | Flag.HAS_ALERT_WORD}
        tx.flags.on_arrival(message, flagged)
        return message

    message = storage.write(write)
    assert flags(storage, town.ada, message) == [READ | Flag.CHANNEL_WILDCARD]
    assert flags(storage, town.ben, message) == [Flag.MENTIONED | Flag.HAS_ALERT_WORD | Flag.CHANNEL_WILDCARD]
    found = storage.read(
        lambda snapshot: snapshot.flags.unread(town.ben, snapshot.subscriptions.of_user(town.ben), 10)
    )
    assert found.topics == {(town.plaza, "lunch"): ("lunch", [message.id])}
    assert (found.conversations, found.naming, found.to_all) == ({}, [message.id], [message.id])


def test_unread_messages_are_in_the_order_of_their_oldest(storage: Storage) -> None:
    """Also those that were read and are unread again; a topic is spelled as in its oldest message."""
    town = a_town(storage)
    storage.write(lambda tx: subscribe(tx, town.office, town.ben))

    def begin(tx: Transaction) -> list[Message]:
        return [
            send(tx, town.ada, town.plaza, "Lunch"),
            send_direct(tx, town.cem, town.ben),
            send(tx, town.ada, town.plaza, "Lunch"),
        ]

    def go_on(tx: Transaction) -> list[Message]:
        return [
            send(tx, town.ada, town.plaza, "lunch"),
            send(tx, town.ada, town.office, "tea"),
            send_direct(tx, town.ada, town.ben),
            send(tx, town.ada, town.plaza, "Lunch"),
        ]

    old = storage.write(begin)
    mark(storage, town.ben, *old)
    unmark(storage, town.ben, *old[:2])
    new = storage.write(go_on)
    found = storage.read(
        lambda snapshot: snapshot.flags.unread(town.ben, snapshot.subscriptions.of_user(town.ben), 10)
    )
    assert list(found.topics.values()) == [("Lunch", ids([old[0], new[0], new[3]])), ("tea", ids([new[1]]))]
    assert list(found.conversations.values()) == [ids([old[1]]), ids([new[2]])]


def test_own_messages_that_arrive_read_hide_no_unread_ones(storage: Storage) -> None:
    town = a_town(storage)
    (before,) = some_messages(storage, town, 1)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.ada, town.plaza)
        tx.flags.on_arrival(message, {town.ada: READ})
        return message

    own = storage.write(write)
    assert flags(storage, town.ada, before, own) == [NONE, READ]
    mark(storage, town.ada, before)
    (after,) = some_messages(storage, town, 1)
    assert unread(storage, town.ada) == [after.id]


def test_a_message_that_arrives_read_is_unread_for_few(storage: Storage) -> None:
    """The message stays unread for these users when watermarks pass it, and in another channel."""
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        subscribe(tx, town.office, town.ada, town.ben)
        notice, other = (send(tx, town.ada, town.plaza, arrives_read=arrives) for arrives in (True, False))
        tx.flags.keep_unread(notice, [town.ben])
        return [notice, other]

    messages = storage.write(write)
    assert flags(storage, town.ada, *messages) == [READ, NONE]
    assert flags(storage, town.ben, *messages) == [NONE, NONE]
    mark(storage, town.ben, messages[1])
    assert unread(storage, town.ben) == [messages[0].id]
    storage.write(lambda tx: move(tx, messages, to=town.office))
    messages = [*storage.read(lambda snapshot: snapshot.messages.by_ids(ids(messages)))]
    of_notice = storage.read(lambda snapshot: snapshot.flags.of_readers(messages[0], [town.ada, town.ben]))
    assert of_notice == {town.ada: READ, town.ben: NONE}
    assert [unread(storage, who) for who in (town.ada, town.ben)] == [[messages[1].id], [messages[0].id]]


def test_a_message_that_arrives_read_is_marked_as_any_other(storage: Storage) -> None:
    """Messages are marked by their ids, and by their sender."""
    town = a_town(storage)
    notice = storage.write(lambda tx: send(tx, town.ada, town.plaza, arrives_read=True))
    for who in (town.ada, town.ben):
        assert flags(storage, who, notice) == [READ]
        for change, expected in ((unmark, NONE), (mark, READ)):
            change(storage, who, notice)
            assert flags(storage, who, notice) == [expected]


def test_a_bot_that_is_called_into_a_channel_has_that_one_message(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.ada, town.plaza, channel_wildcard=True)
        tx.flags.on_arrival(message, {town.cem: OF_CALLED})
        return message

    message = storage.write(write)
    assert flags(storage, town.cem, message) == [OF_CALLED]
    assert unread(storage, town.cem) == [message.id]
    mark(storage, town.cem, message)
    assert flags(storage, town.cem, message) == [OF_CALLED | READ]
    unmark(storage, town.cem, message)
    assert flags(storage, town.cem, message) == [OF_CALLED]
    assert storage.read(lambda snapshot: snapshot.flags.historical_channels(town.cem)) == {town.plaza}


def test_mentions_of_some_bots_in_some_channels_become_read(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[list[UserId], list[Message]]:
        bots = [add_user(tx, name, is_bot=True).id for name in ("robo", "helper")]
        messages = [send(tx, town.ada, channel_id) for channel_id in (town.plaza, town.office)]
        for message in messages:
            tx.flags.on_arrival(message, dict.fromkeys(bots, OF_CALLED))
        return bots, messages

    (robo, helper), (here, there) = storage.write(write)
    everything = [[here.id, there.id], [here.id, there.id]]

    def left() -> list[list[MessageId]]:
        return [unread(storage, bot_id) for bot_id in (robo, helper)]

    assert left() == everything
    storage.write(
        lambda tx: tx.flags.mark_mentions_of_bots_read(user_ids=[robo, town.ada], channel_ids=[town.plaza])
    )
    assert left() == [[there.id], everything[1]]
    storage.write(lambda tx: tx.flags.mark_mentions_of_bots_read(channel_ids=[town.plaza]))
    assert left() == [[there.id], [there.id]]
    storage.write(lambda tx: tx.flags.mark_mentions_of_bots_read(user_ids=[helper]))
    assert left() == [[there.id], []]
    storage.write(lambda tx: tx.flags.mark_mentions_of_bots_read())
    assert left() == [[], []]


def test_who_may_have_something_unread_among_messages_is_found_with_the_first_of_it(
    storage: Storage,
) -> None:
    town = a_town(storage)
    first, second, third = messages = some_messages(storage, town, 3)
    people = [town.ada, town.ben, town.cem]

    def found(*of: Message, among: Sequence[UserId] = people) -> Mapping[UserId, MessageId]:
        return storage.read(lambda snapshot: snapshot.flags.maybe_unread(among, town.plaza, ids(of)))

    assert town.cem not in found(*messages)  # is not in the channel
    mark(storage, town.ben, *messages)
    assert found(*messages).keys() == {town.ada}
    assert found(*messages)[town.ada] <= first.id
    assert (found(), found(*messages, among=[])) == ({}, {})
    mark(storage, town.ada, first)
    assert first.id < found(*messages)[town.ada] <= second.id
    assert found(first) == {}
    mark(storage, town.ada, second, third)
    assert found(*messages) == {}
    unmark(storage, town.ada, second)
    assert found(*messages).keys() == found(second).keys() == {town.ada}
    assert first.id < found(*messages)[town.ada] <= second.id
    called = storage.write(lambda tx: send(tx, town.ben, town.plaza))
    storage.write(lambda tx: tx.flags.on_arrival(called, {town.cem: OF_CALLED}))
    assert found(called, *messages)[town.cem] == called.id


def test_nothing_is_unread_in_a_channel_that_was_left(storage: Storage) -> None:
    town = a_town(storage)
    first, second, third = some_messages(storage, town, 3)
    mark(storage, town.ada, first, second)
    unmark(storage, town.ada, first)
    mark(storage, town.ada, third, flag=STARRED)
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.ada))
    missed = storage.write(lambda tx: send(tx, town.ben, town.plaza))
    assert flags(storage, town.ada, first, second, third, missed) == [READ, READ, READ | STARRED, None]
    assert unread(storage, town.ada) == []
    assert flags(storage, town.ben, first, missed) == [NONE, NONE]


def test_returning_subscribers_have_only_later_messages_unread(storage: Storage) -> None:
    town = a_town(storage)
    (received,) = some_messages(storage, town, 1)
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.ada))
    missed = storage.write(lambda tx: send(tx, town.ben, town.plaza))
    storage.write(lambda tx: subscribe(tx, town.plaza, town.ada))
    new = storage.write(lambda tx: send(tx, town.ben, town.plaza))
    assert flags(storage, town.ada, received, missed, new) == [READ, None, NONE]
    assert unread(storage, town.ada) == [new.id]
    mark(storage, town.ada, new)
    unmark(storage, town.ada, received)
    assert flags(storage, town.ada, received, missed, new) == [NONE, None, READ]


def test_everything_is_read_up_to_a_position(storage: Storage) -> None:
    town = a_town(storage)
    first, second, third, fourth = some_messages(storage, town)
    direct = storage.write(lambda tx: send_direct(tx, town.ben, town.ada))
    mark(storage, town.ada, third)
    mark(storage, town.ada, first, flag=STARRED)
    assert direct.conversation is not None
    recipients: list[RecipientId] = [town.plaza, direct.conversation.conversation_id]
    storage.write(lambda tx: tx.flags.mark_all_read([town.ada], recipients, Position(second.id)))
    assert flags(storage, town.ada, first, second, third, fourth) == [READ | STARRED, READ, READ, NONE]
    assert unread(storage, town.ada) == [fourth.id, direct.id]
    storage.write(lambda tx: tx.flags.mark_all_read([town.ada, town.ben], recipients, Position(direct.id)))
    assert unread(storage, town.ada) == []
    assert unread(storage, town.ben) == []


def test_reading_everything_up_to_a_position_makes_nothing_unread(storage: Storage) -> None:
    town = a_town(storage)
    first, second, third = some_messages(storage, town, 3)
    mark(storage, town.ada, first, second)
    unmark(storage, town.ada, second)
    storage.write(lambda tx: tx.flags.mark_all_read([town.ada], [town.plaza], Position(first.id)))
    assert flags(storage, town.ada, first, second, third) == [READ, NONE, NONE]
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.ada))
    storage.write(lambda tx: tx.flags.mark_all_read([town.ada], [town.plaza], Position(first.id)))
    assert flags(storage, town.ada, first, second, third) == [READ, READ, READ]


def test_the_newest_unread_messages_are_listed(storage: Storage) -> None:
    town = a_town(storage)
    messages = some_messages(storage, town, 8)
    mark(storage, town.ada, *messages[:4])
    unmark(storage, town.ada, messages[1], messages[3])
    expected = ids([messages[1], messages[3], *messages[4:]])
    assert unread(storage, town.ada) == expected
    for limit in 5, 2, 1:
        assert unread(storage, town.ada, limit=limit) == expected[-limit:]
        assert unread(storage, town.ben, limit=limit) == ids(messages)[-limit:]
    mark(storage, town.ada, *messages[4:])
    assert unread(storage, town.ada, limit=1) == ids([messages[3]])


def starred(storage: Storage, user_id: UserId, limit: int) -> list[MessageId]:
    return list(storage.read(lambda snapshot: snapshot.flags.with_flag(user_id, STARRED, limit)))


def test_the_newest_starred_messages_are_listed(storage: Storage) -> None:
    town = a_town(storage)
    first, second, third = some_messages(storage, town, 3)
    mark(storage, town.ada, first, third, second, flag=STARRED)
    unmark(storage, town.ada, second, flag=STARRED)
    for user_id, limit, expected in (
        (town.ada, 10, [first.id, third.id]),
        (town.ada, 1, [third.id]),
        (town.ben, 10, []),
    ):
        assert starred(storage, user_id, limit) == expected


def test_a_user_without_messages_has_nothing_unread(storage: Storage) -> None:
    town = a_town(storage)
    subscriptions = storage.read(lambda snapshot: snapshot.subscriptions.of_user(town.cem))
    assert subscriptions == {}
    assert unread(storage, town.cem) == []
    nowhere: list[ChannelId] = []
    storage.write(lambda tx: tx.flags.mark_all_read([town.cem], nowhere, Position(1)))
