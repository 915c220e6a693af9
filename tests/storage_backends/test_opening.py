"""Opening a store: URLs, migrations, and error texts."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from chatcore.storage.conformance.makers import add_user
from chatcore.storage.transaction import StorageNotReady
from storage_backends import BadDatabaseUrl, open_storage
from storage_backends.sql.store import SqlStorage
from storage_backends.sql.upgrading import MIGRATIONS
from tests.postgres import PostgresServer
from tests.waiting import PATIENCE


def problem_with(storage: SqlStorage) -> str:
    with closing(storage), pytest.raises(StorageNotReady) as caught:
        storage.check()
    return str(caught.value)


def names() -> list[str]:
    return sorted(path.stem for path in MIGRATIONS.glob("[0-9]*.py"))


def test_migrations_are_applied_in_order_and_once(bare_url: str) -> None:
    with closing(open_storage(bare_url)) as storage:
        assert storage.migrate() == names()
        assert storage.migrate() == []
        storage.check()
    with closing(open_storage(bare_url)) as storage:
        assert storage.migrate() == []


def test_processes_that_start_together_migrate_once(bare_url: str) -> None:
    applied: list[list[str]] = []
    errors: list[BaseException] = []
    together = threading.Barrier(4)

    def start() -> None:
        with closing(open_storage(bare_url)) as storage:
            together.wait(PATIENCE)
            try:
                applied.append(storage.migrate())
            except BaseException as error:
                errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert errors == []
    assert sorted(applied) == [[], [], [], names()]


def test_a_store_without_tables_asks_for_init(bare_url: str) -> None:
    assert "chatcore init" in problem_with(open_storage(bare_url))


def test_using_a_store_without_tables_locks_nobody_out(bare_url: str) -> None:
    with closing(open_storage(bare_url)) as storage, closing(open_storage(bare_url)) as other:
        assert storage.backend.create() is None
        with pytest.raises(Exception, match="log_head"):
            storage.write(lambda tx: add_user(tx, "ada"))
        other.migrate()
        assert storage.write(lambda tx: add_user(tx, "ada")).full_name == "Ada"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("9999_from_the_future", "newer version of this program .*'9999_from_the_future'"),
        ("0002_of_another_chain", "no version .*'0002_of_another_chain'"),
        ("0020_counts_that_are_over", "no version .*'0020_counts_that_are_over'"),  # beside its replacement
        ("initial", "no version .*'initial'"),
    ],
)
def test_a_store_with_unknown_migrations_is_refused(bare_url: str, name: str, problem: str) -> None:
    with closing(open_storage(bare_url)) as storage:
        storage.migrate()
        with storage.backend.connection():
            storage.backend.database.execute_sql(
                f"INSERT INTO schema_migration (name, applied) VALUES ('{name}', CURRENT_TIMESTAMP)"
            )
        for work in (storage.migrate, storage.check):
            with pytest.raises(StorageNotReady, match=problem):
                work()


def test_a_database_of_another_program_is_refused(bare_url: str) -> None:
    with closing(open_storage(bare_url)) as storage:
        storage.backend.create()
        with storage.backend.connection():
            storage.backend.database.execute_sql("CREATE TABLE message (id INTEGER)")
        for work in (storage.migrate, storage.check):
            with pytest.raises(StorageNotReady, match=r"belongs to another program: .*'message'"):
                work()
        with storage.backend.connection():
            assert storage.backend.database.get_tables() == ["message"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    storage = open_storage(f"sqlite:///{tmp_path}/nowhere/chat.db")
    assert problem_with(storage) == (
        f"the folder of the database file does not exist: {tmp_path}/nowhere; make it, or name another file"
    )


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert problem_with(open_storage(f"sqlite:///{tmp_path}")).endswith(f"is a folder: {tmp_path}")


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "shopping.txt"
    path.write_text("apples, pears, " * 1000)
    storage = open_storage(f"sqlite:///{path}")
    with pytest.raises(StorageNotReady, match="not a database"):
        storage.migrate()
    assert "not a database" in problem_with(storage)
    assert path.read_text().startswith("apples, pears, ")


def test_checking_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "chat.db"
    problem_with(open_storage(f"sqlite:///{path}"))
    assert not path.exists()


def test_a_postgresql_that_is_not_running_is_named(tmp_path: Path) -> None:
    message = problem_with(open_storage(f"postgresql://chat@/chat?host={tmp_path}"))
    assert message.startswith("cannot connect to PostgreSQL: ")
    assert str(tmp_path) in message
    assert "No such file or directory. Is the server running" in message
    assert "\n" not in message


def test_a_database_that_does_not_exist_is_named(postgres: PostgresServer) -> None:
    url = postgres.url.replace("/postgres?", "/no_such_database?")
    assert "no_such_database" in problem_with(open_storage(url))


@pytest.mark.parametrize(
    "url", ["", "chat.db", "sqlite:", "sqlite:///", "sqlite://chat.db", "mysql://localhost/chat"]
)
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(BadDatabaseUrl):
        open_storage(url)


def test_an_acknowledged_change_survives_a_power_failure(sqlite_url: str) -> None:
    with closing(open_storage(sqlite_url)) as storage, storage.backend.connection():
        execute = storage.backend.database.execute_sql
        assert execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert execute("PRAGMA synchronous").fetchone() == (2,)


def test_postgresql_keeps_its_durability(postgres_url: str) -> None:
    with closing(open_storage(postgres_url)) as storage, storage.backend.connection():
        assert storage.backend.database.execute_sql("SHOW synchronous_commit").fetchone() == ("on",)
