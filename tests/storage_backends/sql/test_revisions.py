"""Messages that a process remembers are those of the store, whichever process has changed them and how."""

from contextlib import closing, suppress
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcore.domain.messages.messages import Edit, Reaction
from chatcore.storage.conformance.makers import NOW, a_town, send, send_direct
from chatcore.storage.messages.edits import Destination
from chatcore.storage.transaction import Snapshot, Transaction
from storage_backends import open_storage
from storage_backends.sql.schema import Message
from storage_backends.sql.statement import Statement
from storage_backends.sql.store import SqlStorage
from tests.storage_backends.sql.test_memory import ExpectedError, two_processes

NOT_SHOWN: Final = {"id", "revision", "folded_topic"}
PARTS: Final = (
    "reaction (message_id, user_id, emoji_name, emoji_code, reaction_type)"
    " VALUES ({message}, {person}, 'tada', '1f389', 'unicode_emoji')",
    "message_edit (message_id, user_id, timestamp) VALUES ({message}, {person}, 1)",
    "submessage (message_id, sender_id, msg_type, content) VALUES ({message}, {person}, 'widget', '1')",
)
ACTIONS: Final = ("send", "write", "edit", "move", "fold", "react", "poll", "delete")


@pytest.mark.parametrize("column", sorted(Message._meta.fields.keys() - NOT_SHOWN))
def test_each_column_draws_a_revision(storage: SqlStorage, column: str) -> None:
    town = a_town(storage)
    first, second = (storage.write(lambda tx: send(tx, town.ada, town.plaza)).id for _ in range(2))

    def numbers() -> list[int]:
        revisions = storage.read(lambda snapshot: snapshot.messages.revisions([first, second]))
        return [revisions[message_id].number for message_id in (first, second)]

    before = numbers()
    change = Statement(f"UPDATE message SET {column} = {column} WHERE id = {first}")
    storage.write(lambda tx: tx.session.run(change))  # type: ignore[attr-defined]
    after = numbers()
    assert before[0] != after[0]
    assert before[1] == after[1]
    assert 0 not in (*before, *after)


@pytest.mark.parametrize("insert", PARTS)
def test_each_part_draws_a_revision(storage: SqlStorage, insert: str) -> None:
    town, table = a_town(storage), insert.split()[0]
    first = storage.write(lambda tx: send(tx, town.ada, town.plaza)).id

    def number(change: str) -> int:
        storage.write(lambda tx: tx.session.run(Statement(change)))  # type: ignore[attr-defined]
        revisions = storage.read(lambda snapshot: snapshot.messages.revisions([first]))
        return revisions[first].number

    numbers = [
        number(f"INSERT INTO {insert.format(message=first, person=town.ada)}"),
        number(f"UPDATE {table} SET message_id = message_id"),
        number(f"DELETE FROM {table}"),
        number("DELETE FROM draft"),
    ]
    assert len(set(numbers)) == 3
    assert numbers[2] == numbers[3]


def act(tx: Transaction, action: str, number: int) -> None:
    """Do something to one of the messages."""
    channels, people = tx.channels.all(), tx.users.all()
    sender = people[number % len(people)].id
    present = tx.messages.by_ids(range(1, 1 + (tx.messages.newest_id() or 0)))  # type: ignore[arg-type]
    message = present[number % len(present)]
    edit = Edit(user_id=sender, timestamp=NOW, prev_content=f"old {number}", prev_rendered_content="")
    reaction = Reaction(user_id=sender, emoji_name="+1", emoji_code="1f44d", reaction_type="unicode_emoji")
    match action:
        case "send":
            send(tx, sender, channels[number % 2].id, content=f"new {number}")
        case "write":
            send_direct(tx, sender, people[0].id)
        case "edit":
            tx.edits.note(message.id, edit)
            tx.edits.change_content(message._replace(content=f"edited {number}"), [])
        case "move" if message.channel_id is not None:
            to = Destination(channels[number % 2].id, f"topic {number}")
            tx.edits.note_move([message.id], edit, to)
            tx.edits.move([message.brief], to, at=tx.draw(), moved_at=NOW)
        case "fold" if len(message.edits) > 1:
            tx.edits.fold_oldest([message.id])
        case "react":
            given = reaction in message.reactions
            (tx.reactions.remove if given else tx.reactions.add)(message.id, reaction)
        case "poll":
            tx.submessages.add(message.id, sender, "widget", f'{{"n": {number}}}')
        case "delete" if len(present) > 2:
            tx.edits.remove([message.id])


def check(snapshot: Snapshot) -> None:
    ids = range(1, 1 + (snapshot.messages.newest_id() or 0))
    revisions = snapshot.messages.revisions(ids)  # type: ignore[arg-type]
    present = list(snapshot.messages.by_ids(ids))  # type: ignore[arg-type]
    assert list(snapshot.messages.of_revisions(revisions)) == present


LIVES = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.integers(0, 7), st.booleans(), st.booleans()), max_size=25
)


@pytest.fixture
def town_url(store_url: str) -> str:
    """The address of a store with a few messages, in which each of the lives goes on."""
    with closing(open_storage(store_url)) as storage:
        town = a_town(storage)
        for _ in range(3):
            storage.write(lambda tx: send(tx, town.ada, town.plaza))
    return store_url


@given(actions=LIVES)
@settings(max_examples=15)
def test_two_processes_have_the_same_messages(town_url: str, actions: Any) -> None:
    with two_processes(town_url) as both:
        for action, number, by_second, fails in actions:

            def work(
                tx: Transaction, action: str = action, number: int = number, fails: bool = fails
            ) -> None:
                act(tx, action, number)
                check(tx)
                if fails:
                    raise ExpectedError

            with suppress(ExpectedError):
                both[by_second].write(work)
            for storage in both:
                storage.read(check)
