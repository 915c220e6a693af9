"""`chatcore retention` and `chatcore hold`"""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.retention.deleting import delete_due
from tests.test_cli import INIT, error_line, run

DATABASE = "sqlite:///chat.db"


@pytest.fixture(autouse=True)
def founded(home: Path) -> None:
    run(*INIT)


def sends_long_ago(*contents: str) -> None:
    with open_chat(DATABASE, clock=lambda: 1_700_000_000.0) as chat:
        ada = chat.users.actor("ada@example.com")
        for content in contents:
            chat.messages.send(ada, content, channel="general", topic="soup")


def answer(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def places(*arguments: str) -> dict[str | None, tuple[int, int, int]]:
    return {
        one["channel"]: (one["messages"], one["files"], one["bytes"])
        for one in answer("retention", *arguments)["places"]
    }


def checked() -> str:
    """Return what `chatcore check` says about retention."""
    return next(str(one["text"]) for one in answer("check")[0]["checks"] if one["name"] == "retention")


def prove_clock() -> None:
    """Let a server have noted a mark two days ago."""
    with open_chat(DATABASE) as chat:
        two_days_ago = chat.services.clock() - 2 * 86_400
    with open_chat(DATABASE, clock=lambda: two_days_ago) as chat:
        delete_due(chat.services)


def test_a_dry_run_says_what_would_go_and_deletes_nothing() -> None:
    sends_long_ago("soup", "salad")
    assert run("retention").stdout == "Nothing is too old.\n"
    run("organization", "set", "message_retention_days", "30")
    for _ in range(2):
        assert places("--dry-run") == {"general": (2, 0, 0)}
    line = "#general, kept for 30 days: 2 messages and 0 files (0.0 MiB) would be deleted"
    assert line in run("retention", "--dry-run").stdout.splitlines()
    assert places("--yes") == {"general": (2, 0, 0)}
    assert places() == {}


def test_the_clock_is_asked_for_unless_it_is_proven() -> None:
    sends_long_ago("soup")
    run("organization", "set", "message_retention_days", "30")
    asked = run("retention", input="n\n")
    assert asked.exit_code == 1
    assert re.search(
        r"The clock says [0-9-]{10} [0-9:]{5} UTC\. Delete what is too old by it\?", asked.stderr
    )
    assert run("retention", "--json").exit_code == 1
    assert places("--dry-run") == {"general": (1, 0, 0)}
    deleted = run("retention", input="y\n")
    assert "#general, kept for 30 days: 1 message and 0 files (0.0 MiB) deleted" in deleted.stdout
    assert run("retention").stdout == "Nothing is too old.\n"


def test_a_crontab_proves_the_clock_by_itself() -> None:
    sends_long_ago("soup")
    run("organization", "set", "message_retention_days", "30")
    assert run("retention").exit_code == 1
    with closing(sqlite3.connect("chat.db")) as database, database:
        database.execute("UPDATE retention_mark SET at = at - 86400")  # a day later
    assert places() == {"general": (1, 0, 0)}


def test_a_clock_that_a_server_has_proven_is_believed() -> None:
    assert checked() == "all messages are kept"
    run("organization", "set", "message_retention_days", "30")
    sends_long_ago("soup")
    assert "old messages wait: nothing proves that the clock is right, 20" in checked()
    prove_clock()
    assert checked() == "old messages are deleted"
    assert places() == {"general": (1, 0, 0)}


def test_a_hold_is_set_listed_and_lifted() -> None:
    sends_long_ago("soup")
    run("organization", "set", "message_retention_days", "30")
    added = run("hold", "add", "--user", "ada@example.com", "--reason", "Case 7")
    assert added.stdout == "Hold 1 is set.\n"
    run("hold", "add", "--channel", "general", "--reason", "Case 8")
    (first, second) = answer("hold", "list")
    assert (first["reason"], second["reason"]) == ("Case 7", "Case 8")
    lines = run("hold", "list").stdout.splitlines()
    assert lines[0].split() == ["1", lines[0].split()[1], "ada@example.com", "Case", "7"]
    assert "#general" in lines[1]
    assert places() == {}
    for number in ("1", "2"):
        assert run("hold", "remove", number).stdout == f"Hold {number} is lifted.\n"
    assert answer("hold", "list") == []
    assert places("--yes") == {"general": (1, 0, 0)}
    kinds = [json.loads(line)["kind"] for line in run("audit", "--json", "--limit", "4").stdout.splitlines()]
    assert kinds == ["hold_lifted", "hold_lifted", "hold_set", "hold_set"]


def test_refusals_are_one_line() -> None:
    assert "no account" in error_line(run("hold", "add", "--user", "none@example.com", "--reason", "x"), 1)
    assert "no channel 'none'" in error_line(run("hold", "add", "--channel", "none", "--reason", "x"), 1)
    assert "one person or on one channel" in error_line(run("hold", "add", "--reason", "x"), 1)
    assert "1 to 200 characters" in error_line(
        run("hold", "add", "--channel", "general", "--reason", "x" * 201), 1
    )
    assert "no such hold" in error_line(run("hold", "remove", "7"), 1)
    assert run("hold", "add", "--channel", "general").exit_code == 2


def test_one_that_deletes_is_not_disturbed() -> None:
    sends_long_ago("soup")
    run("organization", "set", "message_retention_days", "30")
    with open_chat(DATABASE) as chat:
        now = chat.services.now
        chat.services.storage.write(lambda tx: tx.retention.claim("another", now, now + 300))
    assert "Another process deletes old messages" in error_line(run("retention", "--yes"), 1)
    assert places("--dry-run") == {"general": (1, 0, 0)}
