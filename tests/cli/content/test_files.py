"""`chatcore file`"""

import json
from pathlib import Path
from typing import Any

from chatcore import Chat
from chatcore.domain.files.uploads import Attachment
from chatcore.domain.groups.actors import Actor
from tests.test_cli import error_line, run


def listed(*arguments: str) -> list[dict[str, Any]]:
    result = run("file", "list", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def uploads_long_ago(chat: Chat, actor: Actor, name: str) -> Attachment:
    """Upload a file 8 days ago."""
    really_now = chat.services.clock
    object.__setattr__(chat.services, "clock", lambda: really_now() - 8 * 86_400)
    try:
        return chat.files.upload(actor, name, [name.encode()])
    finally:
        object.__setattr__(chat.services, "clock", really_now)


def bytes_stored(home: Path) -> int:
    return sum(path.stat().st_size for path in (home / "chat-data" / "uploads").rglob("*") if path.is_file())


def test_files_are_listed_with_owner_and_message(chat: Chat, ada: Actor, gus: Actor) -> None:
    menu, song = chat.files.upload(ada, "menu.txt", [b"soup"]), chat.files.upload(gus, "song.txt", [b"la"])
    sent = chat.messages.send(ada, menu.url, channel="general", topic="lunch")
    first, second = listed()
    assert first == first | {
        "path_id": menu.path_id,
        "name": "menu.txt",
        "size": 4,
        "uploaded_at": menu.created // 1000,
        "owner_id": ada.user_id,
        "owner_email": "ada@example.com",
        "message_id": sent.message_id,
    }
    assert (second["path_id"], second["message_id"]) == (song.path_id, None)
    assert listed("--person", "gus@example.com") == [second]
    assert listed("--limit", "1") == [first]
    lines = run("file", "list").stdout.splitlines()
    assert lines[0].endswith(f"4  ada@example.com  message {sent.message_id}  {menu.path_id}")
    assert lines[1].endswith(f"2  gus@example.com  no message  {song.path_id}")
    assert "There is no account" in error_line(run("file", "list", "--person", "none@example.com"), 1)


def test_unused_files_are_deleted_rows_and_bytes(home: Path, chat: Chat, ada: Actor, gus: Actor) -> None:
    used, unused, other = (
        uploads_long_ago(chat, actor, name)
        for actor, name in ((ada, "used"), (ada, "unused"), (gus, "other"))
    )
    new = chat.files.upload(ada, "new", [b"new"])
    chat.messages.send(ada, used.url, channel="general", topic="lunch")
    assert [one["path_id"] for one in listed("--unused")] == [unused.path_id, other.path_id]
    assert [one["path_id"] for one in listed("--unused", "--person", "gus@example.com")] == [other.path_id]
    assert listed("--unused", "--days", "9") == []
    before = bytes_stored(home)
    asked = run("file", "delete", "--unused", input="n\n")
    assert (asked.exit_code, "Delete 2 files (11 bytes)?" in asked.stderr) == (1, True)
    assert run("file", "delete", "--unused", "--yes").stdout == "2 files (11 bytes) deleted.\n"
    assert [one["path_id"] for one in listed()] == [used.path_id, new.path_id]
    assert bytes_stored(home) == before - 11
    (entry,) = [
        json.loads(line) for line in run("audit", "--kind", "files_deleted", "--json").stdout.splitlines()
    ]
    assert (entry["origin"], entry["before"]) == (
        "console",
        {"file_count": 2, "bytes": 11, "owner_ids": [ada.user_id, gus.user_id]},
    )
    assert run("file", "delete", "--unused").stdout == "0 files (0 bytes) deleted.\n"


def test_named_files_are_deleted_also_of_a_message(home: Path, chat: Chat, ada: Actor) -> None:
    menu, song = (chat.files.upload(ada, name, [b"soup"]) for name in ("menu.txt", "song.txt"))
    sent = chat.messages.send(ada, menu.url, channel="general", topic="lunch")
    refused = error_line(run("file", "delete", menu.path_id, "1/ab/none/x.txt", "--yes"), 1)
    assert "There is no file '1/ab/none/x.txt'" in refused
    assert len(listed()) == 2
    with chat.events.follow(ada, event_types=["attachment"]) as events:
        deleted = run("file", "delete", f"http://127.0.0.1:9991{menu.url}", song.path_id, "--yes", "--json")
        assert json.loads(deleted.stdout) == {"deleted": 2, "bytes": 8}
        assert (next(events)["op"], next(events)["op"]) == ("remove", "remove")
    assert (listed(), bytes_stored(home)) == ([], 0)
    shown = json.loads(run("message", "show", f"{sent.message_id}", "--json").stdout)
    assert (shown["content"], shown["files"]) == (menu.url, [])


def test_one_of_files_or_unused_is_needed(chat: Chat) -> None:
    for odd in ([], ["1/ab/none/x.txt", "--unused"]):
        assert "either files or --unused" in error_line(run("file", "delete", "--yes", *odd), 2)
