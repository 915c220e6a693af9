"""A SQLite file that is moved, replaced or deleted while a store has it open."""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from chatcore.events.audience import Everyone
from chatcore.storage import StorageNotReady, Transaction
from chatcore.storage.conformance.makers import an_event, announce
from chatcore.storage.conformance.transactions import Crowd, texts
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage


def nothing(_: Path) -> None:
    """Leave no file at the name."""


def an_older_copy(file: Path) -> None:
    shutil.copy(file.with_suffix(".backup"), file)


def another_database(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE soup (id INTEGER)")


def is_whole(file: Path) -> bool:
    with closing(sqlite3.connect(file)) as connection:
        found: list[tuple[str]] = connection.execute("PRAGMA integrity_check").fetchall()
        return found == [("ok",)]


def refuses(storage: SqlStorage) -> None:
    for work in (
        lambda: announce(storage, "never"),
        lambda: texts(storage),
        lambda: storage.queue_and_head("one"),
        storage.check,
    ):
        with pytest.raises(StorageNotReady, match="while it was in use"):
            work()


@pytest.mark.parametrize("put", [nothing, an_older_copy, another_database])
def test_nothing_is_written_until_the_file_is_back(sqlite_url: str, put: Callable[[Path], None]) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("VACUUM INTO ?", (str(file.with_suffix(".backup")),))
        away = file.rename(file.with_suffix(".away"))
        put(file)
        there = file.read_bytes() if file.exists() else None
        crowd = Crowd()
        for number in range(20):
            crowd.start(f"{number}", lambda: announce(storage, "never"))
        crowd.wait()
        assert {type(error) for error in crowd.errors.values()} == {StorageNotReady}
        assert len(crowd.errors) == 20
        refuses(storage)
        assert (file.read_bytes() if file.exists() else None) == there
        away.replace(file)
        if put is another_database:  # with which SQLite has deleted the log of the old one
            refuses(storage)
        else:
            announce(storage, "two")
            assert texts(storage) == ["one", "two"]
            storage.check()
    with closing(open_storage(sqlite_url)) as storage:
        assert texts(storage)[0] == "one"
        announce(storage, "three")
    assert is_whole(file)


def test_a_unit_of_work_is_not_committed_to_a_file_that_was_moved_meanwhile(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    away = file.with_suffix(".away")

    def work(tx: Transaction) -> None:
        tx.announce(an_event("never"), Everyone())
        file.rename(away)

    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        with pytest.raises(StorageNotReady, match="while it was in use"):
            storage.write(work)
        away.rename(file)
        announce(storage, "two")
        assert texts(storage) == ["one", "two"]


def test_a_connection_that_was_made_to_another_file_is_not_used_later(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        database = storage.backend.database
        database.close_all()
        shutil.copy(file, file.with_suffix(".backup"))
        connect = database.connect

        def connect_to_a_copy() -> bool:
            file.rename(file.with_suffix(".away"))
            an_older_copy(file)
            return bool(connect())

        with monkeypatch.context() as patch:
            patch.setattr(database, "connect", connect_to_a_copy)
            with pytest.raises(StorageNotReady, match="while it was in use"):
                texts(storage)
        file.with_suffix(".away").replace(file)
        announce(storage, "two")
    with closing(open_storage(sqlite_url)) as storage:
        assert texts(storage) == ["one", "two"]


def test_no_file_is_made_beside_the_log_of_a_moved_one(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        away = file.rename(file.with_suffix(".away"))
        with closing(open_storage(sqlite_url)) as another:
            for work in (another.check, another.migrate):
                with pytest.raises(StorageNotReady, match="put the file back"):
                    work()
        assert not file.exists()
        away.rename(file)
        announce(storage, "two")
    with closing(open_storage(sqlite_url)) as storage:
        assert texts(storage) == ["one", "two"]


def test_a_file_that_is_deleted_during_writes_loses_nothing_afterwards(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    deleted = threading.Event()
    late: list[int] = []

    def write() -> None:
        with suppress(StorageNotReady):
            while True:
                was_deleted = deleted.is_set()
                announce(storage, "one")
                late.extend([1] * was_deleted)

    crowd = Crowd()
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "first")  # only a file that was used can be missed
        for number in range(4):
            crowd.start(f"{number}", write)
        file.unlink()
        deleted.set()
        crowd.wait()
        refuses(storage)
    assert (late, crowd.errors, file.exists()) == ([], {}, False)


def test_no_file_is_made_by_a_connection(tmp_path: Path) -> None:
    with closing(open_storage(f"sqlite:///{tmp_path}/a name?mode=rwc#%.db")) as storage:
        with pytest.raises(StorageNotReady):
            texts(storage)
        assert list(tmp_path.iterdir()) == []
        storage.migrate()
        announce(storage, "one")
        assert texts(storage) == ["one"]
    assert (tmp_path / "a name?mode=rwc#%.db").exists()


def as_a_link(file: Path) -> Path:
    away = file.rename(file.with_suffix(".away"))
    file.symlink_to(away)
    return away


def in_the_folder_of_a_link(file: Path) -> Path:
    """Put the file into another folder, and a link to it in its place."""
    folder = file.with_suffix(".folder")
    folder.mkdir()
    away = file.rename(folder / file.name)
    file.symlink_to(away)
    return away


@pytest.mark.parametrize("move", [as_a_link, in_the_folder_of_a_link])
def test_a_link_to_the_moved_file_is_not_that_file(sqlite_url: str, move: Callable[[Path], Path]) -> None:
    """SQLite would write the changes of new connections to another log than those of the old ones."""
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        away = move(file)
        refuses(storage)
        assert not away.with_name(f"{away.name}-wal").exists()
        away.replace(file)
        announce(storage, "two")
        assert texts(storage) == ["one", "two"]
    assert is_whole(file)


def test_a_link_that_was_there_from_the_beginning_may_lead_to_no_other_file(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    link, other = file.with_suffix(".link"), file.with_suffix(".other")
    link.symlink_to(file)
    with closing(open_storage(f"sqlite:///{link}")) as storage:
        announce(storage, "one")
        other.hardlink_to(file)  # the same file, with another log
        link.unlink()
        link.symlink_to(other)
        announce(storage, "two")
        file.unlink()
        refuses(storage)
        other.rename(file)
        refuses(storage)
        link.unlink()
        link.symlink_to(file)
        assert texts(storage) == ["one", "two"]
    assert is_whole(file)


def deleted(file: Path) -> None:
    file.unlink()


def moved(file: Path) -> None:
    file.rename(file.with_suffix(".away"))


def emptied(file: Path) -> None:
    file.unlink()
    file.touch()


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
@pytest.mark.parametrize("harm", [deleted, moved, emptied])
def test_a_log_that_is_taken_away_is_noticed_and_loses_nothing(
    sqlite_url: str, harm: Callable[[Path], None], ending: str
) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        harm(Path(f"{file}{ending}"))
        crowd = Crowd()
        for number in range(20):  # more than there are connections
            crowd.start(f"{number}", lambda: announce(storage, "never"))
        crowd.wait()
        assert {type(error) for error in crowd.errors.values()} == {StorageNotReady}
        refuses(storage)
    with closing(open_storage(sqlite_url)) as storage:
        assert texts(storage) == ["one"]
    assert is_whole(file)


def test_a_log_that_was_moved_and_is_back_is_used_again(sqlite_url: str) -> None:
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    log = Path(f"{file}-wal")
    with closing(open_storage(sqlite_url)) as storage:
        announce(storage, "one")
        away = log.rename(log.with_suffix(".away"))
        refuses(storage)
        away.rename(log)
        announce(storage, "two")
        assert texts(storage) == ["one", "two"]


def test_a_log_that_ended_with_its_last_connection_may_be_another_one_later(sqlite_url: str) -> None:
    with closing(open_storage(sqlite_url)) as storage:
        for text in ("one", "two", "three"):
            announce(storage, text)
            storage.backend.close()
        assert texts(storage) == ["one", "two", "three"]
