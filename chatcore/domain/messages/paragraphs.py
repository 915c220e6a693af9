"""Empty lines in texts of other programs: in Markdown, a line directly below a quotation or a list belongs to
it, while elsewhere a line without its sign is a line of its own.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

_QUOTED: Final = re.compile(r" {0,3}> ?")
_ITEM: Final = re.compile(r" *(?:[*+-]|[0-9]+\.) ")
_FENCE: Final = re.compile(r"`{3,}|~{3,}")


def separate_blocks(text: str, *, wrapped_at: int | None = None) -> str:
    """Return a text with an empty line after each quotation and each list that ends without one; *wrapped_at*
    is that of `separators`.
    """
    lines = text.split("\n")
    pairs = zip(separators(lines, wrapped_at=wrapped_at), lines, strict=True)
    return "\n".join(line if before is None else f"{before}\n{line}" for before, line in pairs)


def separators(lines: Sequence[str], *, wrapped_at: int | None = None) -> Iterator[str | None]:
    """Yield for each line the empty line that has to be put before it, or None. An empty line in quotations
    consists of their signs: `>>` in a quotation within another one.

    :param wrapped_at: the number of characters at which the writer's program has wrapped long lines; None if
        it does not. A line whose first word had no room in the line before it continues that line, and so
        belongs to the same item of a list without a sign.
    """
    depth, is_list, fence, length = 0, False, "", 0
    for line in lines:
        outer, was_list, before = depth, is_list, None
        depth, content = _split_quotation_marks(line)
        if fence:
            fence = "" if content.strip() == fence else fence
        elif match := _FENCE.match(content.lstrip()):
            fence = match[0]
            before = ">" * depth if depth < outer else None
            is_list = False
        elif not content.strip():
            is_list = False
        else:
            is_item = bool(_ITEM.match(content))
            is_list = is_item or (was_list and depth == outer and content.startswith(" "))
            is_wrapped = wrapped_at is not None and length + 1 + len(content.split(" ", 1)[0]) > wrapped_at
            ends_list = was_list and not is_list and depth == outer and not is_wrapped
            if depth < outer or ends_list:
                before = ">" * depth
            is_list |= was_list and is_wrapped and depth == outer
        length = len(line)
        yield before


def _split_quotation_marks(line: str) -> tuple[int, str]:
    """Return the number of quotations around a line, and the line in them."""
    depth, at = 0, 0
    while match := _QUOTED.match(line, at):
        depth, at = depth + 1, match.end()
    return depth, line[at:]
