"""The text of our own rendered HTML, and search hits in it. No `<` or `>` stands in its attributes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator
from html import unescape
from typing import Final

from chatcore.markup.escaping import escape_literally

WORD: Final = re.compile(r"\w+")

_PIECE = re.compile(r"(<[^>]*>)|(&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z0-9]+);)|[^<&]+|&")
_CUSTOM_EMOJI = re.compile(r'<img alt="(:[^"]*:)" class="emoji"')
_OPEN = '<span class="highlight">'
_CLOSE = "</span>"


def text_of(html: str) -> str:
    """What a reader sees of *html*, for the search index. Custom emoji are there by their names."""
    return "".join(text for _, text in _pieces(html, with_emoji=True))


def highlight(
    html: str,
    is_hit: Callable[[str], bool],
    phrases: Collection[str] = (),
    *,
    word: re.Pattern[str] = WORD,
) -> str:
    """*html* with a span around each *word* for which *is_hit* holds, and around each of the *phrases* in
    any case.
    """
    pieces = list(_pieces(html))
    hits = _hits("".join(text for _, text in pieces), is_hit, phrases, word)
    if not hits:
        return html
    parts = []
    start = 0
    for source, text in pieces:
        parts.append(_marked(source, text, start, hits) if text else source)
        start += len(text)
    return "".join(parts)


def highlight_text(
    text: str,
    is_hit: Callable[[str], bool],
    phrases: Collection[str] = (),
    *,
    word: re.Pattern[str] = WORD,
) -> str:
    """The same for plain text, such as a topic: it comes back as HTML."""
    return highlight(escape_literally(text), is_hit, phrases, word=word)


def _pieces(html: str, *, with_emoji: bool = False) -> Iterator[tuple[str, str]]:
    """(source, the text that it stands for) of every tag, character reference and run of text."""
    for piece in _PIECE.finditer(html):
        source = piece[0]
        if piece[1]:
            emoji = _CUSTOM_EMOJI.match(source) if with_emoji else None
            yield source, unescape(emoji[1]) if emoji else ""
        else:
            yield source, unescape(source) if piece[2] else source


def _hits(
    text: str, is_hit: Callable[[str], bool], phrases: Collection[str], word: re.Pattern[str]
) -> deque[tuple[int, int]]:
    """(start, end) of what is to be marked, from left to right and without overlap."""
    found = [each.span() for each in word.finditer(text) if is_hit(each[0])]
    for phrase in filter(None, phrases):
        found += [each.span() for each in re.finditer(re.escape(phrase), text, re.IGNORECASE)]
    hits: deque[tuple[int, int]] = deque()
    for start, end in sorted(found):
        if hits and start < hits[-1][1]:
            hits[-1] = hits[-1][0], max(end, hits[-1][1])
        else:
            hits.append((start, end))
    return hits


def _marked(source: str, text: str, start: int, hits: deque[tuple[int, int]]) -> str:
    """One piece with spans around the parts of it that are hits. A character reference is marked as a
    whole.
    """
    end = start + len(text)
    while hits and hits[0][1] <= start:
        hits.popleft()
    parts = []
    past = start
    for first, last in hits:
        if first >= end:
            break
        first, last = max(first, start), min(last, end)
        if source != text:
            return f"{_OPEN}{source}{_CLOSE}"
        parts.append(
            f"{text[past - start : first - start]}{_OPEN}{text[first - start : last - start]}{_CLOSE}"
        )
        past = last
    return "".join((*parts, source if past == start and not parts else text[past - start :]))
