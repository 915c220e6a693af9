"""Text between two marks. Every mark is looked at once: one that closes nothing waits to be closed itself.

`**` may have single stars inside. Within the others there is neither their own character nor a line break;
what was taken out from between two marks counts as text, so `*a *b*c*` is emphasis within emphasis.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

Make = Callable[[str, str], str | None]
"""What to put in place of a text between marks, and of these; None leaves them as they are."""

_STRONG = re.compile(r"\*\*([^\n]+?)\*\*")


def replace_strong(text: str, make: Make) -> str:
    return _STRONG.sub(lambda found: make(found[1], found[0]) or found[0], text)


@dataclass(frozen=True, slots=True)
class Marks:
    """A mark that consists of one character, and how it may stand."""

    mark: str
    runs: re.Pattern[str]
    is_tight: bool = True
    """No blank stands right inside of it."""
    is_exact: bool = False
    """In a longer run of its character there is no mark."""

    def replace(self, text: str, make: Make) -> str:
        size = len(self.mark)
        waiting = [_Waiting("", is_open=False)]
        past = 0
        for run in self.runs.finditer(text):
            waiting[-1].add(text[past : run.start()])
            past = run.end()
            left = len(run[0])
            if self.is_exact and left != size:
                waiting[-1].add(run[0], is_open=False)
                continue
            while left >= size and self._close(waiting, make):
                left -= size
            if rest := run[0][: left % size]:
                waiting[-1].add(rest, is_open=False)
            waiting += (_Waiting(self.mark) for _ in range(left // size))
        return "".join(each.source for each in waiting) + text[past:]

    def _close(self, waiting: list[_Waiting], make: Make) -> bool:
        """Closes the last mark that waits, if that can be."""
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
class _Waiting:
    """A mark and what stands behind it."""

    mark: str
    pieces: list[str] = field(default_factory=list)
    is_open: bool = True

    def add(self, piece: str, *, is_open: bool = True) -> None:
        if piece:
            self.pieces.append(piece)
            self.is_open &= is_open and "\n" not in piece

    @property
    def source(self) -> str:
        return "".join((self.mark, *self.pieces))


STRONG_EMPHASIS: Final = Marks("***", re.compile(r"\*+"))
EMPHASIS: Final = Marks("*", re.compile(r"\*+"))
STRIKE: Final = Marks("~~", re.compile("~+"), is_tight=False, is_exact=True)
