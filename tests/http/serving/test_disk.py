"""Files that the program writes to the disk, on a server of greenlets in threads, too."""

import os
import stat
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from chatcore import open_chat
from chatcore.application.mail.transport import deliver
from chatcore.settings import Settings
from chatcore.storage.conformance.files import KEY, write
from storage_backends.files import LocalFiles


def store_a_file(folder: Path) -> None:
    files = LocalFiles(folder / "uploads")
    write(files, b"soup")
    files.finish(KEY)  # makes the folders
    files.finish(KEY)
    files.remove(KEY)


def write_a_mail(folder: Path) -> None:
    deliver(Settings(mail_folder=folder / "mails"), EmailMessage(), "ada@example.com", "first")


def export_an_organization(folder: Path) -> None:
    with open_chat(f"sqlite:///{folder}/chat.db", owner_email="ada@example.com") as chat:
        chat.export(folder / "chat.archive")


@pytest.mark.parametrize("work", [store_a_file, write_a_mail, export_an_organization])
def test_only_files_are_closed_by_the_call_that_gevent_replaces(
    work: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It closes anything else later, and fails for another one that a thread has opened meanwhile."""
    others: list[int] = []
    close = os.close

    def note(descriptor: int) -> None:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            others.append(descriptor)
        close(descriptor)

    monkeypatch.setattr(os, "close", note)
    work(tmp_path)
    assert others == []
