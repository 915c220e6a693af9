"""Texts of the format "flowed" (RFC 3676): lines that end with a blank go on in the next one."""

import re
from typing import Final

_MARKS: Final = re.compile(">*")
_SIGNATURE: Final = "-- "


def joined_paragraphs(text: str, *, without_blank: bool) -> str:
    """Return a text with whole paragraphs as lines; *without_blank* is for languages that have no blanks
    between words.
    """
    lines: list[list[str]] = []
    depth, goes_on = 0, False
    for line in text.split("\n"):
        marks = len(_MARKS.match(line)[0])  # type: ignore[index]  # it matches nothing, too
        words = line[marks:].removeprefix(" ")
        if not (goes_on and marks == depth and words != _SIGNATURE):
            lines.append([">" * marks + " " if marks and words else ">" * marks])
        goes_on, depth = words.endswith(" ") and words != _SIGNATURE, marks
        lines[-1].append(words[:-1] if goes_on and without_blank else words)
    return "\n".join("".join(pieces) for pieces in lines)
