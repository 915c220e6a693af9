"""The methods of `Chat` that are made from use cases."""

import ast
import re
from pathlib import Path

import pytest

from scripts.build_chat import OF_USERS, READERS, TARGET, build

MADE = list(build())


def test_all_made_modules_are_made_now() -> None:
    assert {file for file, _ in MADE} == {*TARGET.glob("*.py")} - {TARGET / "__init__.py"}
    assert len(MADE) > 10


def test_every_reader_is_used() -> None:
    texts = "".join(text for _, text in MADE)
    readers = {reader for _, reader in (*READERS.values(), *OF_USERS.values())}
    assert {reader for reader in readers if not re.search(rf"\b{reader}\b", texts)} == set()


@pytest.mark.parametrize(("file", "text"), MADE, ids=[file.stem for file, _ in MADE])
def test_methods_are_made_from_the_signatures_of_their_use_cases(file: Path, text: str) -> None:
    committed = file.read_text(encoding="utf-8")
    assert statements(committed) == statements(text), "python -m scripts.build_chat"


def statements(text: str) -> str:
    """The module as text, without its imports, which are sorted when it is formatted."""
    module = ast.parse(text)
    module.body = [node for node in module.body if not isinstance(node, ast.ImportFrom)]
    return ast.unparse(module)
