"""`chatcore.storage.messages.edits`."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Edit, Message, Reaction
from chatcore.domain.narrow import InChannel, InTopic, Narrow, Search
from chatcore.domain.narrow.words import content_words
from chatcore.domain.topics import topic_key
from chatcore.storage.conformance.makers import (
    NOW,
    Town,
    a_town,
    add_channel,
    flags,
    ids,
    send,
    send_direct,
    subscribe,
    unread,
    unsubscribe,
)
from chatcore.storage.conformance.messages.search import viewer_of
from chatcore.storage.conformance.uploads import add_file
from chatcore.storage.messages.edits import Destination
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
    """Move messages of one channel, flags first, as the use case does; return the position of the move."""
    source = messages[0].channel_id
    assert source is not None
    if to is not None:
        tx.edits.move_flags(ids(messages), source, to, keeping=keeping)
    at = tx.draw()
    tx.edits.move([message.brief for message in messages], Destination(to, topic), at=at, moved_at=NOW + 9)
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
    changed = message._replace(
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


def test_each_fact_about_a_changed_text_is_stored_independently(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send(tx, town.ada, town.plaza))
    for name in ("has_link", "has_image", "has_attachment", "channel_wildcard"):
        changed = message._replace(**{name: True})  # type: ignore[arg-type]
        storage.write(lambda tx, changed=changed: tx.edits.change_content(changed, []))  # type: ignore[misc]
        assert now_of(storage, message) == changed


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


def test_the_first_of_two_edits_has_the_original(storage: Storage) -> None:
    """The second gives the time and the new topic and channel; the author of a text change is kept."""
    town = a_town(storage)

    def text(by: UserId, at: int, before: str, **changes: object) -> Edit:
        return Edit(
            user_id=by,
            timestamp=at,
            prev_content=before,
            prev_rendered_content=f"<p>{before}</p>",
            **changes,  # type: ignore[arg-type]
        )

    def topic(by: UserId, at: int, before: str, after: str) -> Edit:
        return Edit(user_id=by, timestamp=at, prev_topic=before, topic=after)

    def channel(by: UserId, at: int, before: ChannelId, after: ChannelId, arrived: int) -> Edit:
        arrived_at = Position(arrived)
        return Edit(
            user_id=by, timestamp=at, prev_channel_id=before, prev_arrived_at=arrived_at, channel_id=after
        )

    ada, ben = town.ada, town.ben
    moved = channel(ada, 1, town.plaza, town.office, 7)
    cases = [
        (text(ada, 1, "a"), text(ben, 2, "b"), text(ada, 2, "a")),
        (text(ada, 1, "a"), topic(ben, 2, "", "c"), text(ada, 2, "a", prev_topic="", topic="c")),
        (topic(ben, 1, "", "c"), text(ada, 2, "a"), text(ada, 2, "a", prev_topic="", topic="c")),
        (topic(ada, 1, "b", "c"), topic(ben, 2, "c", "d"), topic(ben, 2, "b", "d")),
        (moved, channel(ben, 2, town.office, town.plaza, 9), channel(ben, 2, town.plaza, town.plaza, 7)),
        (moved, topic(ben, 2, "b", "c"), replace(moved, timestamp=2, user_id=ben, prev_topic="b", topic="c")),
    ]
    newest = text(ben, 3, "z")

    def write(tx: Transaction) -> list[Message]:
        sent = [send(tx, town.ada, town.plaza) for _ in [*cases, cases[0]]]
        for message, case in zip(sent, [*cases, cases[0]], strict=True):
            for edit in (*case[:2], newest):
                tx.edits.note(message.id, edit)
        tx.edits.fold_oldest(ids(sent[:-1]))
        return sent

    *folded, untouched = storage.write(write)
    assert [now_of(storage, message).edits for message in folded] == [(newest, case[2]) for case in cases]
    assert now_of(storage, untouched).edits == (newest, *cases[0][1::-1])


def test_it_is_known_whose_history_is_too_long(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[MessageId]:
        sent = ids([send(tx, town.ada, town.plaza) for _ in range(3)])
        for message_id, texts in zip(sent, ("ab", "abc", "x"), strict=True):
            for each in texts:
                tx.edits.note(message_id, edit_of(town, prev_content=each, prev_rendered_content=each * 2))
        return sent

    two, three, one = sent = storage.write(write)

    def more(than: int) -> list[MessageId]:
        return sorted(storage.read(lambda snapshot: snapshot.edits.with_more_edits(sent, than)))

    assert [more(than) for than in (1, 2, 3)] == [[two, three], [three], []]
    longer = [(two, 5), (two, 6), (three, 8), (three, 9), (one, 2)]
    assert [storage.read(lambda s, case=case: s.edits.has_longer_texts(*case)) for case in longer] == [  # type: ignore[misc]
        True,
        False,
        True,
        False,
        False,
    ], "of a single edit there is nothing to fold"


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


def test_the_readers_of_a_message_are_those_who_have_flags_of_it(storage: Storage) -> None:
    """Includes former subscribers who received it and holders of it as historical, not later subscribers."""
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        first = send(tx, town.ada, town.plaza)
        unsubscribe(tx, town.plaza, town.ben)
        subscribe(tx, town.plaza, town.cem)
        second = send(tx, town.ada, town.plaza)
        tx.flags.set(town.ben, [second], Flag.STARRED, historical=[second.id])
        third = send(tx, town.ada, town.plaza)
        return [first, second, third, send_direct(tx, town.cem, town.ben)]

    sent = storage.write(write)
    readers = storage.read(lambda snapshot: [snapshot.flags.readers(message) for message in sent])
    everybody = {town.ada, town.ben, town.cem}
    assert readers == [{town.ada, town.ben}, everybody, {town.ada, town.cem}, {town.ben, town.cem}]
    for message, theirs in zip(sent, readers, strict=True):
        found = storage.read(lambda snapshot, m=message: snapshot.flags.of_readers(m, everybody))  # type: ignore[misc]
        assert found.keys() == theirs


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


def test_a_message_in_the_place_of_a_removed_one_has_nothing_of_it(storage: Storage) -> None:
    """Only new rows of a kind make those of the removed message visible, if any were left."""
    town = a_town(storage)
    message = storage.write(lambda tx: send(tx, town.ada, town.plaza))

    def equip(tx: Transaction, user_id: UserId, text: str) -> None:
        emoji = Reaction(user_id=user_id, emoji_name=text, emoji_code=text, reaction_type="unicode_emoji")
        tx.reactions.add(message.id, emoji)
        tx.submessages.add(message.id, user_id, "widget", text)
        tx.edits.note(message.id, edit_of(town, prev_content=text, prev_rendered_content=text))
        tx.attachments.link([add_file(tx, user_id, name=text).id], message.id)
        tx.flags.set(user_id, [message], Flag.STARRED)

    def write(tx: Transaction) -> None:
        equip(tx, town.ada, "old")
        tx.edits.remove([message.id])
        tx.messages.add(message, ["tea"])
        equip(tx, town.ben, "new")

    storage.write(write)
    found = now_of(storage, message)
    assert [one.emoji_name for one in found.reactions] == ["new"]
    assert [one.content for one in found.submessages] == ["new"]
    assert [one.prev_content for one in found.edits] == ["new"]
    assert [one.name for one in storage.read(lambda s: s.attachments.of_messages([message.id]))] == ["new"]
    assert flags(storage, town.ada, message) == [Flag.NONE]
    assert found_by(storage, town.ben, "coffe") == []
    assert found_by(storage, town.ben, "tea") == [message.id]
