"""`chatcore check --deep`: rows and files that contradict each other are found, and made anew."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.storage.faults import Subject
from storage_backends import open_storage
from storage_backends.sql import faults as sql_faults
from storage_backends.sql.statement import Statement
from tests.postgres import PostgresServer
from tests.test_cli import INIT, error_line, home, run
from tests.waiting import until
from tests.worlds.pictures import picture

__all__ = ["home"]

DEEP = ("search", "flags", "counts", "files")


@pytest.fixture(params=["sqlite", "postgresql"])
def lunch(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an organization with a message of each kind."""
    if request.param == "sqlite":
        yield fill("sqlite:///chat.db", monkeypatch)
        return
    postgres: PostgresServer = request.getfixturevalue("postgres")
    with postgres.bare_database() as url:
        yield fill(url, monkeypatch)


def fill(url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CHATCORE_DATABASE_URL", url)
    assert run(*INIT).exit_code == 0
    with open_chat(url) as chat:
        ada = chat.users.actor("ada@example.com")
        file = chat.files.upload(ada, "menu.txt", b"soup")
        chat.files.upload(ada, "unused.txt", b"salad")
        sent = chat.messages.send(ada, f"[leek]({file.url})", channel="general", topic="menu")
        message_id = sent.message_id
        chat.messages.edit(ada, message_id, content=f"[onion]({file.url})")
        chat.reactions.add(ada, message_id, "tada")
        chat.messages.update_flags(ada, [message_id], op="add", flag="starred")
    return url


def spoil(url: str, *statements: str) -> None:
    """Run statements that no program runs."""
    with closing(open_storage(url)) as storage, storage.backend.connection():
        for statement in statements:
            storage.backend.database.execute_sql(statement)


def checked(*arguments: str) -> dict[str, str]:
    """Return the findings of a check, by name; those that pass have none."""
    done = run("check", "--deep", *arguments)
    found = dict(re.findall(r"(?m)^(\w+) +FAILED  (.*)$", done.stdout))
    assert done.exit_code == (1 if found else 0), done.output
    assert {*re.findall(r"(?m)^(\w+) +(?:ok|FAILED)  ", done.stdout)} >= {*DEEP}
    return found


def test_a_store_as_the_program_writes_it_has_no_faults(lunch: str) -> None:
    assert checked() == {}
    assert checked("--repair") == {}


NTH = "(SELECT id FROM message ORDER BY id LIMIT 1 OFFSET {})"
FAULTS = {
    f"DELETE FROM message_search WHERE rowid = {NTH.format(0)}": "",
    f"UPDATE message_search SET place = '' WHERE rowid = {NTH.format(1)}": "",
    f"UPDATE message_search SET folded = 'other' WHERE rowid = {NTH.format(2)}": (
        "search: 3 messages that a search finds by other words than theirs, or not at all"
    ),
    "INSERT INTO message_search (rowid, words, place, folded) VALUES (9000, '', '', '')": (
        "search: 1 entries of the search index without a message"
    ),
    "UPDATE message_flag SET recipient_id = 1": (
        "flags: 1 flags that are kept for another place than that of their message"
    ),
    "INSERT INTO message_flag (user_id, recipient_id, message_id, bits) VALUES (1, 1, 9000, 2)": (
        "flags: 1 flags without a message"
    ),
    "UPDATE read_watermark SET position = 99999 WHERE position < 9000": (
        "flags: 2 watermarks beyond the end of the log, so that new messages arrive as read"
    ),
    "UPDATE message SET has_reaction = FALSE, has_edits = FALSE": (
        "counts: 1 messages whose reactions are not shown\n"
        "counts: 1 messages whose earlier versions are not shown"
    ),
    "UPDATE attachment SET unlinked_since = 1 WHERE unlinked_since IS NULL": (
        "counts: 1 files in use that would be removed as unused"
    ),
    "UPDATE attachment SET unlinked_since = NULL WHERE name = 'unused.txt'": (
        "counts: 1 unused files that would never be removed"
    ),
    "UPDATE channel SET subscriber_count = 7": (
        "counts: 1 channels with another number of subscribers than is shown"
    ),
    "DELETE FROM upload_space_of_user": "counts: 1 people with another amount of files than is counted",
    "UPDATE upload_space SET used = 1": "counts: 1 amount of all files that is counted wrongly",
}
"""Statements that no program runs, each with the fault that it makes."""


def faults(url: str, *, repair: bool = False) -> set[str]:
    with closing(open_storage(url)) as storage:
        return {
            f"{subject}: {fault.rows} {fault.problem}"
            for subject in Subject
            for fault in storage.find_faults(subject, repair=repair)
        }


def test_each_fault_is_found_and_repaired(lunch: str) -> None:
    spoil(lunch, *FAULTS)
    expected = {line for said in FAULTS.values() for line in said.splitlines()}
    assert faults(lunch) == expected
    assert faults(lunch, repair=True) == expected
    assert faults(lunch) == set()


def test_faults_in_many_messages_are_found_step_by_step(lunch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_faults, "FIND_END", Statement(sql_faults.FIND_END.source.replace("1000", "2")))
    spoil(lunch, "DELETE FROM message_search", "UPDATE message SET has_edits = FALSE")
    expected = {
        "search: 5 messages that a search finds by other words than theirs, or not at all",
        "counts: 1 messages whose earlier versions are not shown",
    }
    assert faults(lunch) == expected
    faults(lunch, repair=True)
    assert faults(lunch) == set()


def test_the_command_says_what_to_do(lunch: str) -> None:
    spoil(lunch, "UPDATE upload_space SET used = 1")
    assert checked() == {
        "counts": "1 amount of all files that is counted wrongly; run 'chatcore check --deep --repair', which"
        " makes this anew from the messages and files"
    }
    assert checked("--repair") == {}


def test_a_repaired_index_finds_messages_again(lunch: str) -> None:
    spoil(lunch, "DELETE FROM message_search")
    assert checked("--repair") == {}
    with open_chat(lunch) as chat:
        ada = chat.users.actor("ada@example.com")
        for words, number in (("onion", 1), ("leek", 0), ("menu", 1)):
            found = chat.messages.fetch(ada, narrow=[["search", words]], num_before=10)
            assert len(found.readings) == number, words


def test_lost_and_foreign_files_are_named(lunch: str) -> None:
    uploads = Path("chat-data") / "uploads"
    first, _ = sorted(uploads.glob("[0-9a-f][0-9a-f]/*"))
    key = f"{first.parent.name}/{first.name}"
    first.rename("elsewhere")
    (uploads / "ff").mkdir(exist_ok=True)
    (uploads / "ff" / "foreign").write_bytes(b"of somebody")
    said = checked("--repair")["files"]
    assert f"1 file is lost: {key}; put them back" in said
    assert "1 file belongs to nothing: ff/foreign; remove them if" in said
    assert (uploads / "ff" / "foreign").exists()


def test_only_a_deep_check_repairs(lunch: str) -> None:
    assert error_line(run("check", "--repair"), 2) == "--repair needs --deep"


def rows(url: str, statement: str) -> Any:
    with closing(open_storage(url)) as storage, storage.backend.connection():
        return storage.backend.database.execute_sql(statement).fetchall()


def test_who_has_left_a_channel_keeps_its_messages_as_read(lunch: str) -> None:
    with open_chat(lunch) as chat:
        chat.channels.unsubscribe(chat.users.actor("ada@example.com"), "general")
    find = "SELECT user_id, recipient_id, position FROM read_watermark ORDER BY 1, 2"
    before = rows(lunch, find)
    assert faults(lunch, repair=True) == set()
    assert rows(lunch, find) == before


def test_an_unused_file_is_unused_since_its_upload(lunch: str) -> None:
    find = "SELECT unlinked_since FROM attachment WHERE name = 'unused.txt'"
    before = rows(lunch, find)
    spoil(lunch, "UPDATE attachment SET unlinked_since = NULL")
    faults(lunch, repair=True)
    assert rows(lunch, find) == before


def test_thumbnails_and_archives_of_exports_belong_to_the_organization(lunch: str) -> None:
    uploads = Path("chat-data") / "uploads"
    with open_chat(lunch) as chat:
        ada = chat.users.actor("ada@example.com")
        chat.files.upload(ada, "soup.png", picture())
        chat.exports.request(ada)
        chat.deliver_on_time()
        until(lambda: not chat.exports.list(ada)[0]["pending"])
        until(lambda: list(uploads.glob("??/*-still")))
    assert list(uploads.glob("00/export-*"))
    assert checked() == {}


def test_the_command_says_what_it_has_repaired(lunch: str) -> None:
    spoil(lunch, "UPDATE upload_space SET used = 1", "UPDATE message SET has_edits = FALSE")
    done = run("check", "--deep", "--repair")
    said = (
        "ok      repaired: 1 messages whose earlier versions are not shown;"
        " repaired: 1 amount of all files that is counted wrongly; all fit together"
    )
    assert (done.exit_code, said in done.stdout) == (0, True)
    assert "repaired" not in run("check", "--deep", "--repair").stdout
