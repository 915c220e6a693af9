"""Links written as `[text](address "title")`. Brackets are matched once for the whole text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_BRACKETS = re.compile(r"[\[\]]")
MAX_REFUSED: Final = 50_000
"""Characters of refused addresses that are read in one text, because such addresses may be nested. Links
behind them stay as they are written.
"""

_PARENTHESES = re.compile(r"[()]")
_QUOTES = re.compile(r"['\"]")
_TITLE_END = re.compile(r"['\"] *\)")
_POINTED = re.compile(r"""<([^<>]*)>(?:\s*(?:'([^']*)'|"([^"]*)"))?\s*\)""")


@dataclass(frozen=True, slots=True)
class WrittenLink:
    text: str
    address: str
    title: str | None


def replace_links(text: str, make: Callable[[WrittenLink, str], str | None], *, images: bool) -> str:
    """Return *text* with every link replaced by what *make* returns for it and its source. For None, the link
    is refused: it stays as text, and others are searched in it.

    With *images* a link after `!` is replaced too, but not its `!`; otherwise it stays.
    """
    partners = _pair_marks(text, _BRACKETS, "[", "]")
    targets = _Targets(text)
    pieces: list[str] = []
    done = refused_characters = 0
    for start in sorted(partners):
        close = partners[start]
        if refused_characters > MAX_REFUSED:
            break
        if start < done or not text.startswith("(", close + 1):
            continue
        if not images and start and text[start - 1] == "!":
            continue
        target = targets.at(close + 1)
        if target is None:
            continue
        address, title, end = target
        made = make(WrittenLink(text[start + 1 : close], address, title), text[start:end])
        if made is None:
            refused_characters += len(address)
        else:
            pieces += (text[done:start], made)
            done = end
    return "".join((*pieces, text[done:]))


def _pair_marks(text: str, marks: re.Pattern[str], opening: str, closing: str) -> dict[int, int]:
    """Return the positions of closing marks by those of their opening marks; single ones are left out."""
    partners = {}
    waiting: list[int] = []
    for mark in marks.finditer(text):
        if mark[0] == opening:
            waiting.append(mark.start())
        elif mark[0] == closing and waiting:
            partners[waiting.pop()] = mark.start()
    return partners


@dataclass(frozen=True, slots=True)
class _Titled:
    address: str
    title: str
    end: int
    is_apart: bool
    """Whether there is a blank between the address and the title."""


class _Targets:
    """The parts in parentheses after the texts of links."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._partners = _pair_marks(text, _PARENTHESES, "(", ")")
        self._quotes = [mark.start() for mark in _QUOTES.finditer(text)]
        # The positions of each quote before a closing parenthesis, and of this parenthesis.
        self._title_ends = [(end.start(), end.end() - 1) for end in _TITLE_END.finditer(text)]

    def at(self, parenthesis: int) -> tuple[str, str | None, int] | None:
        """Return address, title and end of the target that begins at *parenthesis*; None if it is none."""
        text = self._text
        start = parenthesis + 1
        while start < len(text) and text[start].isspace():
            start += 1
        if pointed := _POINTED.match(text, start):
            return pointed[1].strip(), pointed[2] or pointed[3], pointed.end()
        closing = self._partners.get(parenthesis, len(text))
        index = bisect_left(self._quotes, start)
        if index < len(self._quotes) and self._quotes[index] < closing:
            titled = self._read_title(start, self._quotes[index])
            if titled and (titled.end <= closing + 1 or titled.is_apart):
                return titled.address, titled.title, titled.end
        return None if closing == len(text) else (text[start:closing].strip(), None, closing + 1)

    def _read_title(self, start: int, quote: int) -> _Titled | None:
        """Return the address from *start* on and its title, which begins at *quote*, or at the first quote of
        the other kind after it, and ends where its quote is followed by a parenthesis.
        """
        text = self._text
        index = bisect_right(self._title_ends, (quote, len(text)))
        if index == len(self._title_ends):
            return None
        closing, end = self._title_ends[index]
        opening = text.find(text[closing], quote, closing)
        if opening < 0:
            return None
        is_apart = text[opening - 1].isspace()
        return _Titled(text[start:opening].strip(), text[opening + 1 : closing], end + 1, is_apart)
