"""Writes into a file what a run of pytest did, for the program that runs the parts."""

import json
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

FILE: Final = "--report"
MOST_REPEATED: Final = 2
"""Tests that may pass at their second try. More of them are no chance."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(FILE, help="write names and seconds of the tests into this file")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(Path(config.getoption(FILE))))


class Report:
    """Names of failed tests, why repeated ones failed at first, and the seconds of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seconds = Counter[str]()
        self._failed: dict[str, None] = {}
        self._first_tries: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        if report.outcome == "rerun":  # type: ignore[comparison-overlap]
            self._first_tries[report.nodeid] = report.longreprtext
        elif report.failed:
            self._failed[report.nodeid] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed[report.nodeid] = None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        passed = {name: why for name, why in self._first_tries.items() if name not in self._failed}
        if len(passed) > MOST_REPEATED and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        what = {"failed": [*self._failed], "passed_at_second_try": passed, "seconds": self._seconds}
        self._path.write_text(json.dumps(what))
