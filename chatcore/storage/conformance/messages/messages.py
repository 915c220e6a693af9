"""`chatcore.storage.messages.messages`: messages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.messages import Edit, Message, Reaction
from chatcore.storage.conformance.makers import (
    NOW,
    Town,
    a_town,
    ids,
    send,
    send_direct,
    subscribe,
    unsubscribe,
)
from chatcore.storage.messages.edits import Destination
from chatcore.storage.transaction import Snapshot, Storage, Transaction

ODD_TEXT = "100% sure? %s %(x)s :x ?1 $1 'quoted' \"twice\" back\\slash\n\tNaïve 東京 👩‍👩‍👧 \u202e"


def thumbs_up(town: Town) -> Reaction:
    return Reaction(user_id=town.ada, emoji_name="+1", emoji_code="1f44d", reaction_type="unicode_emoji")


def test_a_channel_message_comes_back_as_it_was_added(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(
        lambda tx: send(
            tx,
            town.ada,
            town.plaza,
            topic="Ünusual 100% ?",
            content=ODD_TEXT,
            timestamp=NOW + 5,
            client="desk",
            has_link=True,
            has_image=True,
            has_attachment=True,
            channel_wildcard=True,
            topic_links=({"text": "#1", "url": "https://example.com/1"},),
        )
    )
    assert storage.read(lambda snapshot: snapshot.messages.find(message.id)) == message


def facts(town: Town) -> Mapping[str, Any]:
    """Return another value than the default for each field of a new message in a channel."""
    return {
        "topic": "Tea",
        "client": "desk",
        "has_link": True,
        "has_image": True,
        "has_attachment": True,
        "channel_wildcard": True,
        "arrives_read": True,
        "topic_links": ({"text": "#1", "url": "https://example.com/1"},),
        "last_edit_timestamp": NOW + 1,
        "last_moved_timestamp": NOW + 2,
        "arrived_at": 10**6,
        "moved_from": town.office,
    }


def test_each_field_of_a_message_is_stored_independently(storage: Storage) -> None:
    """Each in turn differs from its default, in messages that are added one by one and at once."""
    town = a_town(storage)
    everything = facts(town)
    given = {"id", "sender_id", "channel_id", "topic_key", "content", "rendered_content", "timestamp"}
    added_later = {"reactions", "submessages", "edits"}
    assert everything.keys() == set(Message._fields) - given - added_later - {"conversation"}

    def write(tx: Transaction) -> list[Message]:
        alone = [
            send(tx, town.ada, town.plaza, **{"topic": "", name: value}) for name, value in everything.items()
        ]
        together = [message._replace(id=MessageId(tx.draw())) for message in alone]
        tx.messages.add_many([(message, ["coffee"]) for message in together])
        return alone + together

    sent = storage.write(write)
    assert storage.read(lambda snapshot: list(snapshot.messages.by_ids(ids(sent)))) == sent


def test_a_direct_message_comes_back_as_it_was_added(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send_direct(tx, town.ada, town.ben, content=ODD_TEXT))
    assert storage.read(lambda snapshot: snapshot.messages.find(message.id)) == message
    note = storage.write(lambda tx: send_direct(tx, town.ada))
    assert storage.read(lambda snapshot: snapshot.messages.find(note.id)) == note


def test_messages_come_in_the_order_of_their_ids(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        messages = [
            send(tx, town.ada, town.plaza),
            send_direct(tx, town.ada),
            send(tx, town.ada, town.office),
        ]
        tx.reactions.add(messages[1].id, thumbs_up(town))
        return messages

    first, second, third = storage.write(write)
    wanted = [third.id, first.id, MessageId(10**9), second.id]
    in_order = storage.read(lambda snapshot: snapshot.messages.by_ids(wanted))
    assert ids(in_order) == [first.id, second.id, third.id]
    assert [len(message.reactions) for message in in_order] == [0, 1, 0]
    assert storage.read(lambda snapshot: snapshot.messages.newest_id()) == third.id


def test_a_message_that_is_not_there_is_not_found(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.messages.find(1)) is None
    assert storage.read(lambda snapshot: snapshot.messages.find(2**63 - 1)) is None
    assert list(storage.read(lambda snapshot: snapshot.messages.by_ids([]))) == []
    assert storage.read(lambda snapshot: snapshot.messages.newest_id()) is None


def test_thousands_of_messages_are_fetched_at_once(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[MessageId]:
        model = send(tx, town.ada, town.plaza)
        first = tx.draw(5000)
        rows = [
            Message(
                id=MessageId(first + number),
                sender_id=town.ada,
                channel_id=town.plaza,
                topic=model.topic,
                topic_key=model.topic_key,
                content=f"number {number}",
                rendered_content="",
                timestamp=NOW,
            )
            for number in range(5000)
        ]
        tx.messages.add_many([(message, ["number"]) for message in rows])
        return ids(rows)

    written = storage.write(write)
    messages = storage.read(lambda snapshot: snapshot.messages.by_ids(written))
    assert ids(messages) == written
    assert messages[-1].content == "number 4999"


def test_outlines_say_where_messages_are(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        sent = [send(tx, town.ada, town.plaza), send_direct(tx, town.ada, town.ben)]
        tx.reactions.add(sent[0].id, thumbs_up(town))
        return sent

    sent = storage.write(write)
    outlines = storage.read(lambda snapshot: snapshot.messages.outlines([*ids(sent), MessageId(10**9)]))
    assert list(outlines) == [message._replace(content="", rendered_content="") for message in sent]
    assert list(storage.read(lambda snapshot: snapshot.messages.outlines([]))) == []


def test_sizes_count_all_that_is_shown_of_a_message(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[MessageId]:
        plain = send(tx, town.ada, town.plaza, content="aé€")
        liked, edited, polled = (send(tx, town.ada, town.plaza) for _ in range(3))
        direct = send_direct(tx, town.ada, town.ben)
        tx.reactions.add(liked.id, thumbs_up(town))
        old = Edit(user_id=town.ada, timestamp=NOW, prev_content="é" * 50, prev_rendered_content="x" * 1000)
        tx.edits.note(edited.id, old)
        tx.submessages.add(polled.id, town.ben, "widget", "é" * 1000)
        assert len(plain.rendered_content) == len(plain.content) + len("<p></p>")
        return ids([plain, liked, edited, polled, direct])

    written = storage.write(write)
    revisions = storage.read(lambda snapshot: snapshot.messages.revisions([*written, MessageId(10**9)]))
    plain, liked, edited, polled, direct = (revisions[message_id].size for message_id in written)
    assert set(revisions) == set(written)
    assert plain == 2 * len("aé€".encode()) + len("<p></p>")
    assert 100 < liked < 1000 < 1100 < edited < 1500 < 2000 < polled < 2500
    assert direct > liked


def test_messages_of_revisions_are_those_of_now(storage: Storage) -> None:
    town = a_town(storage)
    reaction, edit = thumbs_up(town), Edit(user_id=town.ada, timestamp=NOW, prev_content="tea")
    message = storage.write(lambda tx: send(tx, town.ada, town.plaza))
    to = Destination(town.office, "elsewhere")
    changes: list[Callable[[Transaction], object]] = [
        lambda tx: tx.edits.change_content(message._replace(content="tea"), []),
        lambda tx: tx.edits.note(message.id, edit),
        lambda tx: tx.edits.note(message.id, edit),
        lambda tx: tx.edits.fold_oldest([message.id]),
        lambda tx: tx.reactions.add(message.id, reaction),
        lambda tx: tx.reactions.add(message.id, replace(reaction, user_id=town.ben)),
        lambda tx: tx.reactions.remove(message.id, reaction),
        lambda tx: tx.submessages.add(message.id, town.ben, "widget", "{}"),
        lambda tx: tx.submessages.add(message.id, town.ada, "widget", "{}"),
        lambda tx: tx.edits.move([message.brief], to, at=tx.draw(), moved_at=NOW),
    ]

    def read(snapshot: Snapshot) -> tuple[int, Message]:
        revisions = snapshot.messages.revisions([message.id])
        (present,) = snapshot.messages.of_revisions(revisions)
        assert [present] == list(snapshot.messages.by_ids([message.id]))
        return revisions[message.id].number, present

    states = [storage.read(read)]
    for change in changes:
        storage.write(change)
        states.append(storage.read(read))
        assert storage.read(read) == states[-1]
    assert len({number for number, _ in states}) == len(states)
    storage.write(lambda tx: tx.edits.remove([message.id]))
    assert storage.read(lambda snapshot: snapshot.messages.revisions([message.id])) == {}


def test_reactions_keep_their_order(storage: Storage) -> None:
    town = a_town(storage)
    message = storage.write(lambda tx: send(tx, town.ada, town.plaza))
    reactions = tuple(
        Reaction(user_id=user_id, emoji_name=name, emoji_code=code, reaction_type="unicode_emoji")
        for user_id, name, code in (
            (town.ben, "tada", "1f389"),
            (town.ada, "tada", "1f389"),
            (town.ben, "+1", "1f44d"),
        )
    )

    def write(tx: Transaction) -> None:
        for reaction in reactions:
            tx.reactions.add(message.id, reaction)

    storage.write(write)
    reacted = storage.read(lambda snapshot: snapshot.messages.find(message.id))
    assert reacted is not None
    assert reacted.reactions == reactions


def test_a_reaction_is_taken_back(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        message = send(tx, town.ada, town.plaza)
        for user_id in (town.ada, town.ben):
            tx.reactions.add(message.id, replace(thumbs_up(town), user_id=user_id))
        tx.reactions.remove(message.id, thumbs_up(town))
        return message

    message = storage.write(write)

    def reactors(snapshot: Snapshot) -> list[UserId]:
        reacted = snapshot.messages.find(message.id)
        assert reacted is not None
        return [reaction.user_id for reaction in reacted.reactions]

    assert storage.read(reactors) == [town.ben]
    storage.write(lambda tx: tx.reactions.remove(message.id, thumbs_up(town)))
    assert storage.read(reactors) == [town.ben]


def newest_in_topic(
    storage: Storage, town: Town, topic_key: str, received_by: UserId | None
) -> MessageId | None:
    return storage.read(
        lambda snapshot: snapshot.messages.newest_in_topic(town.plaza, topic_key, received_by)
    )


def test_the_newest_message_of_a_topic_is_found_in_any_spelling(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[Message, Message]:
        """Unsubscribe ben between the two messages, and subscribe cem after them."""
        first = send(tx, town.ada, town.plaza, "Lunch")
        unsubscribe(tx, town.plaza, town.ben)
        second = send(tx, town.ada, town.plaza, "lunch")
        subscribe(tx, town.plaza, town.ben, town.cem)
        send(tx, town.ada, town.plaza, "other")
        send(tx, town.ada, town.office, "lunch")
        return first, second

    first, second = storage.write(write)
    nobody = UserId(10**9)
    for reader, expected in (
        (None, second.id),
        (town.ada, second.id),
        (town.ben, first.id),
        (town.cem, None),
        (nobody, None),
    ):
        assert newest_in_topic(storage, town, "lunch", reader) == expected
    assert newest_in_topic(storage, town, "breakfast", None) is None


def test_the_newest_messages_of_some_topics_are_found(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[MessageId]:
        first = send(tx, town.ada, town.plaza, "lunch").id
        unsubscribe(tx, town.plaza, town.ben)
        return [first, *(send(tx, town.ada, town.plaza, topic).id for topic in ("tea", "lunch", "soup"))]

    first, tea, lunch, _ = storage.write(write)

    def newest(keys: Sequence[str], received_by: UserId | None = None) -> Mapping[str, MessageId]:
        return storage.read(
            lambda snapshot: snapshot.messages.newest_in_topics(town.plaza, keys, received_by)
        )

    assert newest(["lunch", "tea", "dinner"]) == {"lunch": lunch, "tea": tea}
    assert newest(["lunch", "tea"], town.ben) == {"lunch": first}
    assert newest(["lunch"], town.cem) == newest([]) == {}


def test_participants_have_sent_or_reacted(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        send(tx, town.ben, town.plaza, "lunch")
        message = send(tx, town.ben, town.plaza, "LUNCH")
        tx.reactions.add(message.id, thumbs_up(town))
        send(tx, town.cem, town.plaza, "dinner")

    storage.write(write)
    participants = storage.read(lambda snapshot: snapshot.messages.participants(town.plaza, "lunch"))
    assert participants == {town.ada, town.ben}


def test_topics_come_newest_first_in_their_newest_spelling(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Message]:
        """Send messages of which ben does not receive the third to the fifth."""
        sent = [send(tx, town.ada, town.plaza, topic) for topic in ("lunch", "")]
        unsubscribe(tx, town.plaza, town.ben)
        sent += [send(tx, town.ada, town.plaza, topic) for topic in ("ÄPFEL", "LUNCH", "Zebra")]
        subscribe(tx, town.plaza, town.ben)
        return [*sent, send(tx, town.ada, town.plaza, "äpfel"), send(tx, town.ada, town.office, "secret")]

    messages = storage.write(write)
    expected = [
        ("äpfel", messages[5].id),
        ("Zebra", messages[4].id),
        ("LUNCH", messages[3].id),
        ("", messages[1].id),
    ]
    assert list(storage.read(lambda snapshot: snapshot.messages.topics(town.plaza, None))) == expected
    expected = [("äpfel", messages[5].id), ("", messages[1].id), ("lunch", messages[0].id)]
    assert list(storage.read(lambda snapshot: snapshot.messages.topics(town.plaza, town.ben))) == expected
    assert list(storage.read(lambda snapshot: snapshot.messages.topics(town.plaza, town.cem))) == []


def test_a_channel_without_messages_has_no_topics(storage: Storage) -> None:
    town = a_town(storage)
    assert list(storage.read(lambda snapshot: snapshot.messages.topics(town.office, None))) == []


def test_the_newest_of_a_sender_come_newest_first(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[MessageId]:
        sent = [send(tx, town.ada, town.plaza).id for _ in range(3)]
        send(tx, town.ben, town.plaza)
        send_direct(tx, town.ada, town.ben)
        return sent

    first, second, third = storage.write(write)
    assert storage.read(lambda s: list(s.messages.newest_from(town.plaza, town.ada, 2))) == [third, second]
    assert storage.read(lambda s: s.messages.newest_from(town.plaza, town.ada, 9)[-1]) == first
    assert storage.read(lambda s: list(s.messages.newest_from(town.plaza, town.cem, 9))) == []
