"""The methods of `Chat` that are made from use cases."""

import ast
from pathlib import Path

import pytest

from scripts.build_chat import MODULES, build

MADE = list(build())


def test_there_are_methods_that_are_made() -> None:
    assert len(MADE) == len(MODULES) > 10


@pytest.mark.parametrize(("file", "text"), MADE, ids=[file.stem for file, _ in MADE])
def test_methods_are_made_from_the_signatures_of_their_use_cases(file: Path, text: str) -> None:
    committed = file.read_text(encoding="utf-8")
    assert statements(committed) == statements(text), "python -m scripts.build_chat"


def statements(text: str) -> str:
    """The module as text, without its imports, which are sorted when it is formatted."""
    module = ast.parse(text)
    module.body = [node for node in module.body if not isinstance(node, ast.ImportFrom)]
    return ast.unparse(module)
