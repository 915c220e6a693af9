"""Whole histories: iterating, importing, exporting and restoring."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from chatcore import BadArchive, BadCorpus, BadRequest, Chat, ImportLine, open_chat, restore_chat
from storage_backends.sql.organization.imports import Imports

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


def contents(chat: Chat, channel: str) -> list[str]:
    owner = chat.users.actor("owner@example.com")
    found = chat.messages.iterate(owner, narrow=[["channel", channel]])
    return [reading.message.content for reading in found]


def log(start: int, end: int, channel: str) -> list[ImportLine]:
    return [ImportLine(1_700_000_000 + n, channel, "seeds", "User 7", f"Row {n}") for n in range(start, end)]


def test_of_a_log_that_grows_only_the_new_messages_are_imported(chat: Chat) -> None:
    done = [chat.messages.import_(log(0, end, "growing")) for end in (30, 32, 32)]
    assert [(one.messages, one.already) for one in done] == [(30, 0), (32, 30), (32, 32)]
    # A log that is cut at its beginning, and lines that come late, in another order.
    assert chat.messages.import_(log(20, 34, "growing")).already == 12
    late = ImportLine(1_700_000_003.5, "growing", "seeds", "User 8", "Late")
    assert chat.messages.import_([*log(30, 36, "growing")[::-1], late]).already == 4
    assert contents(chat, "growing") == [*(f"Row {n}" for n in (*range(34), 35, 34)), "Late"]


def test_what_is_imported_stays_deleted_and_moved(chat: Chat, tmp_path: Path) -> None:
    owner = chat.users.actor("owner@example.com")
    chat.messages.import_(log(0, 3, "tidied"))
    first, second, _ = chat.messages.iterate(owner, narrow=[["channel", "tidied"]])
    chat.messages.delete(owner, first.message.id)
    chat.messages.edit(owner, second.message.id, topic="roots")
    assert chat.messages.import_(log(0, 4, "tidied")).already == 3
    assert [one for one in contents(chat, "tidied") if one.startswith("Row")] == ["Row 1", "Row 2", "Row 3"]
    chat.export(tmp_path / "club.archive")
    with restore_chat(f"sqlite:///{tmp_path}/copy.db", tmp_path / "club.archive") as copy:
        assert copy.messages.import_(log(0, 5, "tidied")).already == 4
        assert contents(copy, "tidied")[-1] == "Row 4"


def test_equal_messages_of_one_log_are_different(chat: Chat) -> None:
    twice = log(0, 1, "echo") * 2
    assert [chat.messages.import_(lines).already for lines in (twice, twice, twice[:1], twice * 2)] == [
        *(0, 2, 1, 2)
    ]
    others = [
        ImportLine(1_700_000_000, "echo 2", "seeds", "User 7", "Row 0"),
        ImportLine(1_700_000_000, "echo", "roots", "User 7", "Row 0"),
        ImportLine(1_700_000_000, "echo", "seeds", "User 8", "Row 0"),
        ImportLine(1_700_000_000.5, "echo", "seeds", "User 7", "Row 0"),
    ]
    assert chat.messages.import_([*twice, *others]).already == 2
    assert contents(chat, "echo") == ["Row 0"] * 7


def test_who_has_left_a_channel_is_not_brought_back_by_its_log(chat: Chat) -> None:
    owner = chat.users.actor("owner@example.com")
    chat.messages.import_(log(0, 2, "left"))
    chat.channels.unsubscribe(owner, "left")
    fresh = ImportLine(1_700_000_000, "fresh", "seeds", "User 7", "Row 0")
    chat.messages.import_([*log(0, 3, "left"), fresh])
    names = {one.name for one in chat.channels.subscriptions(owner)}
    assert "fresh" in names
    assert "left" not in names


def test_an_import_of_nothing_new_leaves_clients_alone(chat: Chat) -> None:
    owner = chat.users.actor("owner@example.com")
    chat.messages.import_(log(0, 2, "still"))
    queue = chat.events.register(owner, event_types=["message"])
    assert queue.queue_id is not None
    chat.messages.import_(log(1, 2, "still"))
    assert chat.events.poll(owner, queue.queue_id, queue.last_event_id, dont_block=True) == []


@pytest.mark.parametrize("finished", [True, False])
def test_what_an_earlier_version_has_imported_is_known(
    chat: Chat, monkeypatch: pytest.MonkeyPatch, finished: bool
) -> None:
    """It noted files, and how many of their lines it had stored."""
    channel = f"earlier {finished}"
    stored, whole = log(0, 40, channel), log(0, 50, channel)
    lines = [msgspec.structs.asdict(one) for one in (stored if finished else whole)]
    for line in lines:
        del line["sender_email"]  # which is newer
    raw = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    with monkeypatch.context() as patch:
        for name in ("add", "note"):
            patch.setattr(Imports, name, lambda self, *noted, **options: None)
        chat.messages.import_(stored)
    noted = sha256(raw).hexdigest()
    chat.services.storage.write(lambda tx: tx.imports.note(noted, len(stored), finished=finished))
    assert chat.messages.import_(whole).already == 40
    assert contents(chat, channel) == [one.content for one in whole]
    assert chat.messages.import_(log(35, 51, channel)).already == 15


def test_a_sender_with_an_address_is_the_person_who_has_it(chat: Chat) -> None:
    bea = chat.users.create("Bea@example.com", "Bea")
    lines = [
        ImportLine(1_700_000_000, "mails", "seeds", "B.", "Hello", sender_email="bea@Example.com "),
        ImportLine(1_700_000_001, "mails", "seeds", "Cem", "Hi", sender_email="cem@example.com"),
        ImportLine(1_700_000_002, "mails", "seeds", "Cem Kaya", "Hm", sender_email="CEM@example.com"),
        ImportLine(1_700_000_003, "mails", "seeds", "Cem", "another Cem"),
    ]
    assert chat.messages.import_(lines).users == 3
    cem = chat.users.actor("cem@example.com")
    found = chat.messages.iterate(chat.users.actor("owner@example.com"), narrow=[["channel", "mails"]])
    senders = [(one.sender.id, one.sender.full_name) for one in found]
    assert senders[:3] == [(bea.user_id, "Bea"), (cem.user_id, "Cem"), (cem.user_id, "Cem")]
    assert senders[3][0] not in (bea.user_id, cem.user_id)
    assert chat.messages.import_(lines).already == 4


def mail(spelling: str, at: int) -> ImportLine:
    return ImportLine(1_700_000_000 + at, "spelled", "seeds", "Jo", "Hello", sender_email=spelling)


def test_all_spellings_of_an_address_are_of_one_sender(chat: Chat) -> None:
    known = chat.users.create("bea@bücher.example", "Bea").user_id
    spellings = ["bea@bücher.example", "BEA@BÜCHER.example", "bea@xn--bcher-kva.example"]
    spellings += [address.replace("bea", "jo").replace("BEA", "JO") for address in spellings]
    assert chat.messages.import_([mail(*one) for one in zip(spellings, range(6), strict=True)]).users == 2
    found = chat.messages.iterate(chat.users.actor("owner@example.com"), narrow=[["channel", "spelled"]])
    senders = [(one.sender.id, one.sender.email) for one in found]
    jo = chat.users.actor("jo@bücher.example").user_id
    assert senders[:3] == [(known, "bea@xn--bcher-kva.example")] * 3
    assert senders[3:] == [(jo, "jo@xn--bcher-kva.example")] * 3
    others = [*spellings[1:3], spellings[0], *spellings[4:], spellings[3]]
    assert chat.messages.import_([mail(*one) for one in zip(others, range(6), strict=True)]).already == 6


def test_the_account_of_an_older_version_is_found(chat: Chat) -> None:
    """It has its address as it was spelled."""
    old = chat.users.create("ann@example.com", "Ann").user_id
    chat.services.storage.write(lambda tx: tx.users.update(old, email="ann@bücher.example"))
    for at, spelling in enumerate(("ann@bücher.example", "ann@xn--bcher-kva.example"), start=10):
        chat.messages.import_([mail(spelling, at)])
    found = chat.messages.iterate(chat.users.actor("owner@example.com"), narrow=[["channel", "spelled"]])
    assert [one.sender.id for one in found if one.message.timestamp >= 1_700_000_010] == [old] * 2


def test_no_address_is_like_an_absent_one(chat: Chat) -> None:
    line = {"timestamp": 1_700_000_020, "channel": "spelled", "topic": "", "sender": "Lo", "content": "Hi"}
    assert chat.messages.import_([line]).already == 0
    for nothing in (None, ""):
        assert chat.messages.import_([{**line, "sender_email": nothing}]).already == 1


DAY = 86_400
NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (ImportLine(1_700_000_000_000, "garden", "seeds", "User 7", "x"), "milliseconds"),
        (ImportLine(NOW + DAY + 1, "garden", "seeds", "User 7", "x"), "later than tomorrow"),
        (ImportLine(-1, "garden", "seeds", "User 7", "x"), "before 1970"),
        (ImportLine(float("inf"), "garden", "seeds", "User 7", "x"), "float"),
        (ImportLine(1, "garden", "seeds", "User 7", "x", sender_email="nobody"), "valid email"),
        ((1, "garden", "seeds", "User 7", "x"), "tuple is not an ImportLine"),
        ("garden", "str is not an ImportLine"),
        (None, "NoneType is not an ImportLine"),
        (ImportLine(object(), "garden", "seeds", "User 7", "x"), "object"),  # type: ignore[arg-type]
    ],
)
def test_a_message_that_is_none_is_refused(bad: Any, reason: str) -> None:
    good = {"timestamp": NOW + DAY, "channel": "garden", "topic": "", "sender": "User 7", "content": "x"}
    with open_chat(first_messages=False, clock=lambda: float(NOW)) as chat:
        with pytest.raises(BadCorpus, match=f"^line 2: .*{reason}"):
            chat.messages.import_([good, bad])
        with pytest.raises(BadCorpus, match=r"^there are no messages$"):
            chat.messages.import_([])
        assert chat.messages.import_([good]).messages == 1


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
