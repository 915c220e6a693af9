"""`chatcore message`"""

import json
from typing import Any

from chatcore import Chat
from chatcore.domain.groups.actors import Actor
from tests.test_cli import error_line, run


def answer(*arguments: str) -> Any:
    result = run("message", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_message_is_shown_with_its_place_and_its_files(chat: Chat, ada: Actor, gus: Actor) -> None:
    file = chat.files.upload(ada, "soup.txt", [b"soup"])
    sent = chat.messages.send(ada, f"Look:\n[soup]({file.url})", channel="general", topic="lunch")
    shown = answer("show", f"{sent.message_id}")
    assert shown == shown | {
        "id": sent.message_id,
        "sender_id": ada.user_id,
        "sender_email": "ada@example.com",
        "type": "stream",
        "stream": "general",
        "topic": "lunch",
        "content": f"Look:\n[soup]({file.url})",
        "files": [file.path_id],
    }
    lines = run("message", "show", f"{sent.message_id}").stdout.splitlines()
    assert lines[0].startswith(f"{sent.message_id}  ")
    assert lines[0].endswith("ada@example.com")
    assert lines[1:] == ["to: general > lunch", f"file: {file.path_id}", "", "Look:", f"[soup]({file.url})"]


def test_a_direct_message_is_shown_and_deleted(chat: Chat, ada: Actor, gus: Actor) -> None:
    first, second = (chat.messages.send(gus, text, to=["gus@example.com"]) for text in ("mine", "too"))
    assert answer("show", f"{first.message_id}")["people"] == ["gus@example.com"]
    assert answer("show", f"{first.message_id}")["type"] == "private"
    with chat.events.follow(gus, event_types=["delete_message"]) as events:
        assert answer("delete", f"{first.message_id}", "--yes") == {"deleted": 1}
        assert next(events)["message_id"] == first.message_id
    assert f"There is no message {first.message_id}" in error_line(
        run("message", "show", f"{first.message_id}"), 1
    )
    assert answer("show", f"{second.message_id}")["content"] == "too"


def test_messages_of_all_places_are_deleted_together_or_not_at_all(
    chat: Chat, ada: Actor, gus: Actor
) -> None:
    sent = [
        chat.messages.send(ada, "one", channel="general", topic="lunch"),
        chat.messages.send(ada, "two", channel="general", topic="tea"),
        chat.messages.send(gus, "three", to=["ada@example.com"]),
    ]
    run("channel", "archive", "general")
    ids = [f"{one.message_id}" for one in sent]
    missing = f"{sent[-1].message_id + 1000}"
    refused = error_line(run("message", "delete", *ids, missing, "--yes"), 1)
    assert f"There is no message {missing}" in refused
    assert answer("show", ids[0])["content"] == "one"
    result = run("message", "delete", *ids, ids[0], "--yes")
    assert result.stdout == "3 messages deleted.\n"
    for message_id in ids:
        assert run("message", "show", message_id).exit_code == 1
    noted = [
        json.loads(line) for line in run("audit", "--kind", "message_deleted", "--json").stdout.splitlines()
    ]
    assert {(entry["target_id"], entry["origin"], entry["actor_id"]) for entry in noted} == {
        (int(message_id), "console", None) for message_id in ids
    }


def test_a_message_stays_unless_the_answer_is_yes(chat: Chat, ada: Actor) -> None:
    message_id = f"{chat.messages.send(ada, 'one', channel='general', topic='lunch').message_id}"
    asked = run("message", "delete", message_id, input="n\n")
    assert (asked.exit_code, "Delete 1 message?" in asked.stderr) == (1, True)
    assert run("message", "delete", message_id).exit_code == 1
    assert run("message", "show", message_id).exit_code == 0
    assert run("message", "delete", message_id, input="y\n").exit_code == 0
    assert run("message", "show", message_id).exit_code == 1


def test_odd_ids_are_refused(chat: Chat) -> None:
    for odd in ("0", "9" * 20, "soup"):
        assert error_line(run("message", "show", odd), 2)
        assert error_line(run("message", "delete", "--yes", odd), 2)
    many = [f"{number}" for number in range(1, 502)]
    assert "More than 500" in error_line(run("message", "delete", "--yes", *many), 1)
