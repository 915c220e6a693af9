"""`chatcore.storage.messages.messages`: the messages that a search reaches, of the reader and of others."""

from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.narrow import HasFlag, InChannel, InPublicChannels, Not, SentBy
from chatcore.domain.roles import Role
from chatcore.storage.conformance.makers import (
    a_town,
    add_channel,
    add_user,
    send,
    send_direct,
    subscribe,
    unsubscribe,
)
from chatcore.storage.conformance.messages.search import a_talk, ids_of, newest, query
from chatcore.storage.transaction import Storage, Transaction


def test_without_terms_all_that_was_received_is_found(storage: Storage) -> None:
    talk = a_talk(storage)
    assert newest(storage, talk.town.ada) == ids_of(
        talk.lunch, talk.menu, talk.dinner, talk.hello, talk.meeting
    )
    assert newest(storage, talk.town.ben) == ids_of(
        talk.early, talk.lunch, talk.menu, talk.dinner, talk.hello, talk.meeting
    )
    assert newest(storage, talk.town.cem) == ids_of(talk.meeting)


def test_a_channel_of_shared_history_is_found_with_all_of_it(storage: Storage) -> None:
    talk = a_talk(storage)
    plaza = InChannel(talk.town.plaza)
    everything = ids_of(talk.early, talk.lunch, talk.menu, talk.dinner)
    assert newest(storage, talk.town.ada, plaza) == everything
    assert newest(storage, talk.town.cem, plaza) == everything
    assert newest(storage, talk.town.ada, plaza, personal=True) == everything[1:]
    assert newest(storage, talk.town.cem, plaza, personal=True) == []


def test_a_private_channel_is_found_by_its_subscribers(storage: Storage) -> None:
    talk = a_talk(storage)
    office = InChannel(talk.town.office)
    assert newest(storage, talk.town.ada, office) == []
    storage.write(lambda tx: subscribe(tx, talk.town.office, talk.town.ada))
    assert newest(storage, talk.town.ada, office) == ids_of(talk.secret)
    storage.write(lambda tx: unsubscribe(tx, talk.town.office, talk.town.ada))
    assert newest(storage, talk.town.ada, office) == []


def test_received_messages_of_a_protected_history_are_found(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[ChannelId, Message]:
        vault = add_channel(tx, "Vault", invite_only=True, history_public_to_subscribers=False).id
        send(tx, town.ben, vault)
        subscribe(tx, vault, town.ada)
        return vault, send(tx, town.ben, vault)

    vault, received = storage.write(write)
    assert newest(storage, town.ada, InChannel(vault)) == ids_of(received)


def test_messages_received_in_a_private_channel_that_was_left_are_not_found(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        subscribe(tx, town.office, town.ada)
        message = send(tx, town.ben, town.office, content="coffee")
        tx.flags.set(town.ada, [message], Flag.STARRED)
        unsubscribe(tx, town.office, town.ada)

    storage.write(write)
    assert newest(storage, town.ada) == []
    assert newest(storage, town.ada, query("coffee")) == []
    assert newest(storage, town.ada, HasFlag(Flag.STARRED), personal=True) == []


def test_a_guest_finds_only_what_is_subscribed_to(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> tuple[UserId, Message]:
        gus = add_user(tx, "gus", role=Role.GUEST).id
        subscribe(tx, town.plaza, gus)
        received = send(tx, town.ben, town.plaza)
        return gus, received

    gus, received = storage.write(write)
    assert newest(storage, gus, InChannel(town.plaza)) == ids_of(received)
    storage.write(lambda tx: unsubscribe(tx, town.plaza, gus))
    assert newest(storage, gus, InChannel(town.plaza)) == []
    assert newest(storage, gus) == []


def test_all_public_channels_are_searched_whether_subscribed_or_not(storage: Storage) -> None:
    talk = a_talk(storage)
    everything = ids_of(talk.early, talk.lunch, talk.menu, talk.dinner)
    assert newest(storage, talk.town.cem, InPublicChannels()) == everything
    assert newest(storage, talk.town.cem, InPublicChannels(), Not(SentBy(talk.town.ben))) == everything[2:]


def test_spectators_find_messages_of_web_public_channels(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> Message:
        web = add_channel(tx, "Web", is_web_public=True).id
        send(tx, town.ben, town.plaza)
        send_direct(tx, town.ben, town.ada)
        return send(tx, town.ben, web)

    message = storage.write(write)
    web_public = InPublicChannels(web_public=True)
    assert newest(storage, None, web_public) == ids_of(message)
    assert newest(storage, None, web_public, query("coffee")) == ids_of(message)
    assert newest(storage, None) == []
