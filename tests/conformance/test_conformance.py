"""The page of statements is complete, and the rule about skipped tests holds."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.conformance.page import shown, text
from tests.conformance.plugin import Run
from tests.conformance.statements import CHAPTERS, STATEMENTS


def test_every_statement_is_shown_by_a_test() -> None:
    assert STATEMENTS.keys() - shown().keys() == set()


def test_the_page_has_every_statement() -> None:
    assert [line.split("`")[1] for line in text().splitlines() if line.startswith("| `")] == [*STATEMENTS]


def test_every_statement_stands_once() -> None:
    groups = [statements for groups in CHAPTERS.values() for statements in groups.values()]
    assert sum(map(len, groups)) == len(STATEMENTS)


def reported(outcome: str, when: str = "call") -> Any:
    return SimpleNamespace(
        user_properties=[("shows", "send.type")], when=when, passed=outcome == "passed", outcome=outcome
    )


@pytest.mark.parametrize(
    ("reports", "status"),
    [
        ([reported("passed", "setup"), reported("passed")], 0),
        ([reported("skipped", "setup"), reported("passed")], 0),
        ([reported("skipped", "setup")], 1),
        ([reported("passed", "setup"), reported("skipped")], 1),
        ([], 0),
    ],
)
def test_a_run_in_which_a_statement_was_only_skipped_has_failed(reports: list[Any], status: int) -> None:
    run, session = Run(), SimpleNamespace(exitstatus=0)
    for report in reports:
        run.pytest_runtest_logreport(report)
    run.pytest_sessionfinish(session)  # type: ignore[arg-type]
    assert session.exitstatus == status
