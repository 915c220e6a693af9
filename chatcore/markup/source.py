"""Preparation of a message's text for the block rules: line ends, tabs, and lists right below a text."""

from __future__ import annotations

import re
from typing import Final

OPEN: Final = "\x02"
CLOSE: Final = "\x03"
"""The number of a part taken out of a text stands between these two, which never occur in a message."""

FENCE: Final = re.compile(
    r"(?P<marker>`{3,}|~{3,}) *(?:\{?\.?(?P<language>[\w+,\-./#]+) *(?P<header>[^ ~`][^~`]*)?\}?)?", re.ASCII
)
_ITEM = re.compile(r" *([*+-]|[0-9]\.) ")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK_LINE = re.compile(r"(?<=\n) +(?=\n)")


def open_fence(line: str) -> re.Match[str] | None:
    """Return the fence that *line* opens: marker, language and header."""
    if not line.startswith(("```", "~~~")):
        return None
    after = line.lstrip(line[0])
    return None if "`" in after or "~" in after else FENCE.fullmatch(line)


def normalize(text: str) -> str:
    """Return a text in the form that the block rules expect; it ends with an empty line."""
    text = text.replace(OPEN, "").replace(CLOSE, "").replace("\0", "")
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in text:
        text = "\n".join(_separate_lists(text.split("\n")))
    return _BLANK_LINE.sub("", text.expandtabs(4) + "\n\n")


def _separate_lists(lines: list[str]) -> list[str]:
    """Insert an empty line before every list that follows a text or a list of the other kind, except inside
    code.

    This recognizes code before fences.py has seen the text, and more coarsely: any text in a fence except
    `quote` in lower-case letters. Many messages contain lists written for this rule, so it stays as clients
    know it.
    """
    separated = []
    open_fences: list[tuple[str, bool]] = []  # the marker of each, and whether it holds code
    line_above = ""
    item_above: re.Match[str] | None = None
    for line in lines:
        item = _ITEM.match(line)
        if line_above and item and not any(is_code for _, is_code in open_fences):
            is_same_list = item_above and (item_above[1] in "*+-") == (item[1] in "*+-")
            if not is_same_list:
                separated.append("")
        separated.append(line)
        line_above, item_above = line, item
        if fence := open_fence(line):
            marker, language = fence["marker"], fence["language"]
            if not language and open_fences and open_fences[-1][0] == marker:
                open_fences.pop()
            else:
                open_fences.append((marker, language not in ("quote", "quoted")))
    return separated
