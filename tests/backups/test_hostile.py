"""Backups that are damaged, or that somebody has changed: each fault is named, and nothing is restored."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.backups.lunch import backups, contents, lunch, made, restored_elsewhere, rewrite
from tests.test_cli import error_line, home, run

__all__ = ["home", "lunch"]


def test_a_key_with_a_line_end_is_damage(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made()
    (backup,) = backups()
    rewrite(backup, "files.jsonl", b'{"key":"ab/abc\\n","size":4,"sha256":"%s"}\n' % (b"0" * 64))
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert "files.jsonl cannot be read: " in checked.stdout
    assert "files.jsonl cannot be read: " in error_line(restored_elsewhere(home, monkeypatch), 1)
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TABLE organization", "no such table: organization"),
        ("DELETE FROM organization", "the table 'organization' is empty"),
        (None, "no such table: organization"),
    ],
)
def test_a_database_without_an_organization_is_not_restored(
    lunch: Callable[..., str],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    statement: str | None,
    said: str,
) -> None:
    lunch(b"soup")
    made()
    (backup,) = backups()
    if statement is not None:
        with closing(sqlite3.connect(backup / "database.db", isolation_level=None)) as database:
            database.execute("PRAGMA foreign_keys = OFF")
            database.execute(statement)
    rewrite(backup, "database.db", b"" if statement is None else (backup / "database.db").read_bytes())
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert f"database.db cannot be used: {said}" in checked.stdout
    assert f"database.db cannot be used: {said}" in error_line(restored_elsewhere(home, monkeypatch), 1)
    assert list(Path().iterdir()) == []


def put_pipe(path: Path) -> None:
    os.mkfifo(path)


def put_folder(path: Path) -> None:
    path.mkdir()


def put_link(path: Path) -> None:
    (path.parent / "salad").write_bytes(b"soup")
    path.symlink_to("salad")


@pytest.mark.parametrize("put", [put_pipe, put_folder, put_link])
def test_what_is_in_the_place_of_a_file_is_damage(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch, put: Callable[[Path], None]
) -> None:
    soup, bread = lunch(b"soup"), lunch(b"bread")
    made()
    place = home / "backups" / "files" / soup
    place.unlink()
    put(place)
    checked = run("backup", "--check", "backups", "--json")
    assert checked.exit_code == 1
    (problem,) = json.loads(checked.stdout)["problems"]
    assert f"files/{soup} is missing, or is no file; remove it" in problem
    with monkeypatch.context() as there:
        said = error_line(restored_elsewhere(home, there), 1)
        assert f"but for 1 file that the backup lacks: {soup}" in said
        assert contents(Path("chat-data") / "uploads") == {bread: b"bread"}
    if put is put_folder:
        place.rmdir()
    assert made()["new_files"] == 1
    assert run("backup", "--check", "backups").exit_code == 0


@pytest.mark.parametrize("part", ["manifest.json", "files.jsonl", "database.db"])
def test_a_pipe_in_the_place_of_a_part_is_damage(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    made()
    (backup,) = backups()
    (backup / part).unlink()
    put_pipe(backup / part)
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert f"{part} cannot be read: Not a regular file" in checked.stdout
    assert "Not a regular file" in error_line(restored_elsewhere(home, monkeypatch), 1)


@pytest.mark.parametrize("part", ["manifest.json", "files.jsonl"])
def test_old_backups_are_removed_beside_a_damaged_one(lunch: Callable[..., str], part: str) -> None:
    lunch(b"soup")
    made()
    made()
    made()
    _, kept, damaged = backups()
    (damaged / part).write_text("{")
    done = run("backup", "backups", "--keep", "2")
    newest = backups()[-1]
    assert backups() == [kept, damaged, newest]
    said = error_line(done, 1)
    assert f"{newest} is made, but " in said
    assert f"{damaged / part} " in said
    assert f"{newest} has 5 messages" in done.stdout
    made("--keep", "1")
    assert len(backups()) == 1


@pytest.mark.parametrize("name", ["9999-12-31T235959Z", "2026-99-99T999999Z", "2026-1-01T000000Z"])
def test_a_name_that_is_no_time_is_no_backup(lunch: Callable[..., str], name: str) -> None:
    made()
    (backup,) = backups()
    backup.rename(backup.with_name(name))
    done = run("backup", "backups")
    if name.startswith("9"):
        assert f"no time is later than that of backups/{name}; remove it" in error_line(done, 1)
        assert len(backups()) == 1
    else:
        assert done.exit_code == 0, done.output
        assert run("backup", "--check", "backups").output == "1 backup is whole\n"


def test_a_link_to_a_backup_is_removed_alone(lunch: Callable[..., str], home: Path) -> None:
    made()
    (backup,) = backups()
    backup.rename(home / "moved")
    backup.symlink_to(home / "moved")
    Path("backups/other.unfinished").symlink_to(home / "moved")
    assert made("--keep", "1")["removed_backups"] == 1
    assert not backup.is_symlink()
    assert (home / "moved" / "manifest.json").exists()
    assert made("--keep", "1")["removed_backups"] == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("organization", "Club\x1b]0;owned\x07\x9b"),
        ("migrations", ["9001\x1b[2J"]),
        ("version", "2\x1b[2J"),
        ("\x1b[2J", 1),
        ("parts", {"\x1b[2J": 1}),
    ],
)
def test_names_in_a_manifest_do_not_control_the_terminal(
    lunch: Callable[..., str],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    field: str,
    value: object,
) -> None:
    made()
    (backup,) = backups()
    manifest = json.loads((backup / "manifest.json").read_text())
    (backup / "manifest.json").write_text(json.dumps({**manifest, field: value}))
    for done in (run("backup", "--check", "backups"), restored_elsewhere(home, monkeypatch)):
        printed = done.output.replace("\n", "")
        assert printed
        assert printed.isprintable(), printed
