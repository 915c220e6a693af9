"""`chatcore restore`, and `backup --check`: what is put back, and what is damaged."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from chatcore import BadEventQueue, open_chat
from tests.backups.lunch import backups, change_parts, contents, damage, lunch, made, restored_elsewhere
from tests.test_cli import error_line, home, mode, run

__all__ = ["home", "lunch"]


def test_an_older_backup_can_be_restored(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lunch(b"soup")
    first = made()
    lunch(b"salad")
    made()
    done = restored_elsewhere(home, monkeypatch, backup=f"../{first['backup']}")
    assert "5 messages, 1 person, 1 file\n" in done.output


def test_the_secret_is_not_in_a_backup_without_a_passphrase(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not made()["has_secret"]
    secret = (home / "chat-data" / "secret_key").read_bytes()
    assert not any(secret in path.read_bytes() for path in (home / "backups").rglob("*") if path.is_file())
    done = restored_elsewhere(home, monkeypatch)
    assert done.exit_code == 0
    assert (
        "Before 'chatcore serve': the secret of this organization is not in chat-data/secret_key"
        in done.output
    )
    assert not Path("chat-data").exists()


def test_the_secret_and_the_settings_are_restored_with_the_passphrase(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "chatcore.toml").write_text("trusted_proxies = 1\n")
    passphrase, other = home / "passphrase", home / "other"
    passphrase.write_text("correct horse battery\n")
    other.write_text("another horse battery\n")
    assert made("--passphrase-file", "passphrase")["has_secret"]
    secret = (home / "chat-data" / "secret_key").read_bytes()
    assert not any(secret in path.read_bytes() for path in (home / "backups").rglob("*") if path.is_file())
    refused = restored_elsewhere(home, monkeypatch, "--passphrase-file", str(other))
    assert "cannot be opened with this passphrase" in error_line(refused, 1)
    assert list(Path().iterdir()) == []
    done = run("restore", "../backups", "--passphrase-file", str(passphrase))
    assert done.exit_code == 0, done.output
    assert Path("chat-data/secret_key").read_bytes() == secret
    assert mode(Path("chat-data/secret_key")) == 0o600
    assert Path("chat-data/chatcore.toml.restored").read_text() == "trusted_proxies = 1\n"
    assert "Before" not in done.output
    assert run("check").exit_code == 0


def test_a_secret_in_a_backup_is_not_forgotten(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "passphrase").write_text("correct horse battery\n")
    made("--passphrase-file", "passphrase")
    refused = error_line(restored_elsewhere(home, monkeypatch), 1)
    assert "has the secret, and none is here: restore it with --passphrase-file" in refused
    assert list(Path().iterdir()) == []
    both = ("--without-secret", "--passphrase-file", "../passphrase")
    assert "cannot be combined" in error_line(run("restore", "../backups", *both), 2)
    assert "Before 'chatcore serve'" in run("restore", "../backups", "--without-secret").output
    Path("chat.db").unlink()
    Path("chat-data").mkdir(exist_ok=True)
    shutil.copy("../chat-data/secret_key", "chat-data")
    done = run("restore", "../backups")
    assert (done.exit_code, "Before" in done.output) == (0, False)
    assert run("check").exit_code == 0


def test_a_restore_overwrites_nothing(lunch: Callable[..., str], home: Path) -> None:
    lunch(b"soup")
    made()
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert "chat.db is not empty; move it away first, or restore into a new one" in error_line(
        run("restore", "backups"), 3
    )
    (home / "chat.db").rename("old.db")
    (home / "chat-data" / "uploads" / "ff").mkdir()
    (home / "chat-data" / "uploads" / "ff" / "other").write_bytes(b"of another organization")
    assert "has 1 that are not in the backup, such as ff/other" in error_line(run("restore", "backups"), 1)
    assert not (home / "chat.db").exists()
    assert all(path.read_bytes() == data for path, data in before.items() if path.name != "chat.db")


def test_a_restore_that_was_interrupted_is_repeated(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soup, salad = lunch(b"soup"), lunch(b"salad")
    made()
    uploads = home / "elsewhere" / "chat-data" / "uploads"
    (uploads / soup).parent.mkdir(parents=True)
    (uploads / soup).write_bytes(b"soup")
    monkeypatch.chdir(home / "elsewhere")
    assert run("restore", "../backups").exit_code == 0
    assert contents(uploads) == {soup: b"soup", salad: b"salad"}


def test_clients_register_anew_after_a_restore(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_chat("sqlite:///chat.db") as chat:
        ada = chat.users.actor("ada@example.com")
        queue = chat.events.register(ada)
        made()
        lost = chat.messages.send(ada, "lost", channel="general", topic="menu")
    assert restored_elsewhere(home, monkeypatch).exit_code == 0
    shutil.copytree("../chat-data", "chat-data")
    with open_chat("sqlite:///chat.db") as chat:
        with pytest.raises(BadEventQueue):
            chat.events.poll(ada, queue.queue_id, queue.last_event_id)
        anew = chat.messages.send(ada, "anew", channel="general", topic="menu")
    assert anew.message_id > lost.message_id + 900_000


@pytest.mark.parametrize("part", ["database.db", "files.jsonl", "manifest.json"])
def test_damaged_parts_are_found_and_not_restored(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    lunch(b"soup")
    made()
    damage(backups()[0] / part)
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert f"{backups()[0] / part} " in checked.stdout
    assert part in error_line(restored_elsewhere(home, monkeypatch), 1)
    assert list(Path().iterdir()) == []


def test_a_damaged_list_stops_no_backup_but_keeps_old_ones(lunch: Callable[..., str]) -> None:
    lunch(b"soup")
    made()
    damage(backups()[0] / "files.jsonl")
    assert made()["new_files"] == 1
    said = error_line(run("backup", "backups", "--keep", "3"), 1)
    assert "files.jsonl is damaged" in said
    assert len(backups()) == 3
    assert made("--keep", "1")["removed_backups"] == 3


def test_damaged_and_missing_files_are_found_and_copied_again(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soup, salad, bread = lunch(b"soup"), lunch(b"salad"), lunch(b"bread")
    made()
    files = home / "backups" / "files"
    damage(files / soup)
    (files / salad).unlink()
    checked = run("backup", "--check", "backups", "--json")
    assert checked.exit_code == 1
    said = json.loads(checked.stdout)["problems"]
    assert [key in one for key in (soup, salad) for one in sorted(said, key=lambda one: salad in one)] == [
        True, False, False, True,
    ]  # fmt: skip
    with monkeypatch.context() as there:
        done = restored_elsewhere(home, there)
        assert "but for 2 files that the backup lacks" in done.stderr
        assert done.exit_code == 1
        assert contents(Path("chat-data") / "uploads") == {bread: b"bread"}
        assert Path("chat.db").exists()
    (files / soup).unlink()
    assert made()["new_files"] == 2
    assert run("backup", "--check", "backups").exit_code == 0


def test_a_backup_of_a_newer_program_is_refused(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made()
    manifest = backups()[0] / "manifest.json"
    manifest.write_text(manifest.read_text().replace("0001_the_tables", "9001_the_future"))
    said = error_line(restored_elsewhere(home, monkeypatch), 1)
    assert "was made by a newer version of this program (it has '9001_the_future')" in said
    assert list(Path().iterdir()) == []


def test_a_file_of_the_same_size_is_replaced(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soup = lunch(b"soup")
    made()
    uploads = home / "elsewhere" / "chat-data" / "uploads"
    (uploads / soup).parent.mkdir(parents=True)
    (uploads / soup).write_bytes(b"stew")
    monkeypatch.chdir(home / "elsewhere")
    assert run("restore", "../backups").exit_code == 0
    assert contents(uploads) == {soup: b"soup"}


def test_a_copy_of_a_database_that_was_bad_from_the_beginning_is_found(lunch: Callable[..., str]) -> None:
    made()
    (path,) = backups()
    (path / "database.db").write_text("This is no database. " * 1000)
    change_parts(path, **{"database.db": path / "database.db"})
    checked = run("backup", "--check", "backups")
    assert checked.exit_code == 1
    assert f"{path / 'database.db'} cannot be used: " in checked.stdout


@pytest.mark.parametrize("name", ["other", "../../chat.db"])
def test_a_manifest_names_no_other_files(
    lunch: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    made()
    (path,) = backups()
    (path / "other").write_text("of somebody")
    change_parts(path, **{name: path / name})
    assert "names other parts than a backup has" in run("backup", "--check", "backups").stdout
    assert "names other parts" in error_line(restored_elsewhere(home, monkeypatch), 1)
