"""Lines of a page as a whole: without blank ones around them, indented, as code, or as a table."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from chatcore.domain.received_mail.quotations import Line

_FENCE: Final = re.compile("`{3,}")
_MAX_COLUMNS: Final = 50
_MAX_CELL: Final = 300
"""Columns, and characters of a cell, in a table of data; other tables only arrange the parts of a page."""


def trim_lines(lines: Sequence[Line]) -> list[Line]:
    """Return the lines without blank ones at the beginning and the end; of several blank ones between two
    others, outside of code, only the first stays.
    """
    kept: list[Line] = []
    is_code = False
    for line in lines:
        is_code ^= line.text.lstrip("> ").startswith("```")
        if line.text or is_code or (kept and kept[-1].text):
            kept.append(line)
    drop_blank_lines(kept)
    return kept


def drop_blank_lines(lines: list[Line]) -> None:
    """Remove blank lines at the end of a list."""
    while lines and not lines[-1].text:
        lines.pop()


def indent_item(lines: Sequence[Line], marker: str) -> Iterator[Line]:
    """Yield lines with a marker before the first one, and blanks before the others."""
    for i, line in enumerate(lines):
        before = " " * len(marker) if i else marker
        yield Line(f"{before}{line.text}" if line.text or not i else "", line.mark)


def code_block(lines: Sequence[Line]) -> list[Line]:
    """Return lines of code between fences that are longer than any in the code; none if all are blank."""
    code = "\n".join(line.text for line in lines).strip("\n")
    if not code.strip():
        return []
    longest = max(_FENCE.findall(code), key=len, default="``")
    fence = f"{longest}`"
    return [Line(text) for text in (fence, *code.split("\n"), fence)]


# -- tables -----------------------------------------------------------------------------------------


def table(rows: Sequence[Sequence[Sequence[Line]]]) -> list[Line]:
    """Return a table of data as one; one that arranges a page as the texts of its cells. Cells are lines."""
    filled_rows = [row for row in rows if any(row)]
    width = max(map(len, filled_rows), default=0)
    may_be_data = len(filled_rows) > 1 and 1 < width <= _MAX_COLUMNS
    if may_be_data and all(_is_datum(cell) for row in filled_rows for cell in row):
        head, *others = (_row_text(row, width) for row in filled_rows)
        mark = next(line.mark for row in filled_rows for cell in row for line in cell)
        return [Line(text, mark) for text in (head, f"|{'---|' * width}", *others)]
    lines: list[Line] = []
    for row in filled_rows:
        filled = [cell for cell in row if cell]
        if len(filled) > 1 and all(_is_datum(cell) for cell in filled):
            lines += [Line(" | ".join(map(_cell_text, filled)), filled[0][0].mark), Line("")]
        else:
            lines += [line for cell in filled for line in (*cell, Line(""))]
    return trim_lines(lines)


def _row_text(row: Sequence[Sequence[Line]], width: int) -> str:
    texts = [_cell_text(cell).replace("|", "\\|") for cell in row]
    return f"| {' | '.join(texts + [''] * (width - len(texts)))} |"


def _is_datum(cell: Sequence[Line]) -> bool:
    """Whether a cell of a table of data can have these lines: few words without blocks or blank lines."""
    is_plain = all(line.text and not line.text.startswith((">", "* ", "1. ", "```", "| ")) for line in cell)
    return is_plain and len(_cell_text(cell)) <= _MAX_CELL


def _cell_text(cell: Sequence[Line]) -> str:
    return " ".join(line.text for line in cell)
