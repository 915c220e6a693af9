"""Whole histories: iterating, importing, exporting and restoring."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from chatcore import BadArchive, BadCorpus, BadRequest, Chat, ImportLine, open_chat, restore_chat

MANY = 1100
"""More than are fetched at a time, twice."""
OLD = [
    ImportLine(1_700_000_000 + number, "garden", "seeds", "User 7", f"Row {number}") for number in range(MANY)
]


@pytest.fixture(scope="module")
def chat() -> Iterator[Chat]:
    with open_chat(first_messages=False) as chat:
        chat.messages.import_(OLD)
        yield chat


def rows(chat: Chat, *, newest_first: bool = False) -> list[str]:
    owner = chat.users.actor("owner@example.com")
    found = chat.messages.iterate(owner, narrow=[["channel", "garden"]], newest_first=newest_first)
    return [reading.message.content for reading in found]


def test_all_messages_of_a_narrow_are_found_once_in_either_order(chat: Chat) -> None:
    expected = [line.content for line in OLD]
    assert rows(chat) == expected
    assert rows(chat, newest_first=True) == expected[::-1]


def test_nothing_is_found_in_an_empty_narrow(chat: Chat) -> None:
    owner = chat.users.actor("owner@example.com")
    assert [*chat.messages.iterate(owner, narrow=[["topic", "tools"]])] == []


def test_the_same_messages_are_imported_once(chat: Chat, tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in OLD))
    reached: list[int] = []
    for again in (OLD, file, str(file)):
        assert chat.messages.import_(again, progress=reached.append).already == MANY
    assert reached == [MANY] * 3
    assert len(rows(chat)) == MANY


def test_an_invalid_message_is_named_and_imports_nothing(chat: Chat) -> None:
    with pytest.raises(BadCorpus, match="line 2"):
        chat.messages.import_([ImportLine(1, "tools", "spade", "User 7", "x"), ImportLine(1, "", "", "", "")])
    assert "tools" not in [one.name for one in chat.channels.list(chat.users.actor("owner@example.com"))]


def test_an_organization_is_exported_and_restored(chat: Chat, tmp_path: Path) -> None:
    file = tmp_path / "club.archive"
    reached: list[int] = []
    done = chat.export(file, progress=reached.append)
    assert done.messages >= MANY
    assert (done.size, file.stat().st_mode & 0o077) == (file.stat().st_size, 0)
    assert reached[-1] == done.messages
    steps: set[str] = set()
    place = f"sqlite:///{tmp_path}/copy.db"
    with restore_chat(place, file, progress=lambda step, messages: steps.add(step)) as copy:
        assert rows(copy) == rows(chat)
    assert steps == {"verify", "restore"}
    with pytest.raises(BadRequest):
        restore_chat(place, file)


def test_an_export_leaves_other_files_alone(chat: Chat, tmp_path: Path) -> None:
    file = tmp_path / "club.archive"
    with pytest.raises(ZeroDivisionError):
        chat.export(file, progress=lambda messages: 1 // 0)
    assert not [*tmp_path.iterdir()]
    file.write_text("mine")
    with pytest.raises(FileExistsError):
        chat.export(file)
    assert file.read_text() == "mine"
    with pytest.raises(BadArchive):
        restore_chat(f"sqlite:///{tmp_path}/copy.db", file)
