"""Changes of edits, marked in our own rendered HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from operator import eq, itemgetter
from typing import Final

from chatcore.markup.html.formulas import START, split_at_formulas

MAX_CELLS: Final = 300_000
"""Words before times words after that are compared for one answer, about half a second's work."""

_PIECES = re.compile(r"<[^>]*>|\s*[^<\s]+|\s+")
_SAME, _INSERTED, _DELETED = (
    "{}",
    '<span class="highlight_text_inserted">{}</span>',
    '<span class="highlight_text_deleted">{}</span>',
)


def html_diffs(changes: Iterable[tuple[str, str]]) -> list[str]:
    """Return the new HTML of each change, with added words marked, and removed words marked in their old
    places.

    Only text is marked, so that the tags stay those of the new HTML. Changes beyond the limit of work show
    the whole replaced text as removed and the whole new text as added.
    """
    cells_left, diffs = MAX_CELLS, []
    for before, after in changes:
        old, new = _split_into_pieces(before), _split_into_pieces(after)
        start = _equal_at_start(old, new)
        end = _equal_at_start(old[start:][::-1], new[start:][::-1])  # pieces that are equal at the end
        old_middle, new_middle = old[start : len(old) - end], new[start : len(new) - end]
        cells = len(old_middle) * len(new_middle)
        if cells <= cells_left:
            cells_left -= cells
            middle = _compare_pieces(old_middle, new_middle)
        else:
            middle = _replace_pieces(old_middle, new_middle)
        diffs.append("".join([*new[:start], *_mark_pieces(middle), *new[len(new) - end :]]))
    return diffs


def _split_into_pieces(html: str) -> list[str]:
    """Return the words, tags and formulas of *html*."""
    pieces: list[str] = []
    for number, part in enumerate(split_at_formulas(html)):
        pieces += [part] if number % 2 else _PIECES.findall(part)
    return pieces


def _is_tag(piece: str) -> bool:
    return piece.startswith("<") and not piece.startswith(START)


def _equal_at_start(old: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of pieces with which both begin."""
    return sum(1 for _ in takewhile(bool, map(eq, old, new)))


_Piece = tuple[str, str]
"""A word or tag, and the mark that it gets."""


def _mark_pieces(pieces: Iterable[_Piece]) -> Iterator[str]:
    """Yield the pieces as HTML, those in a row with the same mark in one span."""
    for mark, together in groupby(pieces, itemgetter(0)):
        yield mark.format("".join(text for _, text in together))


def _replace_pieces(old: Iterable[str], new: Iterable[str]) -> Iterator[_Piece]:
    yield from _remove_pieces(old)
    yield from _add_pieces(new)


def _remove_pieces(pieces: Iterable[str]) -> Iterator[_Piece]:
    """Yield removed pieces without the tags, as those of the new HTML alone stay."""
    return ((_DELETED, piece) for piece in pieces if not _is_tag(piece))


def _add_pieces(pieces: Iterable[str]) -> Iterator[_Piece]:
    return ((_SAME if _is_tag(piece) else _INSERTED, piece) for piece in pieces)


def _compare_pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[_Piece]:
    """Yield the pieces of both texts in order, each as the same, deleted or inserted."""
    lengths = _subsequence_lengths(old, new)
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            yield _SAME, new[j]
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            yield from _remove_pieces([old[i]])
            i += 1
        else:
            yield from _add_pieces([new[j]])
            j += 1
    yield from _replace_pieces(old[i:], new[j:])


def _subsequence_lengths(old: Sequence[str], new: Sequence[str]) -> list[list[int]]:
    """Return the length of the longest common subsequence of `old[i:]` and `new[j:]`, for each i and j."""
    rows = [[0] * (len(new) + 1)]
    for piece in reversed(old):
        below, row = rows[-1], [0] * (len(new) + 1)
        for j in range(len(new) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if piece == new[j] else max(below[j], row[j + 1])
        rows.append(row)
    return rows[::-1]
