"""Formulas in HTML: in our own rendered HTML each is one piece, whose inside is not touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

FormulaRenderer = Callable[[str, bool], str | None]
"""A function of TeX, and whether it stands alone, to HTML; None if it is not correct or takes too long."""

START: Final = '<span class="katex'
_SPAN = re.compile(r"<(/?)span\b")


def split_at_formulas(html: str) -> list[str]:
    """Return the pieces of *html*; every second one is a formula."""
    pieces, before = [], 0
    for start, end in _formulas_in(html):
        pieces += [html[before:start], html[start:end]]
        before = end
    return [*pieces, html[before:]]


def _formulas_in(html: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each formula: a span, with the spans inside of it."""
    start = html.find(START)
    while start >= 0:
        depth, end = 0, len(html)
        for tag in _SPAN.finditer(html, start):
            depth += -1 if tag[1] else 1
            if not depth:
                end = tag.end() + 1  # with the `>`
                break
        yield start, end
        start = html.find(START, end)
