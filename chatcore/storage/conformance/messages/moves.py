"""`chatcore.storage.messages.edits`: messages that get another place."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.narrow import InChannel, InTopic, Narrow
from chatcore.domain.topics import topic_key
from chatcore.storage.conformance.makers import (
    NOW,
    a_town,
    add_channel,
    flags,
    ids,
    send,
    subscribe,
    unread,
    unsubscribe,
)
from chatcore.storage.conformance.messages.edits import edit_of, found_by, now_of
from chatcore.storage.conformance.messages.search import viewer_of
from chatcore.storage.messages.edits import Destination
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def move(
    tx: Transaction,
    messages: Sequence[Message],
    *,
    to: ChannelId | None = None,
    topic: str | None = None,
    keeping: Sequence[UserId] = (),
) -> Position:
    """Move messages of one channel, flags first, as the use case does; return the position of the move."""
    source = messages[0].channel_id
    assert source is not None
    if to is not None:
        tx.edits.move_flags(ids(messages), source, to, keeping=keeping)
    at = tx.draw()
    tx.edits.move([message.brief for message in messages], Destination(to, topic), at=at, moved_at=NOW + 9)
    return at


def test_a_move_is_noted_with_where_each_message_was(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        sent = [send(tx, town.ada, town.plaza, topic=topic) for topic in ("Tea", "tea", "cake")]
        edit, both = edit_of(town), Destination(town.office, "x")
        tx.edits.note_move([sent[0].id], replace(edit, prev_content="a", prev_rendered_content="b"), both)
        tx.edits.note_move([sent[1].id], edit, both)
        tx.edits.move([m.brief for m in sent[:2]], both, at=Position(10**6), moved_at=NOW)
        for destination in (Destination(None, "y"), Destination(town.plaza, None)):
            tx.edits.note_move(ids(sent[:1]), edit, destination)
            tx.edits.move([sent[0].brief], destination, at=Position(10**6 + 1), moved_at=NOW)
        return sent

    sent = storage.write(write)
    first, second, third = (now_of(storage, message).edits for message in sent)
    there = {"topic": "x", "prev_channel_id": town.plaza, "channel_id": town.office}
    back = {"prev_channel_id": town.office, "prev_arrived_at": 10**6, "channel_id": town.plaza}
    texts = {"prev_content": "a", "prev_rendered_content": "b"}
    assert first == (
        edit_of(town, **back),
        edit_of(town, prev_topic="x", topic="y"),
        edit_of(town, prev_topic="Tea", prev_arrived_at=sent[0].id, **there, **texts),
    )
    assert second == (edit_of(town, prev_topic="tea", prev_arrived_at=sent[1].id, **there),)
    assert third == ()


def test_a_topic_has_its_messages_in_any_case_and_from_one_on(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        return [
            send(tx, town.ada, channel, topic=topic, timestamp=NOW + number)
            for number, (channel, topic) in enumerate(
                [
                    (town.plaza, "Tea"),
                    (town.plaza, "tea"),
                    (town.plaza, "x"),
                    (town.office, "tea"),
                    (town.plaza, "TEA"),
                ]
            )
        ]

    sent = storage.write(write)
    of_topic = storage.read(lambda snapshot: snapshot.edits.of_topic(town.plaza, "tea", most=9))
    assert list(of_topic) == [sent[n].brief for n in (0, 1, 4)]
    later = storage.read(
        lambda snapshot: [
            snapshot.edits.of_topic(town.plaza, "tea", since=sent[1].id, most=most) for most in (9, 1)
        ]
    )
    assert [[one.id for one in found] for found in later] == [[sent[1].id, sent[4].id], [sent[1].id]]

    def newest(count: int, before: MessageId | None) -> list[MessageId]:
        return list(
            storage.read(
                lambda snapshot: snapshot.edits.newest_of_topic(town.plaza, "tea", count, before=before)
            )
        )

    assert newest(2, None) == [sent[1].id, sent[4].id]
    assert newest(9, None) == [sent[0].id, sent[1].id, sent[4].id]
    assert newest(1, sent[4].id) == [sent[1].id]
    assert newest(2, sent[0].id) == []


def test_a_moved_message_is_in_its_new_place_and_nowhere_else(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[Message, Position]:
        subscribe(tx, town.office, town.ben)
        message = send(tx, town.ada, town.plaza)
        return message, move(tx, [message], to=town.office, topic="Tea")

    message, at = storage.write(write)
    assert now_of(storage, message) == message._replace(
        channel_id=town.office,
        topic="Tea",
        topic_key=topic_key("Tea"),
        arrived_at=at,
        moved_from=town.plaza,
        last_moved_timestamp=NOW + 9,
    )

    def read(snapshot: Snapshot) -> None:
        viewer = viewer_of(snapshot, town.ben)
        channels = snapshot.channels.by_ids(list(viewer.subscriptions))
        for channel, topic, expected in (
            (town.plaza, "lunch", []),
            (town.office, "lunch", []),
            (town.office, "tea", [message.id]),
        ):
            narrow = Narrow((InChannel(channel), InTopic(topic)))
            found = snapshot.search.around(narrow, viewer, channels, anchor=0, before=0, after=9)
            assert list(found.after) == expected
        assert [name for name, _ in snapshot.messages.topics(town.office, None)] == ["Tea"]
        assert list(snapshot.messages.topics(town.plaza, None)) == []

    storage.read(read)
    assert found_by(storage, town.ben, "tea") == [message.id]
    assert found_by(storage, town.ben, "lunch") == []


def test_a_topic_alone_may_change_and_nothing_arrives_by_that(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send(tx, town.ada, town.plaza))
    storage.write(lambda tx: move(tx, [message], topic="tea"))
    assert now_of(storage, message).arrived_at is None
    assert unread(storage, town.ben) == [message.id]


def test_subscribers_receive_a_message_when_it_arrives(storage: Storage) -> None:
    """Only subscribers at the time of the move receive the message, however old it is."""
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        subscribe(tx, town.office, town.cem)
        message = send(tx, town.ada, town.plaza)
        unsubscribe(tx, town.office, town.cem)
        subscribe(tx, town.office, town.ben)
        move(tx, [message], to=town.office)
        subscribe(tx, town.office, town.ada, town.cem)
        return message

    message = now_of(storage, storage.write(write))
    of_each = [flags(storage, user_id, message)[0] for user_id in (town.ada, town.ben, town.cem)]
    assert of_each == [None, Flag.NONE, None]
    for user_id, expected in ((town.ben, [message.id]), (town.cem, [])):
        assert found_by(storage, user_id, "coffe") == expected


def test_moved_messages_are_in_the_history_of_users_who_came_after_they_were_sent(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        old = [send(tx, town.ada, town.plaza) for _ in range(3)]
        subscribe(tx, town.office, town.cem)
        return [*old, send(tx, town.ada, town.office)]

    *old, there = storage.write(write)
    storage.write(lambda tx: move(tx, old[:2], to=town.office))

    def read(snapshot: Snapshot) -> list[list[MessageId]]:
        viewer = viewer_of(snapshot, town.cem)
        channels = snapshot.channels.by_ids(list(viewer.subscriptions))
        pages = [(0, 0, 9), (10**9, 9, 0), (there.id, 1, 0), (old[0].id, 0, 1)]
        found = [
            snapshot.search.around(Narrow(), viewer, channels, anchor=anchor, before=before, after=after)
            for anchor, before, after in pages
        ]
        return [[*one.before, *one.after] for one in found]

    first, second = old[0].id, old[1].id
    assert storage.read(read) == [[first, second, there.id], [there.id, second, first], [second], [second]]


def test_unread_messages_in_the_new_channel_stay_so_however_many_come(storage: Storage) -> None:
    """The channel's watermark advances; messages that were unread above it become unread below it."""
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        subscribe(tx, town.office, town.ada, town.ben)
        waiting = [send(tx, town.cem, town.office) for _ in range(2)]
        tx.flags.set(town.ada, waiting[:1], Flag.READ)
        tx.flags.clear(town.ada, waiting[:1], Flag.READ)
        coming = [send(tx, town.cem, town.plaza) for _ in range(9)]
        tx.flags.set(town.ada, coming[:8], Flag.READ)
        tx.flags.set(town.ben, coming, Flag.READ)
        move(tx, coming, to=town.office)
        return [*waiting, *coming, send(tx, town.cem, town.office)]

    sent = ids(storage.write(write))
    assert unread(storage, town.ada) == [*sent[:2], sent[10], sent[11]]
    assert unread(storage, town.ben) == [*sent[:2], sent[11]]


def test_messages_moved_without_a_reader_stay_read_when_moved_on(storage: Storage) -> None:
    """Both watermarks are below it, and it is unread for a reader who has received it from the beginning."""
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        lab = add_channel(tx, "Lab").id
        subscribe(tx, lab, town.ben)
        subscribe(tx, town.office, town.ada, town.ben)
        message = send(tx, town.cem, lab)
        for place in (town.plaza, town.office):
            move(tx, tx.messages.by_ids([message.id]), to=place)
        return message

    message = storage.write(write)
    assert (unread(storage, town.ada), unread(storage, town.ben)) == ([], [message.id])


def test_messages_unread_in_both_channels_stay_unread(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        subscribe(tx, town.office, town.ada, town.ben, town.cem)
        old, new = send(tx, town.cem, town.plaza), send(tx, town.cem, town.plaza)
        tx.flags.set(town.ada, [old], Flag.READ)
        there = send(tx, town.cem, town.office)
        tx.flags.set(town.ben, [there], Flag.READ)
        move(tx, [old, new], to=town.office)
        return [old, new, there]

    old, new, there = storage.write(write)
    assert flags(storage, town.ada, *(now_of(storage, m) for m in (old, new))) == [Flag.READ, Flag.NONE]
    assert unread(storage, town.ben) == [old.id, new.id]
    assert unread(storage, town.cem) == [there.id], "the others were never theirs to read"


def test_flags_are_kept_by_who_can_still_read(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.cem, town.plaza)
        for user_id in (town.ada, town.ben):
            tx.flags.set(user_id, [message], Flag.STARRED)
            tx.flags.on_edit(message, {town.ada: Flag.MENTIONED, town.ben: Flag.MENTIONED})
        move(tx, [message], to=town.office, keeping=[town.ada])
        return message

    message = now_of(storage, storage.write(write))
    assert flags(storage, town.ada, message) == [Flag.STARRED | Flag.HISTORICAL | Flag.READ]
    assert flags(storage, town.ben, message) == [None]
    assert storage.read(lambda snapshot: snapshot.edits.marked_by([message.id])) == {town.ada}
