"""`chatcore.storage.messages.messages`: conversations."""

from chatcore.domain.ids import ConversationId, RecipientId
from chatcore.domain.messages.recipients import DirectRecipient
from chatcore.storage.conformance.makers import a_town, send_direct
from chatcore.storage.transaction import Storage, Transaction


def test_a_conversation_is_its_set_of_people(storage: Storage) -> None:
    town = a_town(storage)
    people = frozenset({town.ben, town.ada})
    assert storage.read(lambda snapshot: snapshot.conversations.find(people)) is None
    talk = storage.write(lambda tx: tx.conversations.get_or_add(people))
    assert talk == DirectRecipient(talk.conversation_id, people)
    assert storage.write(lambda tx: tx.conversations.get_or_add(frozenset({town.ada, town.ben}))) == talk
    assert storage.read(lambda snapshot: snapshot.conversations.find(people)) == talk
    more = frozenset({town.ada, town.ben, town.cem})
    assert storage.read(lambda snapshot: snapshot.conversations.find(more)) is None


def test_conversations_are_found_by_ids_and_by_person(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[DirectRecipient]:
        sets = ({town.ada}, {town.ada, town.ben}, {town.ben, town.cem}, {town.ada, town.ben, town.cem})
        return [tx.conversations.get_or_add(frozenset(people)) for people in sets]

    talks = storage.write(write)
    nowhere = ConversationId(RecipientId(10**9))
    wanted = [nowhere, *(talk.conversation_id for talk in talks[:2])]
    by_ids = storage.read(lambda snapshot: snapshot.conversations.by_ids(wanted))
    assert by_ids == {talk.conversation_id: talk for talk in talks[:2]}
    conversations = storage.read(lambda snapshot: snapshot.conversations.of_user(town.ada))
    assert list(conversations) == [talks[0], talks[1], talks[3]]


def test_a_conversation_without_messages_has_none(storage: Storage) -> None:
    town = a_town(storage)
    empty = storage.write(lambda tx: tx.conversations.get_or_add(frozenset({town.ada})))
    full = storage.write(lambda tx: send_direct(tx, town.ada, town.ben)).conversation
    assert full is not None
    assert not storage.read(lambda snapshot: snapshot.conversations.has_messages(empty.conversation_id))
    assert storage.read(lambda snapshot: snapshot.conversations.has_messages(full.conversation_id))


def test_recent_conversations_come_newest_first(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[tuple[DirectRecipient | None, int]]:
        for people in ({town.cem, town.ada}, {town.ada, town.ben, town.cem}):
            tx.conversations.get_or_add(frozenset(people))  # nothing is ever said in these
        old = send_direct(tx, town.ada)
        send_direct(tx, town.ada, town.ben)
        new = send_direct(tx, town.ben, town.ada)
        return [(new.conversation, new.id), (old.conversation, old.id)]

    expected = storage.write(write)
    assert list(storage.read(lambda snapshot: snapshot.conversations.recent(town.ada, 1000))) == expected
    assert list(storage.read(lambda snapshot: snapshot.conversations.recent(town.ada, 1))) == expected[:1]
    assert list(storage.read(lambda snapshot: snapshot.conversations.recent(town.cem, 1000))) == []
