"""Text between two marks. Every mark is read once; one that closes nothing waits to be closed itself.

`**` may have single stars inside. The others contain neither their own character nor a line break; a replaced
part between two marks counts as text, so `*a *b*c*` is emphasis within emphasis.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

Make = Callable[[str, str], str | None]
"""Returns the replacement for a text between marks and for its source; None leaves them unchanged."""

_STRONG = re.compile(r"\*\*([^\n]+?)\*\*")


def replace_strong(text: str, make: Make) -> str:
    return _STRONG.sub(lambda match: make(match[1], match[0]) or match[0], text)


@dataclass(frozen=True, slots=True)
class Marks:
    """A mark of one character, and the rules for the characters around it."""

    mark: str
    runs: re.Pattern[str]
    is_tight: bool = True
    """Whether no blank may follow or precede the text inside."""
    is_exact: bool = False
    """Whether a longer run of the character contains no mark."""

    def replace(self, text: str, make: Make) -> str:
        """Return *text* with each pair of marks, and the text between, replaced by what *make* returns."""
        size = len(self.mark)
        waiting = [_OpenMark("", is_open=False)]  # not a mark: it collects the text before all marks
        past = 0
        for run in self.runs.finditer(text):
            waiting[-1].append_text(text[past : run.start()])
            past = run.end()
            left = len(run[0])
            if self.is_exact and left != size:
                waiting[-1].append_text(run[0], can_be_inside=False)
                continue
            while left >= size and self._close(waiting, make):
                left -= size
            if rest := run[0][: left % size]:
                waiting[-1].append_text(rest, can_be_inside=False)
            waiting += (_OpenMark(self.mark) for _ in range(left // size))
        return "".join(each.source for each in waiting) + text[past:]

    def _close(self, waiting: list[_OpenMark], make: Make) -> bool:
        """Close the last waiting mark; return whether this was possible."""
        last = waiting[-1]
        if not last.is_open or not last.pieces:
            return False
        if self.is_tight and (last.pieces[0][0].isspace() or last.pieces[-1][-1].isspace()):
            return False
        made = make("".join(last.pieces), last.source + self.mark)
        if made is None:
            last.is_open = False
            return False
        waiting.pop()
        waiting[-1].pieces.append(made)
        return True


@dataclass(slots=True)
class _OpenMark:
    """A mark that waits to be closed, and the text after it."""

    mark: str
    pieces: list[str] = field(default_factory=list)
    is_open: bool = True
    """Whether it can still be closed."""

    def append_text(self, piece: str, *, can_be_inside: bool = True) -> None:
        if piece:
            self.pieces.append(piece)
            self.is_open &= can_be_inside and "\n" not in piece

    @property
    def source(self) -> str:
        return "".join((self.mark, *self.pieces))


STRONG_EMPHASIS: Final = Marks("***", re.compile(r"\*+"))
EMPHASIS: Final = Marks("*", re.compile(r"\*+"))
STRIKE: Final = Marks("~~", re.compile("~+"), is_tight=False, is_exact=True)
