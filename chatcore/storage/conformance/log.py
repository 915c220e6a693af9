"""`chatcore.storage.events`: the log."""

from chatcore.domain.ids import (
    ChannelId,
    ConversationId,
    GroupId,
    MessageId,
    Position,
    RecipientId,
    SubmessageId,
    UserId,
)
from chatcore.domain.messages.messages import Message, Reaction, Submessage
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.events.audience import Audience, ChannelViewers, Everyone, SubscribersOf, Users
from chatcore.events.happened import AnyEvent, FlagsChanged, MessagesDeleted, MessageSent, PeersChanged
from chatcore.storage.conformance.makers import a_town, an_event, announce, send, text_of
from chatcore.storage.conformance.transactions import events_after
from chatcore.storage.transaction import Storage, Transaction

PLAZA = ChannelId(RecipientId(3))


def head(storage: Storage) -> Position:
    return storage.read(lambda snapshot: snapshot.log.head())


def test_the_log_begins_empty(storage: Storage) -> None:
    assert head(storage) == 0
    assert list(events_after(storage, 0)) == []


def test_events_come_back_in_order_after_a_position(storage: Storage) -> None:
    positions = [announce(storage, text) for text in ("one", "two", "three")]
    assert positions == sorted(set(positions))
    assert [text_of(logged.event) for logged in events_after(storage, 0)] == ["one", "two", "three"]
    assert [logged.position for logged in events_after(storage, positions[0])] == positions[1:]
    assert [logged.position for logged in events_after(storage, 0, limit=2)] == positions[:2]
    assert head(storage) == positions[-1]


def test_a_copied_log_begins_anew_once(storage: Storage) -> None:
    """Neither a log without an original nor the original itself begins anew."""
    begun: list[Position] = []

    def begin_anew(tx: Transaction) -> None:
        begun.append(tx.draw(100))
        tx.log.adopt()

    storage.on_another_log(begin_anew)
    storage.check_log()
    storage.write(lambda tx: tx.log.adopt())
    storage.check_log()
    assert begun == []
    storage.write(lambda tx: tx.log.disown())
    storage.check_log()
    assert (begun, head(storage)) == ([1], 100)
    storage.check_log()
    assert (announce(storage, "after"), begun) == (101, [1])


def test_events_come_until_they_are_so_large_together(storage: Storage) -> None:
    for size in (10, 1000, 10, 10, 3000, 10):
        announce(storage, "x" * size)

    def sizes(after: int, max_size: int, limit: int = 100) -> list[int]:
        events = storage.read(lambda s: s.log.after(Position(after), limit, max_size=max_size))
        assert all(logged.size > len(text_of(logged.event)) for logged in events)
        return [len(text_of(logged.event)) for logged in events]

    assert sizes(0, 10_000) == [10, 1000, 10, 10, 3000, 10]
    assert sizes(0, 10_000, limit=3) == [10, 1000, 10]
    assert sizes(0, 1) == [10]
    assert sizes(0, 500) == [10, 1000]
    assert sizes(1, 500) == [1000], "an event that is larger by itself comes alone"
    assert sizes(2, 500) == [10, 10, 3000]
    assert sizes(6, 500) == []


def test_events_of_some_types_are_read(storage: Storage) -> None:
    read = FlagsChanged(flag="read", op="add", messages=(MessageId(7),))
    for text in ("one", "two"):
        storage.write(lambda tx: tx.announce(read, Everyone()))
        announce(storage, text)

    def positions(*types: str, **limits: int) -> list[int]:
        limits = {"limit": 100, **limits}
        return storage.read(
            lambda s: [logged.position for logged in s.log.after(Position(0), types=types, **limits)]
        )

    assert positions("user_settings") == [2, 4]
    assert positions("user_settings", limit=1) == [2]
    assert positions("user_settings", max_size=1) == [2]
    assert positions("user_settings", "update_message_flags") == [1, 2, 3, 4]
    assert positions("typing", max_size=1) == positions() == []


def test_an_event_of_several_places_stands_at_the_last_of_them(storage: Storage) -> None:
    announce(storage, "one")
    gone = MessagesDeleted(message_ids=(MessageId(5), MessageId(6), MessageId(7)))
    assert storage.write(lambda tx: tx.announce(gone, Everyone())) == 4
    assert announce(storage, "two") == 5
    assert [logged.position for logged in events_after(storage, 2)] == [4, 5]


def test_an_event_comes_back_as_it_was_announced(storage: Storage) -> None:
    reaction = Reaction(user_id=UserId(2), emoji_name="x", emoji_code="1", reaction_type="unicode_emoji")
    message = Message(
        id=MessageId(7),
        sender_id=UserId(1),
        conversation=DirectRecipient(_conversation(9), frozenset({UserId(1), UserId(2)})),
        content="Ünusual \U0001f600 ?",
        rendered_content="<p>…</p>",
        timestamp=5,
        topic_links=({"text": "#1", "url": "https://example.com"},),
        reactions=(reaction,),
        submessages=(Submessage(id=SubmessageId(3), sender_id=UserId(2), msg_type="x", content="{}"),),
    )
    announced: list[tuple[AnyEvent, Audience]] = [
        (MessageSent(message=message, people=(), flags={UserId(2): 8}), Users((UserId(1), UserId(2)))),
        (
            FlagsChanged(
                flag="read",
                op="remove",
                messages=(MessageId(7),),
                details={MessageId(7): {"topic": ""}},
            ),
            SubscribersOf(PLAZA, private=True, also=(UserId(4),)),
        ),
        (
            PeersChanged(op="peer_add", channel_ids=(PLAZA,), user_ids=(UserId(1),)),
            ChannelViewers(PLAZA, private=False, members=(UserId(1),), groups=(GroupId(2),)),
        ),
        (an_event("last"), Everyone()),
    ]

    def write(tx: Transaction) -> None:
        for event, audience in announced:
            tx.announce(event, audience)

    storage.write(write)
    assert [(logged.event, logged.audience) for logged in events_after(storage, 0)] == announced


def _conversation(number: int) -> ConversationId:
    return ConversationId(RecipientId(number))


def test_a_message_and_its_event_have_one_place(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[int, int, int]:
        message = send(tx, town.ada, town.plaza)
        at = tx.announce(an_event("sent"), Everyone(), at=Position(message.id))
        return message.id, at, tx.announce(an_event("later"), Everyone())

    message_id, at, later = storage.write(write)
    assert message_id == at < later
    assert [logged.position for logged in events_after(storage, at - 1)] == [at, later]


def test_places_can_be_drawn_without_an_event(storage: Storage) -> None:
    first = storage.write(lambda tx: tx.draw(10))
    second = storage.write(lambda tx: tx.draw())
    third = announce(storage, "event")
    assert (second, third) == (first + 10, first + 11)
    assert head(storage) == third
    assert [logged.position for logged in events_after(storage, 0)] == [third]


def test_a_unit_of_work_knows_the_place_it_has_drawn(storage: Storage) -> None:
    def write(tx: Transaction) -> tuple[int, int, int, int]:
        before = tx.log.head()
        drawn = tx.draw()
        between = tx.log.head()
        tx.announce(an_event("event"), Everyone())
        return before, drawn, between, tx.log.head()

    before, drawn, between, after = storage.write(write)
    assert (drawn, between, after) == (before + 1, before + 1, before + 2)


def test_old_events_are_forgotten_and_places_are_not_used_again(storage: Storage) -> None:
    first, second, third = (announce(storage, text) for text in ("one", "two", "three"))
    assert storage.write(lambda tx: tx.log.forget(second)) == 2
    assert [logged.position for logged in events_after(storage, 0)] == [third]
    assert storage.write(lambda tx: tx.log.forget(third)) == 1
    assert storage.write(lambda tx: tx.log.forget(third)) == 0
    assert head(storage) == third
    assert announce(storage, "four") > third
    assert first < second
