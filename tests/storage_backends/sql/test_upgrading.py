"""Databases that people have are upgraded: their rows fit the rules that came with a migration."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from playhouse.migrations import Runner

from chatcore.storage import StorageNotReady, Transaction
from chatcore.storage.conformance.makers import add_user
from chatcore.storage.conformance.transactions import Crowd
from storage_backends import open_storage
from storage_backends.sql import upgrading
from storage_backends.sql.store import SqlStorage
from storage_backends.sql.upgrading import BEFORE_FIRST, FIRST, MIGRATIONS
from tests.postgres.connections import OURSELVES
from tests.storage_backends.sql import test_schema
from tests.waiting import until

Before = Callable[[str], None]


@pytest.fixture
def before(bare_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Before:
    """Make the tables as they were before a migration."""

    def make(number: str) -> None:
        folder = tmp_path / "migrations"
        folder.mkdir()
        for path in MIGRATIONS.glob("[0-9]*.py"):
            if path.name < number:
                shutil.copy(path, folder)
        with monkeypatch.context() as patched, closing(open_storage(bare_url)) as storage:
            patched.setattr(upgrading, "MIGRATIONS", folder)
            storage.migrate()

    return make


@contextmanager
def database(url: str) -> Iterator[Callable[..., Any]]:
    """Run statements in a store."""
    with closing(open_storage(url)) as storage, storage.backend.connection():
        yield lambda statement, *values: run(storage, statement, values)


def run(storage: SqlStorage, statement: str, values: tuple[object, ...]) -> Any:
    param = storage.backend.dialect.options["param"]
    with storage.backend.database.atomic():
        cursor = storage.backend.database.execute_sql(statement.replace("?", param), values)
        return cursor.fetchall() if statement.startswith("SELECT") else None


def test_addresses_of_channels_begin_with_their_first_version(bare_url: str, before: Before) -> None:
    before("0014")
    with database(bare_url) as sql:
        sql(
            "INSERT INTO channel (id, name, name_key, description, rendered_description, date_created,"
            " invite_only, is_web_public, history_public_to_subscribers, is_archived, topics_policy,"
            " subscriber_count, permissions)"
            " VALUES (1, 'lunch', 'lunch', '', '', 1, ?, ?, ?, ?, 'inherit', 0, '{}')",
            False, False, True, False,
        )  # fmt: skip
    with closing(open_storage(bare_url)) as storage:
        storage.migrate()
        (channel,) = storage.read(lambda snapshot: snapshot.channels.all())
    assert channel.address_version == 0


ACCOUNT = (
    "INSERT INTO account (id, email, email_key, full_name, name_key, role, is_bot, bot_owner_id, is_active,"
    " date_joined, timezone, avatar_source, avatar_version, email_visibility, key_version, settings)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, '', 'G', 1, 1, 7, '{}')"
)
QUEUE = (
    "INSERT INTO event_queue (id, user_id, registration, created_at, acknowledged, last_seen)"
    " VALUES (?, ?, '{}', 1, 1, 1.0)"
)


def add_account(
    sql: Callable[..., Any], number: int, role: int, owner: int | None = None, active: bool = True
) -> None:
    name = f"a{number}"
    sql(ACCOUNT, number, name, name, name, name, role, owner is not None or number == 9, owner, active)


@pytest.mark.parametrize("above", [True, False])
def test_bots_above_their_owners_are_lowered_and_get_new_keys(
    bare_url: str, before: Before, above: bool
) -> None:
    before("0013")
    with database(bare_url) as sql:
        for number, role in ((1, 100), (2, 400), (3, 600), (9, 200)):  # 9: a bot of the organization
            add_account(sql, number, role)
        add_account(sql, 11, 100, owner=1)
        add_account(sql, 12, 600, owner=2)
        if above:
            add_account(sql, 13, 200, owner=2)
            add_account(sql, 14, 400, owner=3)
            add_account(sql, 15, 100, owner=3, active=False)
        for user_id in (1, 12):
            sql(QUEUE, f"q{user_id}", user_id)
    with closing(open_storage(bare_url)) as storage:
        assert storage.migrate()[0] == "0013_roles_of_bots"
        users = storage.read(lambda snapshot: snapshot.users.all())
    found = {user.id: (user.role, user.key_version) for user in users}
    same = {1: (100, 7), 2: (400, 7), 3: (600, 7), 9: (200, 7), 11: (100, 7), 12: (600, 7)}
    lowered = {13: (400, 8), 14: (600, 8), 15: (600, 8)} if above else {}
    assert found == same | lowered
    assert {user.key_holder_id for user in users} == {None}
    with database(bare_url) as sql:
        assert len(sql("SELECT id FROM event_queue")) == (0 if above else 2)


# -- databases from before the first migration ---------------------------------------------------------

OLD = sorted(path.stem for path in BEFORE_FIRST.glob("0*.py"))
NEW = sorted(path.stem for path in MIGRATIONS.glob("0*.py"))
MESSAGE = (
    "INSERT INTO message (id, sender_id, recipient_id, topic, topic_key, content, rendered_content,"
    " timestamp, client, has_link, has_image, has_attachment, channel_wildcard)"
    " VALUES (?, 1, 3, 'Soup', 'soup', 'Two pumpkins', '<p>Two pumpkins</p>', 1, 'web', ?, ?, ?, ?)"
)


def make_old_tables(url: str, last: str) -> None:
    """Make the tables as the replaced migrations left them, up to one of them."""
    with closing(open_storage(url)) as storage:
        assert storage.backend.create() is None
        with storage.backend.connection():
            Runner(storage.backend.database, str(BEFORE_FIRST)).up(last)


def recorded(url: str) -> list[str]:
    with database(url) as sql:
        return sorted(name for (name,) in sql("SELECT name FROM schema_migration"))


def require_upgrade(url: str, last: str) -> None:
    """Upgrade old tables, and compare them with the Models."""
    make_old_tables(url, last)
    lacking = [*OLD[OLD.index(last) + 1 :], *(name for name in NEW if name != FIRST)]
    took: dict[str, float] = {}
    with closing(open_storage(url)) as storage:
        assert storage.pending() == lacking
        assert storage.migrate(took.__setitem__) == lacking
        assert storage.pending() == []
    assert list(took) == lacking
    assert recorded(url) == NEW
    if url.startswith("sqlite"):
        test_schema.test_the_models_are_the_tables_of_sqlite(url)
    else:
        test_schema.test_the_models_are_the_tables_of_postgresql(url)


@pytest.mark.parametrize("last", [OLD[0], OLD[-1]])
def test_databases_of_replaced_migrations_get_the_same_tables(bare_url: str, last: str) -> None:
    require_upgrade(bare_url, last)


def test_each_replaced_migration_can_be_the_last(tmp_path: Path) -> None:
    for last in OLD:
        require_upgrade(f"sqlite:///{tmp_path}/{last}.db", last)


def test_the_time_of_a_migration_is_without_that_of_waiting_for_writers(
    bare_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = itertools.count()
    monkeypatch.setattr(upgrading, "time", SimpleNamespace(monotonic=lambda: next(now)))
    took: dict[str, float] = {}
    with closing(open_storage(bare_url)) as storage:
        monkeypatch.setattr(storage.backend, "lock_out_writers", lambda: next(now))
        storage.migrate(took.__setitem__)
    assert set(took.values()) == {1}, "two looks at the clock, and nothing between them"


def test_the_search_index_is_built_from_old_messages(bare_url: str) -> None:
    make_old_tables(bare_url, "0012_muting_has_periods")
    with database(bare_url) as sql:
        for number in range(1, 1003):  # more than are read at once
            sql(MESSAGE, number, False, False, False, False)
    with closing(open_storage(bare_url)) as storage:
        storage.migrate()
    with database(bare_url) as sql:
        rows = sql("SELECT words, place, folded FROM message_search")
    assert len(rows) == 1002
    ((words, place, folded),) = set(rows)
    assert "pumpkin" in words
    assert "soup" in place
    assert folded == "two pumpkins"


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("last", ["0015_messages_that_arrive_read", "0013_words_of_places"])
def test_an_upgrade_that_fails_changes_nothing_of_an_old_database(bare_url: str, last: str) -> None:
    """Also what the migrations before the one that fails have done."""
    make_old_tables(bare_url, last)
    before = recorded(bare_url)
    with database(bare_url) as sql:
        sql("CREATE TABLE known_network (soup TEXT)")  # which a later migration makes
    with closing(open_storage(bare_url)) as storage, pytest.raises(StorageNotReady, match="known_network"):
        storage.migrate()
    assert recorded(bare_url) == before
    with database(bare_url) as sql:
        sql("DROP TABLE known_network")
    with closing(open_storage(bare_url)) as storage:
        storage.migrate()
    assert recorded(bare_url) == NEW


TWO_LOCKS = """
def up(migrator, db):
    db.execute_sql("LOCK TABLE account IN SHARE MODE")
    db.execute_sql("LOCK TABLE account IN ACCESS EXCLUSIVE MODE")
"""


def someone_waits_for_a_lock(url: str) -> bool:
    with psycopg.connect(url, application_name=OURSELVES) as connection:
        return connection.execute("SELECT FROM pg_locks WHERE NOT granted").fetchone() is not None


def test_a_migration_begins_when_the_writers_have_ended(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a writer would wait for it that has read what it locks, and it for that writer."""
    folder = shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    (folder / "9999_two_locks.py").write_text(TWO_LOCKS)
    crowd = Crowd()
    with closing(open_storage(postgres_url)) as storage, closing(open_storage(postgres_url)) as newer:

        def work(tx: Transaction) -> None:
            assert tx.users.all() == ()
            crowd.start("newer", newer.migrate)
            until(lambda: someone_waits_for_a_lock(postgres_url))
            add_user(tx, "ada")

        storage.check()
        monkeypatch.setattr(upgrading, "MIGRATIONS", folder)
        storage.write(work)
        crowd.wait()
        assert crowd.errors == {}
