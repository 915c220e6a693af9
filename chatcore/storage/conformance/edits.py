"""`chatcore.storage.edits`"""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages import Edit, Message
from chatcore.domain.narrow import InChannel, InTopic, Narrow, Search
from chatcore.domain.topics import topic_key
from chatcore.domain.words import content_words
from chatcore.storage.conformance.makers import (
    NOW,
    Town,
    a_town,
    flags,
    ids,
    send,
    subscribe,
    unread,
    unsubscribe,
)
from chatcore.storage.conformance.search import viewer_of
from chatcore.storage.conformance.uploads import add_file
from chatcore.storage.edits import Place
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def edit_of(town: Town, **changes: object) -> Edit:
    return Edit(user_id=town.ada, timestamp=NOW + 5, **changes)  # type: ignore[arg-type]


def move(
    tx: Transaction,
    messages: Sequence[Message],
    *,
    to: ChannelId | None = None,
    topic: str | None = None,
    keeping: Sequence[UserId] = (),
) -> Position:
    """Move messages of one channel, flags first, as the use case does; where in the log it happened."""
    source = messages[0].channel_id
    assert source is not None
    if to is not None:
        tx.edits.move_flags(ids(messages), source, to, keeping=keeping)
    at = tx.draw()
    tx.edits.move([message.brief for message in messages], Place(to, topic), at=at, moved_at=NOW + 9)
    return at


def now_of(storage: Storage, message: Message) -> Message:
    (found,) = storage.read(lambda snapshot: snapshot.messages.by_ids([message.id]))
    return found


def found_by(storage: Storage, user_id: UserId, *words: str) -> list[MessageId]:
    def read(snapshot: Snapshot) -> list[MessageId]:
        viewer = viewer_of(snapshot, user_id)
        channels = snapshot.channels.by_ids(list(viewer.subscriptions))
        narrow = Narrow((Search(words),))
        return list(snapshot.search.around(narrow, viewer, channels, anchor=0, before=0, after=9).after)

    return storage.read(read)


def test_a_changed_text_comes_back_with_its_facts(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send(tx, town.ada, town.plaza))
    changed = replace(
        message,
        content="tea",
        rendered_content="<p>tea</p>",
        has_link=True,
        has_image=True,
        has_attachment=True,
        channel_wildcard=True,
        last_edit_timestamp=NOW + 5,
    )
    words = content_words(changed.rendered_content)
    storage.write(lambda tx: tx.edits.change_content(changed, words))
    assert now_of(storage, message) == changed
    assert found_by(storage, town.ben, "tea") == [message.id]
    assert found_by(storage, town.ben, "coffe") == []


def test_edits_come_back_the_newest_first(storage: Storage) -> None:
    town = a_town(storage)
    first, second = storage.write(lambda tx: [send(tx, town.ada, town.plaza) for _ in range(2)])
    edits = [
        edit_of(town, prev_content="a", prev_rendered_content="<p>a</p>"),
        edit_of(town, prev_topic="", topic="b"),
        edit_of(town, prev_channel_id=town.plaza, channel_id=town.office),
    ]
    for edit in edits:
        storage.write(lambda tx, edit=edit: tx.edits.note(first.id, edit))  # type: ignore[misc]
    assert now_of(storage, first).edits == tuple(reversed(edits))
    assert now_of(storage, second).edits == ()


def test_of_too_many_edits_the_oldest_become_one_in_its_place(storage: Storage) -> None:
    town = a_town(storage)
    messages = storage.write(lambda tx: [send(tx, town.ada, town.plaza) for _ in range(3)])
    first, second, third = ids(messages)
    edits = [edit_of(town, prev_content=text, prev_rendered_content=text * 2) for text in "abcd"]

    def write(tx: Transaction) -> None:
        for edit in edits:
            tx.edits.note(first, edit)
            tx.edits.note(second, edit)
        tx.edits.note(third, edit_of(town, prev_content="e" * 9))

    def overlong(edits: int, length: int) -> list[MessageId]:
        found = storage.read(lambda s: s.edits.overlong(ids(messages), edits=edits, length=length))
        return sorted(found)

    storage.write(write)
    assert overlong(4, 12) == []
    assert overlong(3, 12) == overlong(4, 11) == [first, second]
    assert overlong(4, 8) == [first, second, third]
    into = edit_of(town, prev_content="x", prev_topic="b", topic="c")
    storage.write(lambda tx: tx.edits.fold(first, 3, into))
    assert now_of(storage, messages[0]).edits == (edits[3], into)
    assert now_of(storage, messages[1]).edits == tuple(reversed(edits))


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
    of_topic = storage.read(lambda snapshot: snapshot.edits.of_topic(town.plaza, "tea"))
    assert list(of_topic) == [sent[n].brief for n in (0, 1, 4)]
    later = storage.read(lambda snapshot: snapshot.edits.of_topic(town.plaza, "tea", since=sent[1].id))
    assert [one.id for one in later] == [sent[1].id, sent[4].id]

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
    assert now_of(storage, message) == replace(
        message,
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


def test_who_is_there_when_a_message_arrives_has_received_it(storage: Storage) -> None:
    """However old it is; who left before, or comes after, has not."""
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


def test_what_was_moved_is_in_the_history_of_who_came_after_it_was_sent(storage: Storage) -> None:
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


def test_what_is_unread_in_the_new_channel_stays_so_however_much_comes(storage: Storage) -> None:
    """Its watermark goes up, and what was unread above it is then unread below it."""
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


def test_what_is_unread_in_both_channels_stays_unread(storage: Storage) -> None:
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
    assert storage.read(lambda snapshot: snapshot.edits.kept_by([message.id])) == {town.ada}


def test_flags_of_the_text_are_those_of_the_new_text(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.cem, town.plaza)
        tx.flags.on_arrival(message, {town.ada: Flag.MENTIONED | Flag.HAS_ALERT_WORD})
        tx.flags.set(town.ada, [message], Flag.STARRED)
        tx.flags.on_edit(message, {town.ben: Flag.TOPIC_WILDCARD})
        return message

    message = storage.write(write)
    assert flags(storage, town.ada, message) == [Flag.STARRED]
    assert flags(storage, town.ben, message) == [Flag.TOPIC_WILDCARD]


def test_flags_of_many_readers_are_those_of_each(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.ada, town.plaza, channel_wildcard=True)
        tx.flags.on_arrival(message, {town.ada: Flag.READ | Flag.MENTIONED})
        tx.flags.set(town.cem, [message], Flag.STARRED, historical=[message.id])
        return message

    message = storage.write(write)
    everybody = [town.ada, town.ben, town.cem]
    found = storage.read(lambda snapshot: snapshot.flags.of_readers(message, everybody))
    assert found == {user_id: flags(storage, user_id, message)[0] for user_id in everybody}
    assert storage.read(lambda snapshot: snapshot.flags.of_readers(message, [])) == {}


def test_a_removed_message_leaves_nothing(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        plan = add_file(tx, town.ada)
        gone, stays = send(tx, town.ada, town.plaza), send(tx, town.ada, town.plaza)
        for message in (gone, stays):
            tx.flags.set(town.ben, [message], Flag.STARRED)
            tx.edits.note(message.id, edit_of(town, prev_topic="a", topic="b"))
            tx.attachments.link([plan.id], message.id)
        tx.edits.remove([gone.id])
        return [gone, stays]

    gone, stays = storage.write(write)
    assert storage.read(lambda snapshot: snapshot.messages.find(gone.id)) is None
    assert storage.read(lambda snapshot: snapshot.attachments.of_messages([gone.id])) == []
    assert len(storage.read(lambda snapshot: snapshot.attachments.of_messages([stays.id]))) == 1
    assert len(now_of(storage, stays).edits) == 1
    assert unread(storage, town.ben) == [stays.id]
    assert found_by(storage, town.ben, "coffe") == [stays.id]
    assert list(storage.read(lambda s: s.flags.with_flag(town.ben, Flag.STARRED, 9))) == [stays.id]
