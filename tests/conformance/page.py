"""The tables of docs/conformance.md: which tests show which statement.

    python -m tests.conformance.page

A test shows a statement by its mark, `@pytest.mark.shows("send.local-id")`, or one of security by its name,
`test_sec_7_…`. Both are read from the source, so that the page is the same whatever part of the suite runs.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.conformance.statements import CHAPTERS
from tests.conformance.statements.security import statements_of

TESTS = Path(__file__).parents[1]

MAY_NOT_RUN = ("pytest.skip(", "pytest.importorskip(", "pytest.mark.skip", "pytest.mark.xfail")
"""Marks and calls of tests that may be skipped or fail: such tests do not show a statement."""


@cache
def shown() -> Mapping[str, list[str]]:
    """The tests that show each statement, as links of the page."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for test in ast.walk(ast.parse(path.read_text())):
            if isinstance(test, ast.FunctionDef) and (marks := [*_marks(test)]) and _always_runs(test):
                words = test.name.removeprefix("test_").replace("_", " ")
                for statement in marks:
                    found[statement].append(f"[{words}](../tests/{path.relative_to(TESTS)})")
    return dict(found)


def _always_runs(test: ast.FunctionDef) -> bool:
    source = ast.unparse(test)
    return not any(word in source for word in MAY_NOT_RUN)


def _marks(test: ast.FunctionDef) -> Iterator[str]:
    yield from statements_of(test.name)
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.shows":
            yield from (ast.literal_eval(statement) for statement in decorator.args)


def text() -> str:
    tests = shown()
    lines = []
    for chapter, groups in CHAPTERS.items():
        lines.append(f"## {chapter}\n")
        for group, statements in groups.items():
            lines += [f"### {group}\n", "| | Statement | Shown by |", "|---|---|---|"]
            lines += [f"| `{key}` | {said} | {'; '.join(tests[key])} |" for key, said in statements.items()]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(text(), end="")  # noqa: T201
