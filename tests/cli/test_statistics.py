"""`chatcore statistics`"""

import json
from pathlib import Path

from tests.test_cli import INIT, MESSAGES, run


def counts() -> dict[str, int]:
    result = run("statistics", "--json")
    assert result.exit_code == 0, result.output
    read: dict[str, int] = json.loads(result.stdout)
    return read


def test_statistics_count_what_there_is(home: Path) -> None:
    run(*INIT)
    before = counts()
    assert (before["people"], before["channels"], before["bytes_of_files"], before["event_queues"]) == (
        1,
        1,
        0,
        0,
    )
    (home / "chat.jsonl").write_text("".join(json.dumps(message) + "\n" for message in MESSAGES))
    assert run("import", "corpus", "chat.jsonl").exit_code == 0
    run("user", "create", "--email", "gus@example.com", "--name", "Gus")
    run("user", "create", "--email", "bot@example.com", "--name", "Bot", "--bot")
    run("user", "deactivate", "gus@example.com")
    run("channel", "archive", "general")
    after = counts()
    assert after["messages"] >= before["messages"] + len(MESSAGES)
    assert after == after | {
        "people": before["people"] + len(MESSAGES),
        "bots": before["bots"] + 1,
        "deactivated_accounts": before["deactivated_accounts"] + 1,
        "channels": 1,
        "archived_channels": 1,
    }
    assert f"{'archived_channels':<20}  {1:>15}" in run("statistics").stdout.splitlines()
