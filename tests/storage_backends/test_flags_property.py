"""A store and a plain model agree on each reader's messages after any sequence of operations.

The store writes no row for a reader who just receives a message; the model writes one for every reader.
"""

from contextlib import closing

import pytest
from hypothesis import given, settings

from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message
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

    unread = {message_id: mine for message_id, mine in history.items() if not mine & Flag.READ}
    found = snapshot.flags.unread(user, subscriptions, 1000)
    assert [(message.id, message.flags) for message in found] == sorted(unread.items())
    newest = snapshot.flags.unread(user, subscriptions, 2)
    assert [message.id for message in newest] == sorted(unread)[-2:]

    assert list(snapshot.flags.with_flag(user, Flag.STARRED, 1000)) == having(history, Flag.STARRED)
    of_rows = set(having(history, Flag.HISTORICAL))
    channels = {message.channel_id for message in world.messages if message.id in of_rows}
    assert snapshot.flags.historical_channels(user) == channels


def check_message(snapshot: Snapshot, world: World, message: Message) -> None:
    assert snapshot.flags.of_readers(message, world.histories.keys()) == {
        user: history[message.id] for user, history in world.histories.items() if message.id in history
    }


def having(history: dict[MessageId, Flag], flag: Flag) -> list[MessageId]:
    return sorted(message_id for message_id, mine in history.items() if mine & flag)
