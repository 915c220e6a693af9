"""Texts of the format "flowed" (RFC 3676): lines that end with a blank go on in the next one."""

from typing import Final

_SIGNATURE: Final = "-- "


def joined_paragraphs(text: str, *, without_blank: bool) -> str:
    """Return a text with whole paragraphs as lines; *without_blank* is for languages that have no blanks
    between words.
    """
    lines: list[list[str]] = []
    depth_before, goes_on = 0, False
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        words = line[depth:].removeprefix(" ")
        is_signature = words == _SIGNATURE
        if not goes_on or depth != depth_before or is_signature:
            marks = ">" * depth
            lines.append([f"{marks} " if marks and words else marks])
        goes_on = words.endswith(" ") and not is_signature
        depth_before = depth
        lines[-1].append(words[:-1] if goes_on and without_blank else words)
    return "\n".join("".join(pieces) for pieces in lines)
