"""`chatcore backup`: what it copies, keeps and refuses."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from chatcore import open_chat
from chatcore.backups.folder import BackupFolder
from chatcore.backups.making import make_backup
from chatcore.settings import Settings
from tests.backups.lunch import backups, contents, key_in, lunch, made, restored_elsewhere
from tests.storage_backends.buckets import URL, bucket, names, s3_address
from tests.test_cli import INIT, error_line, home, mode, run
from tests.test_several_organizations import make, organization
from tests.upgrades.test_migrate import make_older
from tests.waiting import PATIENCE

__all__ = ["bucket", "home", "lunch", "s3_address"]


def test_only_new_files_are_copied(lunch: Callable[..., str], home: Path) -> None:
    soup = lunch(b"soup")
    first = made()
    assert (first["files"], first["new_files"], first["messages"]) == (1, 1, 5)
    untouched = (home / "backups" / "files" / soup).stat()
    lunch(b"salad")
    second = made()
    assert (second["files"], second["new_files"], second["messages"]) == (2, 1, 6)
    assert (home / "backups" / "files" / soup).stat() == untouched
    assert sorted(contents(home / "backups" / "files").values()) == [b"salad", b"soup"]
    assert [str(path) for path in backups()] == [first["backup"], second["backup"]]


def remove_files(key: str) -> None:
    """Remove a file from the organization, with all messages and rows that name it."""
    with open_chat("sqlite:///chat.db") as chat:
        ada = chat.users.actor("ada@example.com")
        (file,) = [one for one in chat.files.list(ada).attachments if key in one["path_id"]]
        chat.files.delete(ada, file["id"])


def test_old_backups_are_removed_with_their_files(lunch: Callable[..., str], home: Path) -> None:
    soup = lunch(b"soup")
    first = made()
    remove_files(soup)
    salad = lunch(b"salad")
    made()
    assert contents(home / "backups" / "files").keys() == {soup, salad}
    third = made("--keep", "2")
    assert third["removed_backups"] == 1
    assert not Path(first["backup"]).exists()
    assert len(backups()) == 2
    assert contents(home / "backups" / "files").keys() == {salad}
    assert run("backup", "--check", "backups").output == "2 backups are whole\n"


def test_backups_follow_each_other_whatever_the_clock_says(
    lunch: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = made()
    settings = Settings(database_url="sqlite:///chat.db")
    second = make_backup(settings, Path("backups"), keep=1, clock=lambda: 0.0)
    assert [path.name for path in backups()] == [second.path.name]
    assert second.path.name > Path(first["backup"]).name
    assert second.manifest.made_at == 0


DYING = """
import os, signal, sys
from chatcore.backups import making
from chatcore.cli import main

def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(making, sys.argv.pop(1), die)
main()
"""


@pytest.mark.parametrize("step", ["keys_in", "copy_file", "write_manifest"])
def test_a_killed_backup_leaves_nothing_that_looks_whole(lunch: Callable[..., str], step: str) -> None:
    lunch(b"soup")
    command = [sys.executable, "-c", DYING, step, "backup", "backups"]
    done = subprocess.run(command, timeout=2 * PATIENCE, check=False)
    assert done.returncode == -signal.SIGKILL
    assert backups() == []
    assert "there is no backup in backups" in error_line(run("backup", "--check", "backups"), 1)
    made()
    assert len(backups()) == 1
    assert not list(Path("backups").glob("*unfinished"))
    assert run("backup", "--check", "backups").exit_code == 0


def test_two_commands_exclude_each_other(lunch: Callable[..., str]) -> None:
    made()
    with BackupFolder(Path("backups")).lock_for_changes():
        for arguments in (["backup", "backups"], ["backup", "--check", "backups"]):
            assert "another backup command is at work in backups" in error_line(run(*arguments), 1)
    with BackupFolder(Path("backups")).lock_for_reading():
        assert run("backup", "--check", "backups").exit_code == 0
        assert "is at work" in error_line(run("backup", "backups"), 1)
    assert len(backups()) == 1


def test_a_full_disk_of_backups_is_named(lunch: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    lunch(b"soup")

    def refuse(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "ftruncate", refuse)
    assert "backups/files: No space left on device" in error_line(run("backup", "backups"), 3)
    assert backups() == []


def test_a_file_that_the_organization_lost_is_counted(lunch: Callable[..., str], home: Path) -> None:
    soup = lunch(b"soup")
    (home / "chat-data" / "uploads" / soup).unlink()
    assert made()["missing_files"] == 1
    assert "1 file is not there" in run("backup", "backups").output


@pytest.mark.parametrize(("text", "wrong"), [("short", "has fewer than 12"), (None, "cannot be read")])
def test_a_passphrase_has_to_be_there_and_long(
    lunch: Callable[..., str], text: str | None, wrong: str
) -> None:
    if text is not None:
        Path("passphrase").write_text(text)
    assert wrong in error_line(run("backup", "backups", "--passphrase-file", "passphrase"), 2)
    assert not Path("backups").exists()


def test_earlier_commands_hear_that_a_backup_is_a_folder(lunch: Callable[..., str], home: Path) -> None:
    assert "a backup is a folder of its own now" in error_line(run("backup", "chat-2026.db"), 1)
    Path("file").write_text("of somebody")
    assert "a backup is a folder of its own now" in error_line(run("backup", "file"), 1)
    assert "file/backups cannot be used: Not a directory" in error_line(run("backup", "file/backups"), 1)


def test_there_is_no_backup_of_nothing(home: Path) -> None:
    assert f"there is no database yet: {home}/chat.db" in error_line(run("backup", "backups"), 3)
    assert list(home.iterdir()) == []
    assert "there is no backup in nowhere" in error_line(run("restore", "nowhere"), 1)


def test_an_older_database_is_backed_up_by_the_program_of_its_version(home: Path) -> None:
    assert run(*INIT).exit_code == 0
    make_older(home / "chat.db")
    message = error_line(run("backup", "backups"), 3)
    assert "back it up with the program of that version, which is the only way back" in message
    assert "or run 'chatcore migrate' before" in message
    assert not Path("backups").exists()
    assert run("migrate").exit_code == 0
    assert made()["files"] == 0


def test_files_come_out_of_a_bucket_and_back(
    home: Path, bucket: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHATCORE_UPLOADS_URL", URL)
    assert run(*INIT).exit_code == 0
    with open_chat("sqlite:///chat.db", settings=Settings(uploads_url=URL)) as chat:
        ada = chat.users.actor("ada@example.com")
        soup = key_in(chat.files.upload(ada, "menu.txt", b"soup").url)
    assert made()["new_files"] == 1
    assert contents(home / "backups" / "files") == {soup: b"soup"}
    monkeypatch.setenv("CHATCORE_UPLOADS_URL", f"{URL}-2")
    assert restored_elsewhere(home, monkeypatch).exit_code == 0
    assert sorted(names(bucket)) == [f"club-2/{soup}", f"club/{soup}"]
    monkeypatch.setenv("CHATCORE_UPLOADS_URL", URL)
    for name in ("a place whose bucket has the same file", "a place whose bucket has another one"):
        (home / name).mkdir()
    monkeypatch.chdir(home / "a place whose bucket has the same file")
    assert run("restore", "../backups").exit_code == 0
    monkeypatch.chdir(home)
    with open_chat("sqlite:///chat.db", settings=Settings(uploads_url=URL)) as chat:
        ada = chat.users.actor("ada@example.com")
        chat.files.upload(ada, "another.txt", b"salad")
    monkeypatch.chdir(home / "a place whose bucket has another one")
    assert "has 1 that are not in the backup" in error_line(run("restore", "../backups"), 1)
    assert not Path("chat.db").exists()


def test_each_of_several_organizations_is_backed_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("club", "team"):
        make(organization(home, name), monkeypatch)
    (home / "passphrase").write_text("correct horse battery")
    done = run("backup", "backups", "--organizations", ".", "--passphrase-file", "passphrase")
    assert done.exit_code == 0, done.output
    for name in ("club", "team"):
        assert len(backups(f"backups/{name}.example.org")) == 1
    assert run("backup", "--check", "backups").output == "2 backups are whole\n"
    (home / "club" / "chat.db").rename(home / "club" / "lost.db")
    again = run("backup", "backups", "--organizations", ".")
    assert "club.example.org: there is no database yet" in error_line(again, 1)
    assert len(backups("backups/team.example.org")) == 2
    monkeypatch.chdir(home / "club")
    assert "'Club' is restored" in run("restore", "../backups/club.example.org").output
    assert run("check").exit_code == 0


def test_only_the_owner_reads_backups(lunch: Callable[..., str]) -> None:
    lunch(b"soup")
    made()
    everything = [Path("backups"), *Path("backups").rglob("*")]
    assert {mode(path) for path in everything if path.is_dir()} == {0o700}
    assert {mode(path) for path in everything if path.is_file()} == {0o600}


def test_a_file_that_was_cut_off_is_copied_again(lunch: Callable[..., str], home: Path) -> None:
    soup = lunch(b"soup")
    made()
    (home / "backups" / "files" / soup).write_bytes(b"so")
    assert made()["new_files"] == 1
    assert contents(home / "backups" / "files") == {soup: b"soup"}
