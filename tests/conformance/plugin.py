"""Checks in every run: marks name statements, and one of the tests that ran for a statement has passed.

The second check is for tests that skip while they run. With pytest-xdist the workers' reports are joined in
the process that started them.
"""

import pytest

from tests.conformance.statements import STATEMENTS
from tests.conformance.statements.security import statements_of


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("shows"):
        if unknown := set(mark.args) - STATEMENTS.keys():
            pytest.fail(f"these are no statements: {', '.join(sorted(unknown))}", pytrace=False)
        item.user_properties += [("shows", statement) for statement in mark.args]
    for statement in statements_of(item.originalname if isinstance(item, pytest.Function) else item.name):
        item.user_properties.append(("shows", statement))


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Run())


class Run:
    """The statements shown in one run of the tests."""

    def __init__(self) -> None:
        self.tried: set[str] = set()
        self.shown: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        statements = {str(value) for name, value in report.user_properties if name == "shows"}
        self.tried |= statements
        if report.when == "call" and report.passed:
            self.shown |= statements

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.tried - self.shown and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for statement in sorted(self.tried - self.shown):
            terminalreporter.line(f"NOT SHOWN {statement}: none of its tests passed", red=True)
