"""`chatcore usage`"""

import json
from pathlib import Path
from typing import Any

from chatcore import Chat
from chatcore.domain.groups.actors import Actor
from tests.test_cli import error_line, run

MIB = 2**20


def usage(*arguments: str) -> Any:
    result = run("usage", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_usage_is_shown_against_the_limits_that_are_set(
    home: Path, chat: Chat, ada: Actor, gus: Actor
) -> None:
    assert usage()["organization"]["file_bytes"] == {"used": 0, "limit": None}
    assert usage()["largest"] == []
    (home / "chatcore.toml").write_text(
        "[limits]\nmax_upload_space_mib = 10\nmax_upload_space_per_user_mib = 3\nmax_users = 50\n"
    )
    run("organization", "set", "upload_quota_mib", "7")
    chat.files.upload(ada, "soup.txt", [b"soup"])
    for name in ("stew.txt", "tea.txt"):
        chat.files.upload(gus, name, [b"stew"])
    shown = usage()
    assert shown["organization"] == {
        "file_bytes": {"used": 12, "limit": 7 * MIB},
        "accounts": {"used": 3, "limit": 50},
        "bots": {"used": 1, "limit": 10_000},
        "channels": {"used": 1, "limit": 10_000},
    }
    largest = {"email": "gus@example.com", "files": 2, "file_bytes": {"used": 8, "limit": 3 * MIB}}
    assert shown["largest"][0] == {"user_id": gus.user_id, **largest}
    assert [account["email"] for account in shown["largest"]] == ["gus@example.com", "ada@example.com"]
    assert [account["email"] for account in usage("--top", "1")["largest"]] == ["gus@example.com"]
    lines = run("usage").stdout.splitlines()
    assert lines[0] == f"{'file_bytes':<20} {12:>16} of {7 * MIB:,}"
    assert lines[4] == f"{'':<20} {8:>16} of {3 * MIB:,}  2 files  gus@example.com"


def test_the_output_is_bounded(chat: Chat) -> None:
    assert "not in the range" in error_line(run("usage", "--top", "1001"), 2)
