"""A store and a plain model agree on each reader's messages after any sequence of operations.

The store writes no row for a reader who just receives a message; the model writes one for every reader.
"""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing

import pytest
from hypothesis import given, settings

from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
from chatcore.domain.topics import topic_key
from chatcore.storage.transaction import Snapshot
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage
from tests.storage_backends.worlds import LIVES, Life, World, lived


@pytest.mark.parametrize(("kind", "examples"), [("sqlite", 150), ("postgresql", 30)])
def test_flags_are_those_of_a_plain_model(request: pytest.FixtureRequest, kind: str, examples: int) -> None:
    url = request.getfixturevalue("sqlite_url" if kind == "sqlite" else "postgres_url")

    @settings(max_examples=examples)
    @given(LIVES)
    def agree(life: Life) -> None:
        check(storage, lived(storage, life))

    with closing(open_storage(url)) as storage:
        agree()


def check(storage: SqlStorage, world: World) -> None:
    def read(snapshot: Snapshot) -> None:
        for user in world.users.values():
            check_reader(snapshot, world, user)
        for message in world.messages:
            check_message(snapshot, world, message)
        assert snapshot.muted_users.had_muted(world.messages, list(world.histories)) == {
            message.id: users for message in world.messages if (users := world.had_muted.get(message.id))
        }

    storage.read(read)


def check_reader(snapshot: Snapshot, world: World, user: UserId) -> None:
    history = world.histories[user]
    subscriptions = snapshot.subscriptions.of_user(user)
    assert snapshot.flags.of(user, world.messages, subscriptions) == history
    assert {channel for channel, mine in subscriptions.items() if mine.active} == {
        channel for channel, users in world.subscribers.items() if user in users
    }

    messages = {message.id: message for message in world.messages}
    unread = {message_id: mine for message_id, mine in history.items() if not mine & Flag.READ}
    for limit in (1000, 2):
        newest = sorted(unread)[-limit:]
        found = snapshot.flags.unread(user, subscriptions, limit)
        assert found.message_ids == newest
        assert sorted(found.naming) == [one for one in newest if unread[one] & Flag.MENTIONED]
        assert sorted(set(found.to_all)) == [one for one in newest if unread[one] & Flag.WILDCARD]
        assert found.topics == by_topic(messages[one] for one in newest)
        assert found.conversations == by_people(messages[one] for one in newest)

    assert list(snapshot.flags.with_flag(user, Flag.STARRED, 1000)) == having(history, Flag.STARRED)
    of_rows = set(having(history, Flag.HISTORICAL))
    channels = {message.channel_id for message in world.messages if message.id in of_rows}
    assert snapshot.flags.historical_channels(user) == channels


def by_topic(messages: Iterable[Message]) -> dict[tuple[ChannelId, str], tuple[str, list[MessageId]]]:
    found: dict[tuple[ChannelId, str], tuple[str, list[MessageId]]] = {}
    for message in messages:
        if message.channel_id is not None:
            _, ids = found.setdefault((message.channel_id, topic_key(message.topic)), (message.topic, []))
            ids.append(message.id)
    return found


def by_people(messages: Iterable[Message]) -> dict[frozenset[UserId], list[MessageId]]:
    found = defaultdict[frozenset[UserId], list[MessageId]](list)
    for message in messages:
        if message.conversation is not None:
            found[message.conversation.user_ids].append(message.id)
    return found


def check_message(snapshot: Snapshot, world: World, message: Message) -> None:
    assert snapshot.flags.of_readers(message, world.histories.keys()) == {
        user: history[message.id] for user, history in world.histories.items() if message.id in history
    }


def having(history: dict[MessageId, Flag], flag: Flag) -> list[MessageId]:
    return sorted(message_id for message_id, mine in history.items() if mine & flag)
