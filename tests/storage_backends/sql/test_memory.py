"""Remembered values are those of the store, whichever process has changed them and however a change ended."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcore.domain.groups.groups import Group
from chatcore.domain.ids import ChannelId, FieldId, MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.narrow import IsDirect, Narrow
from chatcore.domain.organization import custom_emoji, playgrounds
from chatcore.domain.organization.custom_emoji import CustomEmoji
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.playgrounds import Playground
from chatcore.domain.organization.profile_fields import FieldType, ProfileField
from chatcore.domain.roles import Role
from chatcore.events.audience import Everyone
from chatcore.events.happened import LinkifiersChanged
from chatcore.storage.conformance.makers import (
    NOW,
    add_channel,
    mute,
    send,
    send_direct,
    subscribe,
    unmute,
    unsubscribe,
)
from chatcore.storage.conformance.messages.search import viewer_of
from chatcore.storage.transaction import Outdated, Snapshot, Transaction
from storage_backends import open_storage
from storage_backends.sql import memory
from storage_backends.sql.memory import TABLES, Memory, Recall, RememberedKind, kinds_changed_by
from storage_backends.sql.session import Session
from storage_backends.sql.store import SqlStorage

NOWHERE, LATER = ChannelId(RecipientId(10**6)), MessageId(10**6)
TEXT = {"content": "", "rendered_content": "", "timestamp": NOW}
ACTIONS = ("INSERT", "UPDATE", "DELETE")


class ExpectedError(Exception):
    """Ends a unit of work."""


# -- the states of what is remembered ----------------------------------------------------------------


def remembered(snapshot: Snapshot) -> dict[str, Any]:
    """Read all values that a store remembers, and the groups that actors are in."""
    users, channels = snapshot.users.all(), snapshot.channels.all()
    user_ids = [user.id for user in users] + [UserId(10**6)]
    group_ids = [group.id for group in snapshot.groups.all()]
    channel_ids = [channel.id for channel in channels] + [NOWHERE]
    now = [channel_message(id=LATER, sender_id=one, channel_id=NOWHERE, topic="", **TEXT) for one in user_ids]
    return {
        "organization": snapshot.organization.find(),
        "users": list(users),
        "by id": snapshot.users.by_ids(user_ids),
        "by email": snapshot.users.by_emails(["p0@example.com", "p1@example.com", "nobody@example.com"]),
        "found": [snapshot.users.find(user_id) for user_id in user_ids],
        "actors": snapshot.users.actors(user_ids, NOW),
        "groups": list(snapshot.groups.all()),
        "direct members": snapshot.groups.direct_members(group_ids, NOW),
        "direct subgroups": snapshot.groups.direct_subgroups(group_ids),
        "members": [snapshot.groups.members([group_id], NOW) for group_id in group_ids],
        "linkifiers": list(snapshot.linkifiers.all()),
        "playgrounds": list(snapshot.playgrounds.all()),
        "emoji": list(snapshot.emoji.all()),
        "fields": list(snapshot.profile_fields.all()),
        "channels": list(channels),
        "channels by id": snapshot.channels.by_ids(channel_ids),
        "channels by name": snapshot.channels.by_names([*(one.name for one in channels), "nowhere"]),
        "subscriptions": [snapshot.subscriptions.of_user(user_id) for user_id in user_ids],
        "single subscriptions": [
            snapshot.subscriptions.find(user_id, one) for user_id in user_ids for one in channel_ids
        ],
        "subscribed": [snapshot.subscriptions.subscribed_among(one, user_ids) for one in channel_ids],
        "conversations": [direct_messages(snapshot, user.id) for user in users if user.is_active],
        "own copies": [snapshot.flags.historical_channels(user_id) for user_id in user_ids],
        "candidates": snapshot.alert_words.candidates([f"word{number}" for number in range(6)]),
        "alert words": [list(snapshot.alert_words.of_user(user_id)) for user_id in user_ids],
        "muted": [snapshot.muted_users.of_user(user_id) for user_id in user_ids],
        "people of conversations": [snapshot.conversations.of_user(user_id) for user_id in user_ids],
        "muting": [snapshot.muted_users.had_muted([one], [user_id]) for one in now for user_id in user_ids],
    }


def direct_messages(snapshot: Snapshot, user_id: UserId) -> Sequence[MessageId]:
    """Return the newest messages in the conversations of a user."""
    viewer = viewer_of(snapshot, user_id)
    found = snapshot.search.around(Narrow((IsDirect(),)), viewer, {}, anchor=LATER, before=9, after=0)
    return found.before


def put_organization(tx: Transaction, number: int) -> None:
    found = tx.organization.find() or Organization(name="first", date_created=NOW)
    tx.organization.put(replace(found, description=f"number {number}"))


def add_user(tx: Transaction, number: int) -> None:
    count = tx.users.count()
    tx.users.add({"email": f"p{count}@example.com", "full_name": f"Person {count}", "date_joined": NOW})


def change_user(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[number % 3 :][:1]:
        tx.users.update(user.id, full_name=f"Renamed {number}", role=[Role.GUEST, Role.MEMBER][number % 2])


def deactivate_user(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[number % 3 :][:1]:
        tx.users.update(user.id, is_active=not user.is_active)


def groups(tx: Transaction) -> list[Group]:
    return [group for group in tx.groups.all() if group.id > 8]


def add_group(tx: Transaction, number: int) -> None:
    tx.groups.add({"name": f"group {tx.groups.count()}", "description": "", "settings": {}})


def join_group(tx: Transaction, number: int) -> None:
    for group in groups(tx)[:1]:
        for user in tx.users.all()[number % 3 :][:1]:
            if tx.groups.direct_members_among(group.id, [user.id]):
                tx.groups.remove_members(group.id, [user.id])
            else:
                tx.groups.add_members(group.id, [user.id])


def nest_group(tx: Transaction, number: int) -> None:
    first, *others = groups(tx) or [None]
    for other in others[:1]:
        assert first is not None
        if first.id in tx.groups.direct_subgroups([other.id])[other.id]:
            tx.groups.remove_subgroups(other.id, [first.id])
        else:
            tx.groups.add_subgroups(other.id, [first.id])


def deactivate_group(tx: Transaction, number: int) -> None:
    for group in groups(tx)[number % 2 :][:1]:
        tx.groups.update(group.id, deactivated=not group.deactivated)


def add_linkifier(tx: Transaction, number: int) -> None:
    tx.linkifiers.add(f"#{number}", "https://example.com/{id}")


def reorder_linkifiers(tx: Transaction, number: int) -> None:
    tx.linkifiers.reorder([one.id for one in tx.linkifiers.all()][::-1])


def add_playground(tx: Transaction, number: int) -> None:
    name = f"place {len(tx.playgrounds.all())}"
    tx.playgrounds.add(Playground(playgrounds.NOT_STORED, name, "Python", "https://example.com/{code}"))


def change_emoji(tx: Transaction, number: int) -> None:
    active = [one for one in tx.emoji.all() if not one.deactivated]
    if active:
        tx.emoji.deactivate(active[0])
    else:
        tx.emoji.add(
            CustomEmoji(
                id=custom_emoji.NOT_STORED,
                name="own",
                author_id=UserId(1),
                token=f"token{tx.emoji.count()}",
                content_type="image/png",
                is_animated=False,
            )
        )


def change_fields(tx: Transaction, number: int) -> None:
    fields = list(tx.profile_fields.all())
    if number % 3 and fields:
        tx.profile_fields.update(replace(fields[0], hint=f"hint {number}"))
    else:
        tx.profile_fields.add(
            ProfileField(id=FieldId(0), type=FieldType.SHORT_TEXT, name=f"field {len(fields)}")
        )


def add_another_channel(tx: Transaction, number: int) -> None:
    add_channel(tx, f"channel {tx.channels.count()}")


def change_channel(tx: Transaction, number: int) -> None:
    for channel in tx.channels.all()[number % 2 :][:1]:
        tx.channels.update(channel.id, description=f"number {number}", invite_only=not channel.invite_only)


def come_or_leave(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[number % 3 :][:1]:
        for channel in tx.channels.all()[number % 2 :][:1]:
            come = not tx.subscriptions.subscribed_among(channel.id, [user.id])
            (subscribe if come else unsubscribe)(tx, channel.id, user.id)


def mute_channel(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[:1]:
        for subscription in tx.subscriptions.of_user(user.id).values():
            muted = not subscription.is_muted
            tx.subscriptions.update(user.id, subscription.channel_id, is_muted=muted)


def write_directly(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[number % 3 :][:1]:
        send_direct(tx, user.id, UserId(1 + number % 2))


def change_alert_words(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[number % 2 :][:1]:
        words = [f"word{number}"]
        if tx.alert_words.of_user(user.id):
            tx.alert_words.remove(user.id, tx.alert_words.of_user(user.id))
        else:
            tx.alert_words.add(user.id, words)


def mute_or_unmute(tx: Transaction, number: int) -> None:
    for user in tx.users.all()[number % 3 :][:1]:
        muted = tx.muted_users.of_user(user.id)
        (unmute if UserId(1) in muted else mute)(tx, user.id, UserId(1))


def star(tx: Transaction, number: int) -> None:
    """Star a message that the user has not received."""
    for user in tx.users.all()[:1]:
        for channel in tx.channels.all()[number % 2 :][:1]:
            message = send(tx, user.id, channel.id)
            tx.flags.set(user.id, [message], Flag.STARRED, historical=[message.id])


def lose_stars(tx: Transaction, number: int) -> None:
    """Take the messages that the user has not received out of the history."""
    for user in tx.users.all()[:1]:
        own = tx.messages.by_ids(tx.flags.with_flag(user.id, Flag.HISTORICAL, 100))
        tx.flags.clear(user.id, own, Flag.HISTORICAL)


CHANGES: dict[Callable[[Transaction, int], None], RememberedKind] = {
    put_organization: RememberedKind.ORGANIZATION,
    add_user: RememberedKind.PEOPLE,
    change_user: RememberedKind.PEOPLE,
    deactivate_user: RememberedKind.PEOPLE,
    add_group: RememberedKind.GROUPS,
    join_group: RememberedKind.GROUPS,
    nest_group: RememberedKind.GROUPS,
    deactivate_group: RememberedKind.GROUPS,
    add_linkifier: RememberedKind.CONFIGURATION,
    reorder_linkifiers: RememberedKind.CONFIGURATION,
    add_playground: RememberedKind.CONFIGURATION,
    change_emoji: RememberedKind.CONFIGURATION,
    change_fields: RememberedKind.CONFIGURATION,
    add_another_channel: RememberedKind.CHANNELS,
    change_channel: RememberedKind.CHANNELS,
    come_or_leave: RememberedKind.MEMBERSHIPS,
    mute_channel: RememberedKind.MEMBERSHIPS,
    write_directly: RememberedKind.MEMBERSHIPS,
    change_alert_words: RememberedKind.PREFERENCES,
    mute_or_unmute: RememberedKind.PREFERENCES,
    star: RememberedKind.HISTORICAL,
    lose_stars: RememberedKind.HISTORICAL,
}


@pytest.fixture
def found(storage: SqlStorage) -> SqlStorage:
    """A store in which each of the changes has something to change."""
    people = (add_user, add_user, add_user)
    groups = (add_group, add_group, join_group, nest_group)
    places = (add_another_channel, add_another_channel, come_or_leave)

    def begin(tx: Transaction) -> None:
        for change in (put_organization, *people, *groups, *places, add_linkifier, star):
            change(tx, 0)
        add_linkifier(tx, 1)

    storage.write(begin)
    return storage


def versions(storage: SqlStorage) -> dict[RememberedKind, int]:
    with storage.backend.connection():
        head = storage.backend.begin_read()
        storage.backend.rollback()
    return {RememberedKind(kind): version for _, kind, version in head}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_draws_a_version_for_its_kind_alone(
    found: SqlStorage, change: Callable[[Transaction, int], None]
) -> None:
    before = versions(found)
    found.write(lambda tx: change(tx, 3))
    after = versions(found)
    expected = {CHANGES[change]}
    if change is come_or_leave:
        expected.add(RememberedKind.CHANNELS)  # a channel has the number of its subscribers
    assert {kind for kind in RememberedKind if before[kind] != after[kind]} == expected


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_unit_of_work_reads_its_own_changes_through_the_cache(
    found: SqlStorage, change: Callable[[Transaction, int], None]
) -> None:
    def work(tx: Transaction) -> tuple[dict[str, Any], dict[str, Any]]:
        before = remembered(tx)
        change(tx, 3)
        return before, remembered(tx)

    found.read(remembered)
    before, after = found.write(work)
    assert before != after
    assert found.read(remembered) == after


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_unit_of_work_that_fails_leaves_nothing_behind(
    found: SqlStorage, change: Callable[[Transaction, int], None]
) -> None:
    def work(tx: Transaction) -> None:
        change(tx, 3)
        remembered(tx)
        raise ExpectedError

    before = found.read(remembered)
    with suppress(ExpectedError):
        found.write(work)
    assert found.read(remembered) == before


def test_every_table_has_its_triggers(storage: SqlStorage) -> None:
    dialect = storage.backend.dialect.name
    statement = {
        "sqlite": "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'",
        "postgresql": """
            SELECT event_object_table, event_manipulation || ' ' || action_statement
            FROM information_schema.triggers
        """,
    }[dialect]
    with storage.backend.connection():
        rows = storage.backend.database.execute_sql(statement).fetchall()
    actions = {
        (table, action, kind)
        for table, text in rows
        for action in ACTIONS
        if f"AFTER {action}" in text or text.startswith(action)
        for kind in RememberedKind
        if f"'{kind.value}'" in text
    }
    assert actions == {
        (table, action, TABLES[table]) for table in TABLES for action in ("INSERT", "UPDATE", "DELETE")
    }


# -- two processes -----------------------------------------------------------------------------------


@contextmanager
def two_processes(url: str) -> Iterator[tuple[SqlStorage, SqlStorage]]:
    """Two openings of one store, as two processes have them."""
    with ExitStack() as stack:
        first, second = (stack.enter_context(closing(open_storage(url))) for _ in range(2))
        yield first, second


LIVES = st.lists(
    st.tuples(st.sampled_from(list(CHANGES)), st.integers(0, 5), st.booleans(), st.booleans()), max_size=12
)


@given(actions=LIVES)
@settings(max_examples=15)
def test_two_processes_remember_the_same(store_url: str, actions: Any) -> None:
    with two_processes(store_url) as both:
        for change, number, by_second, fails in actions:

            def work(
                tx: Transaction, change: Any = change, number: int = number, fails: bool = fails
            ) -> None:
                change(tx, number)
                assert remembered(tx) == without_memory(tx)
                if fails:
                    raise ExpectedError

            with suppress(ExpectedError):
                both[by_second].write(work)
            for storage in both:
                storage.read(lambda snapshot: check(snapshot))


def check(snapshot: Snapshot) -> None:
    assert remembered(snapshot) == without_memory(snapshot)


def without_memory(snapshot: Any) -> dict[str, Any]:
    """Read the same values in the same transaction from the store."""
    return remembered(type(snapshot)(Session(snapshot.session.backend), snapshot.session.head))


# -- operators ---------------------------------------------------------------------------------------


def test_two_new_stores_have_different_versions(bare_url: str) -> None:
    found = []
    for url in (bare_url, "sqlite:///:memory:"):
        with closing(open_storage(url)) as storage:
            storage.migrate()
            found.append(versions(storage))
    assert all(found[0][kind] != found[1][kind] for kind in RememberedKind)


@pytest.mark.parametrize("setting", ["search_path = ''", "session_replication_role = replica"])
def test_changes_of_operators_are_noticed(postgres_url: str, setting: str) -> None:
    """Restoring a dump empties the search path; replication switches ordinary triggers off."""
    with closing(open_storage(postgres_url)) as storage:
        storage.write(lambda tx: add_user(tx, 0))
        assert storage.read(lambda snapshot: snapshot.users.all())[0].is_active
        with psycopg.connect(postgres_url) as connection:
            connection.execute(f"SET {setting}")
            connection.execute("UPDATE public.account SET is_active = FALSE")
        assert not storage.read(lambda snapshot: snapshot.users.all())[0].is_active


def test_an_open_transaction_of_an_operator_blocks_nobody_else(postgres_url: str) -> None:
    with closing(open_storage(postgres_url)) as storage:
        storage.write(lambda tx: add_user(tx, 0))
        with psycopg.connect(postgres_url) as connection:
            connection.execute("UPDATE account SET timezone = 'UTC'")
            storage.write(lambda tx: add_group(tx, 0))
            storage.write(lambda tx: tx.announce(LinkifiersChanged(), Everyone()))


# -- the memory itself -------------------------------------------------------------------------------


def head(**versions: int) -> list[tuple[int, str, int]]:
    return [(9, kind.value, versions.get(kind.value, 1)) for kind in RememberedKind]


def test_values_of_another_version_are_read_anew() -> None:
    kept = Memory()
    first, second = Recall(kept, head(organization=1)), Recall(kept, head(organization=2))
    assert first.one(RememberedKind.ORGANIZATION, "name", lambda: "old") == "old"
    assert first.one(RememberedKind.ORGANIZATION, "name", lambda: "never read") == "old"
    assert second.one(RememberedKind.ORGANIZATION, "name", lambda: "new") == "new"
    assert second.one(RememberedKind.PEOPLE, "name", lambda: "a person") == "a person"


def test_values_that_the_transaction_has_changed_are_read_from_the_store() -> None:
    kept = Memory()
    recall = Recall(kept, head())
    recall.many(RememberedKind.PEOPLE, "by id", [7], lambda keys: dict.fromkeys(keys, "before"))
    recall.note_changes([RememberedKind.PEOPLE])
    assert recall.many(RememberedKind.PEOPLE, "by id", [7], lambda keys: dict.fromkeys(keys, "after")) == {
        7: "after"
    }
    unused = Recall(kept, head()).many(RememberedKind.PEOPLE, "by id", [7], lambda _: {})
    assert unused == {7: "before"}


def test_only_unknown_values_are_read() -> None:
    asked: list[list[int]] = []

    def read(keys: list[int]) -> dict[int, str]:
        asked.append(keys)
        return {key: str(key) for key in keys if key < 10}

    recall = Recall(Memory(), head())
    assert recall.many(RememberedKind.PEOPLE, "by id", [1, 2, 11], read) == {1: "1", 2: "2"}
    found = recall.many(RememberedKind.PEOPLE, "by id", [3, 2, 1], read)
    assert list(found.items()) == [(3, "3"), (2, "2"), (1, "1")], "in the order of the keys"
    assert asked == [[1, 2, 11], [3]]


def test_readings_share_no_values() -> None:
    recall = Recall(Memory(), head())
    assert recall.one(RememberedKind.PEOPLE, "all", lambda: ["a", "b"]) == ["a", "b"]
    assert recall.many(RememberedKind.PEOPLE, "by email", ["all"], lambda _: {}) == {}
    assert recall.many(RememberedKind.PEOPLE, "by id", [None], lambda _: {}) == {}


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST", 3)
    kept = Memory()
    recall = Recall(kept, head())
    for number in range(10):
        assert recall.many(RememberedKind.PEOPLE, "by id", [number], lambda keys: {keys[0]: 7}) == {number: 7}
        assert len(kept.shelf(RememberedKind.PEOPLE, "by id", 1).values) <= 3
    assert 9 in kept.shelf(RememberedKind.PEOPLE, "by id", 1).values, "new values take the place of old ones"
    recall.many(RememberedKind.GROUPS, "direct", range(10), lambda keys: dict.fromkeys(keys, 1))
    recall.one(RememberedKind.CONFIGURATION, "emoji", lambda: [1, 2, 3])
    recall.one(RememberedKind.CONFIGURATION, "linkifiers", lambda: [1, 2])
    sizes = [
        len(kept.shelf(kind, reading, 1).values)
        for kind, reading in (
            (RememberedKind.GROUPS, "direct"),
            (RememberedKind.CONFIGURATION, "emoji"),
            (RememberedKind.CONFIGURATION, "linkifiers"),
        )
    ]
    assert sizes == [0, 0, 1]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('INSERT INTO "account" ("id") VALUES (?)', {RememberedKind.PEOPLE}),
        ('UPDATE "organization" SET "data" = ?', {RememberedKind.ORGANIZATION}),
        ("WITH old AS (SELECT 1) DELETE FROM user_group_member WHERE TRUE", {RememberedKind.GROUPS}),
        ("INSERT INTO linkifier (place) SELECT 1 FROM account", {RememberedKind.CONFIGURATION}),
        ('INSERT INTO "message" ("id") VALUES (?) ON CONFLICT ("id") DO UPDATE SET "id" = 1', set()),
        ("SELECT * FROM account", set()),
        ("INSERT OR REPLACE INTO main.account (id) VALUES (1)", {RememberedKind.PEOPLE}),
        ("UPDATE ONLY public.account SET id = 1", {RememberedKind.PEOPLE}),
    ],
)
def test_statements_name_the_kinds_that_they_change(text: str, kinds: set[RememberedKind]) -> None:
    assert kinds_changed_by(text) == kinds


# -- values without a transaction --------------------------------------------------------------------


def name(snapshot: Snapshot) -> str:
    return snapshot.users.get(UserId(1)).full_name


def rename(tx: Transaction) -> None:
    tx.users.update(UserId(1), full_name="Renamed")


def test_remembered_values_are_recalled_without_a_statement(found: SqlStorage) -> None:
    found.read(name)
    with found.assuming(), hooked(found) as sent:
        assert found.recall(name) == "Person 0"
        assert sent == []
        assert found.recall(lambda snapshot: snapshot.drafts.of_user(UserId(1))) is None  # not remembered
        assert found.recall(lambda snapshot: 1 / 0) is None
        assert found.read(name) == "Person 0"  # confirms
        assert found.recall(name) is None, "after the first transaction there is a newer state"
    assert found.recall(name) is None


@contextmanager
def remembered_name(url: str) -> Iterator[tuple[SqlStorage, SqlStorage]]:
    """Yield two stores of one database with one user, whose name the first store remembers."""
    with two_processes(url) as (first, second):
        first.write(lambda tx: add_user(tx, 0))
        assert first.read(name) == "Person 0"
        yield first, second


def test_the_next_transaction_finds_out_that_a_recalled_value_has_changed(store_url: str) -> None:
    ran: list[object] = []
    with remembered_name(store_url) as (first, second):
        for again in (
            lambda: first.read(ran.append),
            lambda: first.write(ran.append),
            lambda: ran.append(first.queue_and_head("q")),
            first.confirm,
        ):
            second.write(lambda tx: tx.users.update(UserId(1), full_name="Before"))
            first.read(name)
            with first.assuming():
                assert first.recall(name) == "Before"
                second.write(rename)
                with pytest.raises(Outdated):
                    again()
                assert ran == []
                assert first.read(name) == "Renamed"
                assert first.write(name) == "Renamed"


def test_all_recalled_values_have_to_be_of_one_state(store_url: str) -> None:
    with remembered_name(store_url) as (first, second), first.assuming():
        assert first.recall(name) == "Person 0"
        second.write(rename)
        with ThreadPoolExecutor(1) as others:
            others.submit(first.read, name).result()  # now the memory has the new name
        assert first.recall(name) is None
        with pytest.raises(Outdated):
            first.confirm()


def test_what_one_request_recalled_is_not_required_of_the_next(store_url: str) -> None:
    with remembered_name(store_url) as (first, second):
        with first.assuming():
            assert first.recall(name) == "Person 0"
        second.write(rename)
        assert first.recall(name) is None
        assert first.read(name) == "Renamed"


def test_changes_of_other_kinds_leave_recalled_values_valid(store_url: str) -> None:
    with remembered_name(store_url) as (first, second), first.assuming():
        assert first.recall(name) == "Person 0"
        second.write(lambda tx: add_linkifier(tx, 1))
        assert first.write(lambda tx: tx.draw()) > 0


@contextmanager
def hooked(storage: SqlStorage) -> Iterator[list[object]]:
    """Yield the statements that are sent meanwhile."""
    hooks, sent = storage.backend.database.query_hooks, list[object]()
    hooks.append(sent.append)
    try:
        yield sent
    finally:
        hooks.remove(sent.append)
