"""Tables: a header row, a row of dashes, and rows; pipes inside code do not count."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import Final, NamedTuple

from chatcore.markup.blocks.run import Token

MAX_CELLS: Final = 5_000
"""Short rows are filled with cells: without a bound a message of 10,000 characters could make three
million.
"""

_MARKS = re.compile(r"\\\\|\\?`+|\\\||\|")
_DASHES = frozenset(":- ")


def parse_table(block: str) -> Token | None:
    """Return the table that *block* is, or None if it is none or has too many cells."""
    header, _, rest = block.partition("\n")
    header = header.strip(" ")
    if "|" not in header and "|" not in rest:
        return None
    dashes, _, body = rest.partition("\n")
    dashes = dashes.strip(" ")
    if not dashes or not _DASHES.issuperset(dashes.replace("|", "")):
        return None
    has_border = header.startswith("|") or _ends_in_pipe(header)
    names = _split_row(header, has_border)
    columns = _split_row(dashes, has_border)
    if len(names) != len(columns):
        return None
    rows = body.split("\n") if body else []
    # A single column is a table only if a pipe is at a side of every line.
    if len(names) == 1 and not (has_border and all(map(_is_bordered, (dashes, *rows)))):
        return None
    if len(columns) * len(rows) > MAX_CELLS:
        return None
    aligns = [_align(column.strip(" ")) for column in columns]
    body_rows = [_make_cells("td", _split_row(row.strip(" "), has_border), aligns) for row in rows]
    if not body_rows:
        body_rows = [_make_cells("td", [], [""] * len(aligns))]
    head: Token = {"type": "table_head", "children": _make_cells("th", names, aligns)}
    body_children = [{"type": "table_row", "children": cells} for cells in body_rows]
    return {"type": "table", "children": [head, {"type": "table_body", "children": body_children}]}


def _make_cells(tag: str, cells: list[str], aligns: list[str]) -> list[Token]:
    """Return the cells of a row, as many as the table has columns."""
    padded = cells[: len(aligns)] + [""] * (len(aligns) - len(cells))
    return [
        {"type": "table_cell", "tag": tag, "align": align, "text": cell.strip(" ")}
        for cell, align in zip(padded, aligns, strict=True)
    ]


def _align(dashes: str) -> str:
    match dashes.startswith(":"), dashes.endswith(":"):
        case True, True:
            return "center"
        case True, False:
            return "left"
        case False, True:
            return "right"
        case _:
            return ""


def _is_bordered(row: str) -> bool:
    row = row.strip(" ")
    return row.startswith("|") or _ends_in_pipe(row)


def _ends_in_pipe(row: str) -> bool:
    """Whether the row ends in a pipe that is not escaped."""
    if not row.endswith("|"):
        return False
    before = row[:-1]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 0


def _split_row(row: str, has_border: bool) -> list[str]:
    """Return the texts of the cells; a pipe in code or after a backslash divides none."""
    if has_border:
        row = row.removeprefix("|")
        if _ends_in_pipe(row):
            row = row[:-1]
    if "`" not in row and "\\" not in row:
        return row.split("|")
    cells, start = [], 0
    for pipe in _find_pipes(row):
        cells.append(row[start:pipe])
        start = pipe + 1
    return [*cells, row[start:]]


class _Run(NamedTuple):
    """Backticks in a row from *start* to *end*; the *length* is their number, without backslashes before."""

    start: int
    end: int
    length: int


def _find_pipes(row: str) -> list[int]:
    """Return the indexes of the pipes between cells: neither escaped nor between two runs of as many
    backticks.
    """
    pipes = []
    runs: list[_Run] = []
    for mark in _MARKS.finditer(row):
        text = mark[0]
        if text == "|":
            pipes.append(mark.start())
        elif text.endswith("`"):
            runs.append(_Run(mark.start(), mark.end(), len(text.lstrip("\\"))))
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, run in enumerate(runs):
        by_length[run.length].append(number)
    # Code reaches from a run to the next one of its length, whatever is between them.
    starts_of_code, ends_of_code = [], []
    number = 0
    while number < len(runs):
        same = by_length[runs[number].length]
        partner = bisect_right(same, number)
        if partner < len(same):
            starts_of_code.append(runs[number].start)
            number = same[partner]
            ends_of_code.append(runs[number].end)
        number += 1

    def is_in_code(pipe: int) -> bool:
        index = bisect_right(starts_of_code, pipe) - 1
        return index >= 0 and pipe < ends_of_code[index]

    return [pipe for pipe in pipes if not is_in_code(pipe)]
