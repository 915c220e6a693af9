"""What an edit changed, marked in our own rendered HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import eq
from typing import Final

MAX_CELLS: Final = 100_000
"""Words before times words after that are compared; of more, all of the one becomes all of the other."""

_PIECES = re.compile(r"<[^>]*>|\s*[^<\s]+|\s+")
_INSERTED = '<span class="highlight_text_inserted">'
_DELETED = '<span class="highlight_text_deleted">'


def html_diff(before: str, after: str) -> str:
    """The HTML of *after* with its new words marked, and the words that are gone marked where they were.

    Only text is marked, each word by itself, so that the tags stay those of *after*.
    """
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
    return "".join([*new[:start], *_marked(old_middle, new_middle), *new[len(new) - end :]])


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))


def _marked(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    lengths = _longest_common(old, new)
    i = j = 0
    while i < len(old) or j < len(new):
        if lengths and i < len(old) and j < len(new) and old[i] == new[j]:
            yield new[j]
            i, j = i + 1, j + 1
        elif i < len(old) and (j == len(new) or not lengths or lengths[i + 1][j] >= lengths[i][j + 1]):
            yield "" if old[i].startswith("<") else f"{_DELETED}{old[i]}</span>"
            i += 1
        else:
            yield new[j] if new[j].startswith("<") else f"{_INSERTED}{new[j]}</span>"
            j += 1


def _longest_common(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """How much the rests from each pair of places on have in common; nothing where that is too much work."""
    if len(old) * len(new) > MAX_CELLS:
        return []
    rows = [[0] * (len(new) + 1)]
    for one in reversed(old):
        below, row = rows[-1], [0] * (len(new) + 1)
        for j in range(len(new) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if one == new[j] else max(below[j], row[j + 1])
        rows.append(row)
    return rows[::-1]
