"""The program in the documentation of narrows does what its page says."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "narrowing-a-list.md"


def test_the_program_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text()
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (promised,) = re.findall(r"It prints:\n\n```text\n(.*)\n```", page)
    exec(compile(program, str(PAGE), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == promised + "\n"


def test_the_program_of_the_page_is_short() -> None:
    program = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[0]
    assert len([line for line in program.splitlines() if line]) <= 15
