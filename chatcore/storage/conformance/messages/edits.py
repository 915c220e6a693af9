"""`chatcore.storage.messages.edits`."""

from dataclasses import replace

from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Edit, Message, Reaction
from chatcore.domain.narrow import Narrow, Search
from chatcore.domain.narrow.words import content_words
from chatcore.storage.conformance.makers import (
    NOW,
    Town,
    a_town,
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
from chatcore.storage.transaction import Snapshot, Storage, Transaction


def edit_of(town: Town, **changes: object) -> Edit:
    return Edit(user_id=town.ada, timestamp=NOW + 5, **changes)  # type: ignore[arg-type]


def now_of(storage: Storage, message: Message) -> Message:
    (message_now,) = storage.read(lambda snapshot: snapshot.messages.by_ids([message.id]))
    return message_now


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
    flags_of = storage.read(lambda snapshot: snapshot.flags.of_readers(message, everybody))
    assert flags_of == {user_id: flags(storage, user_id, message)[0] for user_id in everybody}
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
        flags_of = storage.read(lambda snapshot, m=message: snapshot.flags.of_readers(m, everybody))  # type: ignore[misc]
        assert flags_of.keys() == theirs


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
    present = now_of(storage, message)
    assert [part.emoji_name for part in present.reactions] == ["new"]
    assert [part.content for part in present.submessages] == ["new"]
    assert [part.prev_content for part in present.edits] == ["new"]
    assert [part.name for part in storage.read(lambda s: s.attachments.of_messages([message.id]))] == ["new"]
    assert flags(storage, town.ada, message) == [Flag.NONE]
    assert found_by(storage, town.ben, "coffe") == []
    assert found_by(storage, town.ben, "tea") == [message.id]
