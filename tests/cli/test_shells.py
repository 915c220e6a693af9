"""Shells and the command: completion, and man pages."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from chatcore.cli import chatcore
from chatcore.cli.completion import SHELLS
from tests.page_programs import ROOT
from tests.test_cli import error_line, run

COMPLETED = """
eval "$(chatcore completion bash)"
COMP_WORDS=(chatcore user de)
COMP_CWORD=2
_chatcore_completion chatcore
echo "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_each_shell_asks_the_command(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_CHATCORE_COMPLETE={shell}_complete" in result.stdout


def test_other_shells_are_refused() -> None:
    assert "'bash', 'zsh', 'fish'" in error_line(run("completion", "tcsh"), 2)


def test_bash_completes_a_command(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed, to try its completion")
    command = tmp_path / "chatcore"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m chatcore "$@"\n')
    command.chmod(0o755)
    variables = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}  # noqa: TID251
    done = subprocess.run([bash, "-c", COMPLETED], capture_output=True, text=True, check=False, env=variables)
    assert done.stdout.split() == ["deactivate"], done.stderr


def names(command: click.Command, name: str) -> Iterator[str]:
    yield name
    if isinstance(command, click.Group):
        for inner, inner_command in command.commands.items():
            yield from names(inner_command, f"{name}-{inner}")


def test_each_command_has_a_man_page(tmp_path: Path) -> None:
    pytest.importorskip("click_man", reason="click-man is not installed: pip install 'chatcore[docs]'")
    subprocess.run([sys.executable, "-m", "scripts.man_pages", tmp_path], check=True, cwd=ROOT)
    assert {page.name for page in tmp_path.iterdir()} == {f"{name}.1" for name in names(chatcore, "chatcore")}
    page = (tmp_path / "chatcore-init.1").read_text().replace("\\-", "-")
    assert "Create an organization and its owner" in page
    assert "--owner-email" in page
