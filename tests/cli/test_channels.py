"""`chatcore channel`"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.test_cli import INIT, error_line, run


@pytest.fixture(autouse=True)
def founded(home: Path) -> None:
    run(*INIT)


def answer(*arguments: str) -> Any:
    result = run("channel", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_channel_is_created_shown_listed_and_archived() -> None:
    made = answer("create", "plans", "--private", "--description", "What *next*?")
    assert made == made | {
        "name": "plans",
        "description": "What *next*?",
        "kind": "private",
        "is_archived": False,
        "subscriber_count": 1,
    }
    assert answer("show", "Plans") == made
    assert made in answer("list")
    assert answer("archive", "plans") == {**made, "is_archived": True}
    lines = run("channel", "list").stdout.splitlines()
    assert f"{made['stream_id']:>6}  private     plans  (archived)" in lines
    assert any(line.endswith("public      general") for line in lines)


def test_a_person_reads_what_a_channel_is() -> None:
    shown = run("channel", "create", "garden", "--description", "Seeds").stdout
    assert shown.splitlines() == ["garden: public, 1 subscriber", "Seeds"]
    assert run("channel", "show", "garden").stdout == shown


def test_refusals_are_one_line() -> None:
    assert "There is no channel 'none'" in error_line(run("channel", "show", "none"), 1)
    assert "There is no channel 'none'" in error_line(run("channel", "archive", "none"), 1)
    assert "general" in error_line(run("channel", "create", "general"), 1)
    run("channel", "archive", "general")
    assert "already archived" in error_line(run("channel", "archive", "general"), 1)
