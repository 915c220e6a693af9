"""`chatcore.storage.messages.messages`: searching messages by a narrow.

Each operator is tested once, with answers that can be checked by reading. A property test covers the
agreement of SQL and the rules for all narrows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import NEVER_RECEIVED, Flag
from chatcore.domain.messages.messages import Message, Reaction
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import (
    Content,
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    IsResolved,
    Narrow,
    Not,
    Search,
    SentBy,
    Term,
    WithId,
)
from chatcore.domain.narrow.words import parse_query
from chatcore.domain.topics import VisibilityPolicy
from chatcore.storage.conformance.makers import (
    NOW,
    Town,
    a_town,
    send,
    send_direct,
    subscribe,
    unsubscribe,
)
from chatcore.storage.messages.messages import FoundIds
from chatcore.storage.transaction import Snapshot, Storage, Transaction

NEWEST = 10**16
UNREAD = Not(HasFlag(Flag.READ))


@dataclass(frozen=True, slots=True)
class Talk:
    """A town with these messages, in this order; ada is subscribed to the plaza from the second one on."""

    town: Town
    early: Message
    lunch: Message
    menu: Message
    dinner: Message
    secret: Message
    hello: Message
    meeting: Message


def a_talk(storage: Storage) -> Talk:
    town = a_town(storage)

    def write(tx: Transaction) -> Talk:
        unsubscribe(tx, town.plaza, town.ada)
        early = send(tx, town.ben, town.plaza, "lunch", "Tea first")
        subscribe(tx, town.plaza, town.ada)
        lunch = send(tx, town.ben, town.plaza, "lunch", "Who runs for coffee?")
        menu = send(tx, town.ada, town.plaza, "Lunch", "https://example.com", has_link=True, has_image=True)
        dinner = send(tx, town.cem, town.plaza, "✔ dinner", "Running late", has_attachment=True)
        secret = send(tx, town.cem, town.office, "lunch", "coffee for the board")
        hello = send_direct(tx, town.ben, town.ada, content="coffee?")
        meeting = send_direct(tx, town.cem, town.ada, town.ben, content="at the café")
        tx.flags.on_arrival(menu, {town.ada: Flag.READ})
        tx.flags.on_arrival(dinner, {town.ada: Flag.MENTIONED | Flag.HAS_ALERT_WORD})
        tx.flags.set(town.ada, [lunch], Flag.STARRED)
        tx.reactions.add(lunch.id, tada(town))
        tx.topic_policies.put(town.plaza, "Lunch", {town.ada: VisibilityPolicy.FOLLOWED}, NOW)
        tx.topic_policies.put(town.plaza, "✔ dinner", {town.ada: VisibilityPolicy.MUTED}, NOW)
        return Talk(town, early, lunch, menu, dinner, secret, hello, meeting)

    return storage.write(write)


def tada(town: Town) -> Reaction:
    return Reaction(user_id=town.ada, emoji_name="tada", emoji_code="1f389", reaction_type="unicode_emoji")


def viewer_of(snapshot: Snapshot, user_id: UserId) -> Viewer:
    policies = snapshot.topic_policies.of_user(user_id)
    return Viewer(
        actor=snapshot.users.actors([user_id], NOW)[user_id],
        subscriptions=snapshot.subscriptions.of_user(user_id),
        topic_policies={topic: policy for topic, (_, policy, _) in policies.items()},
        default_flags=NEVER_RECEIVED,
    )


def found(
    storage: Storage,
    user_id: UserId | None,
    *terms: Term,
    anchor: int = NEWEST,
    before: int = 100,
    after: int = 100,
    personal: bool = False,
) -> FoundIds:
    def read(snapshot: Snapshot) -> FoundIds:
        viewer = Viewer() if user_id is None else viewer_of(snapshot, user_id)
        channels = {channel.id: channel for channel in snapshot.channels.all()}
        narrow = Narrow(terms, personal=personal)
        return snapshot.search.around(narrow, viewer, channels, anchor=anchor, before=before, after=after)

    return storage.read(read)


def newest(storage: Storage, user_id: UserId | None, *terms: Term, personal: bool = False) -> list[MessageId]:
    """Return the messages that a reader finds, ascending; check that both ends give the same result."""
    backwards = found(storage, user_id, *terms, personal=personal)
    forwards = found(storage, user_id, *terms, personal=personal, anchor=0)
    assert list(reversed(backwards.before)) == list(forwards.after)
    assert list(backwards.after) == list(forwards.before) == []
    assert not backwards.at_anchor
    assert not forwards.at_anchor
    return list(forwards.after)


def ids_of(*messages: Message) -> list[MessageId]:
    return [message.id for message in messages]


def query(text: str) -> Search:
    return Search(*parse_query(text))


def test_topics_are_found_in_any_case(storage: Storage) -> None:
    talk = a_talk(storage)
    assert newest(storage, talk.town.ada, InTopic("lunch")) == ids_of(talk.lunch, talk.menu)
    plaza = InChannel(talk.town.plaza)
    assert newest(storage, talk.town.ada, plaza, InTopic("lunch")) == ids_of(
        talk.early, talk.lunch, talk.menu
    )
    # A direct message is in no topic, and so not in this one.
    assert newest(storage, talk.town.ada, Not(InTopic("lunch"))) == ids_of(
        talk.dinner, talk.hello, talk.meeting
    )


def test_direct_messages_are_found(storage: Storage) -> None:
    talk = a_talk(storage)
    ada, ben, cem = talk.town.ada, talk.town.ben, talk.town.cem
    for terms, expected in (
        ([IsDirect()], [talk.hello, talk.meeting]),
        ([InConversation(frozenset({ada, ben}))], [talk.hello]),
        ([InConversation(frozenset({ada, ben, cem}))], [talk.meeting]),
        ([InConversation(frozenset({ada}))], []),
        ([InConversation(frozenset())], []),
        ([InConversation(frozenset({ben, cem}))], []),
        ([DirectWith(ben)], [talk.hello, talk.meeting]),
        ([DirectWith(ben, groups_only=True)], [talk.meeting]),
        ([DirectWith(ada)], [talk.hello, talk.meeting]),
        ([Not(IsDirect())], [talk.lunch, talk.menu, talk.dinner]),
        ([Not(DirectWith(cem)), IsDirect()], [talk.hello]),
    ):
        assert newest(storage, ada, *terms) == ids_of(*expected), terms


def test_messages_are_found_by_flags(storage: Storage) -> None:
    talk = a_talk(storage)
    for term, expected in (
        (HasFlag(Flag.STARRED), [talk.lunch]),
        (HasFlag(Flag.ANY_MENTION), [talk.dinner]),
        (HasFlag(Flag.HAS_ALERT_WORD), [talk.dinner]),
        (HasFlag(Flag.READ), [talk.menu]),
        (UNREAD, [talk.lunch, talk.dinner, talk.hello, talk.meeting]),
        (Not(HasFlag(Flag.STARRED)), [talk.menu, talk.dinner, talk.hello, talk.meeting]),
    ):
        assert newest(storage, talk.town.ada, term, personal=True) == ids_of(*expected), term


def test_messages_are_unread_below_and_above_what_is_read(storage: Storage) -> None:
    talk = a_talk(storage)
    ada = talk.town.ada
    storage.write(lambda tx: tx.flags.set(ada, [talk.lunch, talk.dinner], Flag.READ))
    storage.write(lambda tx: tx.flags.clear(ada, [talk.menu], Flag.READ))
    assert newest(storage, ada, UNREAD, personal=True) == ids_of(talk.menu, talk.hello, talk.meeting)


def test_wildcard_mentions_are_found_by_those_who_received_them(storage: Storage) -> None:
    talk = a_talk(storage)
    message = storage.write(lambda tx: send(tx, talk.town.ben, talk.town.plaza, channel_wildcard=True))
    mentions = HasFlag(Flag.ANY_MENTION)
    assert newest(storage, talk.town.ada, mentions, personal=True) == ids_of(talk.dinner, message)
    assert newest(storage, talk.town.cem, mentions, personal=True) == []


def test_messages_added_to_the_history_are_found_with_it(storage: Storage) -> None:
    talk = a_talk(storage)

    def write(tx: Transaction) -> None:
        tx.flags.set(talk.town.ada, [talk.early], Flag.STARRED, historical=[talk.early.id])

    storage.write(write)
    starred = HasFlag(Flag.STARRED)
    assert newest(storage, talk.town.ada, starred, personal=True) == ids_of(talk.early, talk.lunch)
    assert newest(storage, talk.town.ada)[0] == talk.early.id
    assert newest(storage, talk.town.ada, query("tea")) == ids_of(talk.early)
    assert newest(storage, talk.town.ada, UNREAD, personal=True)[0] == talk.lunch.id


def test_messages_are_found_by_topic_policies(storage: Storage) -> None:
    talk = a_talk(storage)
    for term, expected in (
        (IsFollowed(), [talk.lunch, talk.menu]),
        (IsMuted(), [talk.dinner]),
        (IsMuted(topics_only=True), [talk.dinner]),
        (Not(IsMuted()), [talk.lunch, talk.menu, talk.hello, talk.meeting]),
        (Not(IsFollowed()), [talk.dinner, talk.hello, talk.meeting]),
        (IsResolved(), [talk.dinner]),
    ):
        assert newest(storage, talk.town.ada, term, personal=True) == ids_of(*expected), term


def test_messages_are_found_by_what_they_have(storage: Storage) -> None:
    talk = a_talk(storage)
    for content, expected in (
        (Content.LINK, [talk.menu]),
        (Content.IMAGE, [talk.menu]),
        (Content.ATTACHMENT, [talk.dinner]),
        (Content.REACTION, [talk.lunch]),
    ):
        assert newest(storage, talk.town.ada, Has(content)) == ids_of(*expected), content
    assert newest(storage, talk.town.ada, Not(Has(Content.LINK))) == ids_of(
        talk.lunch, talk.dinner, talk.hello, talk.meeting
    )
    storage.write(lambda tx: tx.reactions.remove(talk.lunch.id, tada(talk.town)))
    assert newest(storage, talk.town.ada, Has(Content.REACTION)) == []


def test_messages_are_found_by_sender_and_id(storage: Storage) -> None:
    talk = a_talk(storage)
    ada = talk.town.ada
    assert newest(storage, ada, SentBy(talk.town.ben)) == ids_of(talk.lunch, talk.hello)
    assert newest(storage, ada, WithId(talk.hello.id)) == ids_of(talk.hello)
    # Ada subscribed after it: it is not in her history, but she may read all messages of this channel.
    assert newest(storage, ada, WithId(talk.early.id)) == []
    assert newest(storage, ada, WithId(talk.early.id), InChannel(talk.town.plaza)) == ids_of(talk.early)
    assert newest(storage, ada, WithId(MessageId(2**63 - 1))) == []


def test_words_are_found_in_all_their_forms(storage: Storage) -> None:
    talk = a_talk(storage)
    for text, expected in (
        ("run", [talk.lunch, talk.dinner]),
        ("COFFEE", [talk.lunch, talk.hello]),
        ("coffee lunch", [talk.lunch]),
        ("cafe", [talk.meeting]),
        ('"café"', [talk.meeting]),
        ('"cafe"', []),
        ('"runs for"', [talk.lunch]),
        ("the", []),
        ("dinner", [talk.dinner]),
        ("' OR 1=1 --", []),
    ):
        assert newest(storage, talk.town.ada, query(text)) == ids_of(*expected), text
    assert newest(storage, talk.town.ada, query("coffee"), IsDirect()) == ids_of(talk.hello)
    assert newest(storage, talk.town.ada, query("coffee"), UNREAD, personal=True) == ids_of(
        talk.lunch, talk.hello
    )


def test_a_page_has_no_more_than_was_asked_for_on_either_side(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[MessageId]:
        """Alternate between recipients, so that the nearest message is always in another one."""
        sent = []
        for _ in range(6):
            sent += ids_of(send(tx, town.ben, town.plaza), send_direct(tx, town.ben, town.ada))
            send(tx, town.ben, town.office)
        return sent

    sent = storage.write(write)
    middle = sent[5]
    for before, after in ((3, 4), (0, 2), (2, 0), (0, 0), (100, 100)):
        page = found(storage, town.ada, anchor=middle, before=before, after=after)
        assert list(page.before) == list(reversed(sent[:5]))[:before]
        assert page.at_anchor
        assert list(page.after) == sent[6:][:after]
    between = found(storage, town.ada, anchor=middle - 1, before=2, after=2)
    assert list(between.before) == [sent[4], sent[3]] or sent[4] == middle - 1
    assert between.after[0] == middle


def test_matching_messages_are_found_among_given_ones(storage: Storage) -> None:
    talk = a_talk(storage)
    given = ids_of(talk.meeting, talk.early, talk.lunch, talk.menu, talk.dinner)

    def among(*terms: Term) -> Sequence[MessageId]:
        def read(snapshot: Snapshot) -> Sequence[MessageId]:
            viewer = viewer_of(snapshot, talk.town.ada)
            channels = {channel.id: channel for channel in snapshot.channels.all()}
            return snapshot.search.among(Narrow(terms), viewer, channels, given)

        return list(storage.read(read))

    assert among() == sorted(given)
    assert among(InTopic("lunch")) == ids_of(talk.early, talk.lunch, talk.menu)
    assert among(HasFlag(Flag.STARRED)) == ids_of(talk.lunch)
    assert among(query("tea")) == ids_of(talk.early)
    assert among(IsDirect(), query("coffee")) == []
