"""`chatcore export` and `chatcore import archive`."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chatcore.application.archives import restoring, writing
from tests.test_cli import INIT, error_line, home, mode, run

__all__ = ["home"]

OTHER = ("--database", "sqlite:///other/chat.db")


@pytest.fixture
def archive(home: Path) -> Path:
    assert run(*INIT).exit_code == 0
    (home / "other").mkdir()
    result = run("export", "chat.zip")
    assert result.exit_code == 0, result.output
    assert "messages and everything else" in result.stdout
    return home / "chat.zip"


def test_an_organization_is_exported_and_restored(archive: Path) -> None:
    assert mode(archive) == 0o600
    result = run("import", "archive", "chat.zip", *OTHER)
    assert result.exit_code == 0, result.output
    assert "'Our team': 2 accounts, 1 channel" in result.stdout
    assert "ada@example.com" in run("user", "list", *OTHER).stdout
    old, new = (run("user", "key", "ada@example.com", *where).stdout for where in ((), OTHER))
    assert old != new
    assert mode(archive.parent / "other" / "chat.db") == 0o600
    assert run("check", *OTHER).exit_code == 0
    imported = run("audit", "--kind", "archive_imported", *OTHER).stdout
    assert "Z  console  archive_imported  organization" in imported


def test_an_export_never_replaces_a_file(archive: Path) -> None:
    before = archive.read_bytes()
    assert "exists already" in error_line(run("export", "chat.zip"), 1)
    assert archive.read_bytes() == before
    assert "cannot be written" in error_line(run("export", "nowhere/chat.zip"), 1)


def test_an_interrupted_export_leaves_nothing(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "_copy_file", interrupted)
    monkeypatch.setattr(writing, "pretty", interrupted)
    assert run("export", "second.zip").exit_code == 1
    assert {path.name for path in archive.parent.glob("*.zip*")} == {"chat.zip"}


def test_an_export_that_was_killed_does_not_stop_the_next(archive: Path) -> None:
    (archive.parent / "second.zip.unfinished").write_text("half")
    assert run("export", "second.zip").exit_code == 0
    assert {path.name for path in archive.parent.glob("second*")} == {"second.zip"}


def test_a_bad_archive_is_refused_in_one_line(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-1])
    error = error_line(run("import", "archive", "chat.zip", *OTHER), 1)
    assert error.startswith("chat.zip cannot be restored: it is not an archive of this program")


def test_an_archive_needs_an_empty_database(archive: Path) -> None:
    error = error_line(run("import", "archive", "chat.zip"), 1)
    assert error == "The database has an organization already; an archive needs an empty database."


def test_an_interrupted_import_restores_nothing(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(restoring, "_fit_to_this_server", interrupted)
        result = run("import", "archive", "chat.zip", *OTHER)
    assert "nothing was restored" in error_line(result, 1)
    assert run("import", "archive", "chat.zip", *OTHER).exit_code == 0


def test_an_archive_that_cannot_be_restored_is_reported_in_time(archive: Path) -> None:
    with closing(sqlite3.connect(archive.parent / "chat.db")) as connection:
        connection.execute("UPDATE message SET sender_id = 999")
        connection.commit()
    checked = run("check")
    assert checked.exit_code == 1
    assert "could not be restored: 'message' refers by 'sender_id' to 999" in checked.stdout
    error = error_line(run("export", "second.zip"), 1)
    assert error.startswith("second.zip cannot be restored as it is: 'message' refers by 'sender_id' to 999")
    assert (archive.parent / "second.zip").exists()
    (archive.parent / "another").mkdir()
    refused = run("import", "archive", "second.zip", "--database", "sqlite:///another/chat.db")
    assert "'message' refers by 'sender_id' to 999" in error_line(refused, 1)
