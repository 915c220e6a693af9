"""Twice the text is about twice the work: counted in calls. The seconds are in benchmarks/markup.py."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from chatcore.markup import parse, render
from tests.markup.said import KNOWN, REALM

UNITS = {
    "brackets": "[",
    "open links": "[a](",
    "links": "[a](/b)",
    "titles": "[a](b'",
    "quotes": "> a\n",
    "lone quotes": ">\n",
    "stars": "*a **b ",
    "em": "a*",
    "tildes": "~~a ",
    "backticks": "`a``",
    "pipes": "|a",
    "bullets": "* a\n",
    "nested bullets": "* a\n  * b\n",
    "loose items": "* a\n\n",
    "headings": "# a\n",
    "rules": "---\n",
    "rules and no headings": "#\n---\n",
    "texts, rules and no headings": "a\n#\n***\n",
    "rules under no tables": "|a|\n|-|\n|b\n---\n",
    "stars in stars": "*a *b*c* ",
    "stars after a star": "*a\x20",
    "refused links": "[a](bad:b",
    "addresses": "a.co ",
    "glued addresses": "a.co/(,",
    "mails": "a@a",
    "mentions": "@**a ",
    "unknown": "@**a** ",
    "channels": "#**a>b** ",
    "emoji": ":a:",
    "math": "$$a ",
    "times": "<time:1> ",
    "fences": "```\na\n",
    "spoilers": "```spoiler a\nb\n```\n",
    "linkifiers": "#12 ",
    "references": "&a;",
}


def calls(text: str) -> int:
    count = 0

    def tally(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tally)
    try:
        render(parse(text, REALM), KNOWN)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", UNITS)
def test_work_grows_no_faster_than_the_text(name: str) -> None:
    unit = UNITS[name]
    calls(unit)
    some = calls(unit * 150)
    assert calls(unit * 300) < 2.2 * some + 300


def test_depth_does_not_multiply_the_work() -> None:
    def deep(levels: int) -> int:
        return calls("*a " * levels + "*x* " * 100 + "b*" * levels)

    deep(1)
    assert deep(9) < 1.5 * deep(3)
