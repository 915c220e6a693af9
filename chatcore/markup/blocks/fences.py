"""Fenced blocks with code, math or other blocks, removed from the lines before the block rules see them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from chatcore.markup.blocks.run import Token
from chatcore.markup.source import CLOSE, OPEN, open_fence

MAX_NESTED_FENCES: Final = 10
QUOTES: Final = frozenset({"quote", "quoted"})


@dataclass(slots=True)
class _Fence:
    """A fence that is not closed yet; without a marker, the text around all fences."""

    opening: str = ""
    marker: str = ""
    language: str = ""
    header: str = ""
    lines: list[str] = field(default_factory=list)

    @property
    def holds_blocks(self) -> bool:
        return not self.marker or self.language.lower() in QUOTES or self.language.lower() == "spoiler"


def take_fences(text: str, default_language: str, taken: dict[str, Token]) -> str:
    """Return *text* with a placeholder in its own paragraph for every fence; add the fences to *taken*."""
    if "```" not in text and "~~~" not in text:
        return text
    nest = [_Fence()]
    for line in text.split("\n"):
        fence = nest[-1]
        match = open_fence(line) if fence.holds_blocks and len(nest) <= MAX_NESTED_FENCES else None
        if fence.marker and line.rstrip() == fence.marker:
            _close(nest, taken)
        elif match:
            language = match["language"] or default_language
            nest.append(_Fence(line, match["marker"], language, match["header"] or ""))
        else:
            fence.lines.append(line if fence.holds_blocks else line.rstrip())
    while len(nest) > 1:
        _drop_blank_lines_at_end(nest[-1].lines)
        if nest[-1].lines or not _stays_as_text(nest[-1]):
            _close(nest, taken, unclosed=True)
        else:
            opening = nest.pop().opening
            nest[-1].lines.append(opening)
    return "\n".join(nest[0].lines) + "\n\n"


def _drop_blank_lines_at_end(lines: list[str]) -> None:
    while lines and not lines[-1].strip():
        lines.pop()


def _stays_as_text(fence: _Fence) -> bool:
    """Whether the opening line of an empty fence is text, because there is no quote, spoiler or formula to
    show.
    """
    return fence.holds_blocks or fence.language.lower() == "math"


def _close(nest: list[_Fence], taken: dict[str, Token], *, unclosed: bool = False) -> None:
    """End the innermost fence: its lines become a token, or a quote that is parsed with its surroundings."""
    fence = nest.pop()
    outside = nest[-1].lines
    if not fence.lines and not unclosed:
        return
    kind = fence.language.lower()
    if kind in QUOTES:
        outside += ["", *("> " + line for line in fence.lines), ""]
        return
    token: Token
    if kind == "spoiler":
        _drop_blank_lines_at_end(fence.lines)
        token = {"type": "spoiler", "header": fence.header, "source": "\n".join(fence.lines)}
    elif kind == "math":
        token = {"type": "block_math", "raw": "\n".join(fence.lines)}
    else:
        token = {"type": "block_code", "raw": "\n".join(fence.lines), "language": fence.language}
    placeholder = f"{OPEN}f{len(taken)}{CLOSE}"
    taken[placeholder] = token
    outside += ["", placeholder, ""]
