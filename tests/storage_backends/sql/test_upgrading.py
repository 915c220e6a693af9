"""Databases that people have are upgraded: their rows fit the rules that came with a migration."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from storage_backends import open_storage
from storage_backends.sql import store
from storage_backends.sql.store import MIGRATIONS, SqlStorage

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
            patched.setattr(store, "MIGRATIONS", folder)
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
