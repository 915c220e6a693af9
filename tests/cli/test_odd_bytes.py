"""Arguments, variables and input that are not UTF-8: each command refuses them in one line."""

import json
from pathlib import Path

import pytest

from tests.test_cli import COMMANDS, INIT, error_line, run

ODD = "\udcff"
"""The byte 0xff as Python reads it from the command line and the environment."""


@pytest.mark.parametrize("command", COMMANDS)
def test_arguments_are_refused(home: Path, command: str) -> None:
    assert "An argument is not UTF-8" in error_line(run(*command.split(), ODD), 2)
    assert "An argument is not UTF-8" in error_line(run(*command.split(), f"--database={ODD}"), 2)
    assert [*home.iterdir()] == []


@pytest.mark.parametrize("variable", ["CHATCORE_DATABASE_URL", "CHATCORE_INIT_NAME", "CHATCORE_SMTP_HOST"])
def test_variables_are_refused(home: Path, variable: str) -> None:
    assert error_line(run(*INIT, env={variable: ODD}), 2) == f"{variable} is not UTF-8."
    assert [*home.iterdir()] == []


def test_passwords_are_refused(home: Path) -> None:
    run(*INIT)
    before = json.loads(run("user", "key", "ada@example.com", "--json").stdout)
    assert "not UTF-8" in error_line(run("user", "password", "ada@example.com", input=b"\xff" * 20), 2)
    assert json.loads(run("user", "key", "ada@example.com", "--json").stdout) == before
