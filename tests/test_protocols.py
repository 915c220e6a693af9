"""The protocols of stores say exactly what goes in and comes out: a backend is checked against them."""

import ast
from contextlib import suppress
from pathlib import Path

import pytest

from chatcore import storage

FOLDER = Path(storage.__path__[0])
PROTOCOLS = [path for path in sorted(FOLDER.rglob("*.py")) if FOLDER / "conformance" not in path.parents]


def uses_of_any(source: str) -> list[int]:
    """The lines of a module that name `Any`, under whichever name it is imported, also in a quoted type."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "name", ""))
        if isinstance(node, ast.Name | ast.Attribute | ast.alias) and "Any" in names:
            found.append(node.lineno)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            with suppress(SyntaxError):
                found += [node.lineno for _ in uses_of_any(node.value)]
    return found


@pytest.mark.parametrize("path", PROTOCOLS, ids=lambda path: str(path.relative_to(FOLDER)))
def test_no_type_is_left_open(path: Path) -> None:
    assert uses_of_any(path.read_text()) == []


def test_open_types_are_found() -> None:
    assert uses_of_any("from typing import Any as Whatever") == [1]
    assert uses_of_any("import typing\nrow: dict[str, typing.Any]") == [2]
    assert uses_of_any("import typing\nrow: 'dict[str, typing.Any]'") == [2]
