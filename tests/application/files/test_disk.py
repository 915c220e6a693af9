"""Finished files get their names durably: the content first, then the name."""

import os
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from chatcore.application.mail import transport
from chatcore.disk import put_in_place
from chatcore.settings import Settings
from tests.test_cli import INIT, home, run

__all__ = ["home"]


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Numbers of files and folders that are made durable, and of files that are renamed, in their order."""
    found: list[tuple[str, int]] = []
    sync, rename = os.fsync, os.rename

    def fsync(number: int) -> None:
        found.append(("sync", os.fstat(number).st_ino))
        sync(number)

    def renamed(source: Path, target: Path) -> None:
        found.append(("rename", os.stat(source).st_ino))
        rename(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", renamed)
    return found


def test_the_content_is_durable_before_the_name(steps: list[tuple[str, int]], tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    unfinished, file = here / "unfinished", there / "file"
    for place in (unfinished, file):
        place.write_text(f"{place.name}")
    number = unfinished.stat().st_ino
    put_in_place(unfinished, file)
    assert file.read_text() == "unfinished"
    folders = [("sync", folder.stat().st_ino) for folder in (here, there)]
    assert steps == [("sync", number), ("rename", number), *folders]


def makes_backup(file: Path) -> Path:
    assert run("backup", f"{file.parent}").exit_code == 0
    (backup,) = file.parent.glob("*Z")
    return backup


def makes_archive(file: Path) -> Path:
    assert run("export", f"{file}").exit_code == 0
    return file


def writes_mail(file: Path) -> Path:
    settings = Settings(database_url="sqlite:///chat.db", mail_folder=file.parent)
    transport.deliver(settings, EmailMessage(), "gus@example.com", file.stem)
    return file


@pytest.mark.parametrize("make", [makes_backup, makes_archive, writes_mail])
def test_files_for_people_are_durable_when_they_have_their_name(
    steps: list[tuple[str, int]], tmp_path: Path, make: Callable[[Path], Path]
) -> None:
    assert run(*INIT).exit_code == 0
    file = tmp_path / "of people" / "file.eml"
    file.parent.mkdir()
    steps.clear()
    file = make(file)
    number = file.stat().st_ino
    assert steps[-3:] == [("sync", number), ("rename", number), ("sync", file.parent.stat().st_ino)]
