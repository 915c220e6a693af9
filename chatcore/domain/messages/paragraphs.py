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
    depth, in_list, open_fence, length = 0, False, "", 0
    for line in lines:
        old_depth, old_length, needs_separator = depth, length, False
        depth, content = _split_quotation_marks(line)
        length = len(line)
        if open_fence:
            if content.strip() == open_fence:
                open_fence = ""
        elif fence := _FENCE.match(content.lstrip()):
            open_fence, in_list = fence[0], False
            needs_separator = depth < old_depth
        elif not content.strip():
            in_list = False
        else:
            first_word = content.split(" ", 1)[0]
            is_wrapped = wrapped_at is not None and old_length + 1 + len(first_word) > wrapped_at
            was_list = in_list and depth == old_depth
            in_list = bool(_ITEM.match(content)) or (was_list and (is_wrapped or content.startswith(" ")))
            needs_separator = depth < old_depth or (was_list and not in_list)
        yield ">" * depth if needs_separator else None


def _split_quotation_marks(line: str) -> tuple[int, str]:
    """Return the number of quotations around a line, and the line in them."""
    depth, at = 0, 0
    while match := _QUOTED.match(line, at):
        depth, at = depth + 1, match.end()
    return depth, line[at:]
