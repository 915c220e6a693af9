"""Search hits in our own rendered HTML, whose attributes contain no `<` or `>`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from chatcore.domain.charsets import unescape_html
from chatcore.domain.narrow.words import MARKED_WORD
from chatcore.markup.escaping import REFERENCE, escape_literally, text_of
from chatcore.markup.html.formulas import START, split_at_formulas

_REFERENCE = re.compile(REFERENCE)
_TAGS_OR_REFERENCE = re.compile(f"(<[^>]*>(?:<[^>]*>)*|{REFERENCE}|&)")
_FORMULA = "\0"
"""A character that stands for a formula, separates words, and is in no message."""
_decode = lru_cache(maxsize=256)(unescape_html)
"""Decode a reference; a text has few different ones."""
_OPEN = '<span class="highlight">'
_CLOSE = "</span>"


def highlight(
    html: str,
    is_hit: Callable[[str], bool],
    phrases: Collection[str] = (),
    *,
    words: Callable[[str], Iterable[re.Match[str]]] = MARKED_WORD.finditer,
) -> str:
    """Return *html* with a span around each word for which *is_hit* holds, and around each of the *phrases*,
    ignoring case.

    *words* finds the words of a text, from left to right; it may leave out words that are no hits. Nothing
    is marked in formulas.
    """
    if START not in html:
        return _highlight_html(html, is_hit, phrases, words)
    parts = split_at_formulas(html)  # in turn other HTML, and a formula
    parts[::2] = _highlight_html(_FORMULA.join(parts[::2]), is_hit, phrases, words).split(_FORMULA)
    return "".join(parts)


def _highlight_html(
    html: str,
    is_hit: Callable[[str], bool],
    phrases: Collection[str],
    words: Callable[[str], Iterable[re.Match[str]]],
) -> str:
    """Mark the hits in HTML without formulas."""
    source = text_of(html)
    text = _decode_references(source)
    spans = [each.span() for each in words(text) if is_hit(each[0])]
    folded = _fold_case(text) if phrases else ""
    for phrase in filter(None, phrases):
        spans += _find_occurrences(_fold_case(phrase), folded)
    if not spans:
        return html
    hits = _without_overlap(spans) if phrases else spans  # words do not overlap
    lines = html.split("\n")
    # Not so if an attribute has several lines, or a reference stands for the end of one.
    lines_agree = source.count("\n") == text.count("\n") == len(lines) - 1
    if not lines_agree or any("\n" in text[start:end] for start, end in hits):
        return _mark_hits(html, hits)
    for number, of_line in _group_by_line(text, hits):  # few lines have hits, and only these are parsed
        lines[number] = _mark_hits(lines[number], of_line)
    return "\n".join(lines)


def _group_by_line(
    text: str, hits: Iterable[tuple[int, int]]
) -> Iterable[tuple[int, Sequence[tuple[int, int]]]]:
    """Return the numbers of the lines that have hits, each with its hits, as (start, end) in the line."""
    by_line: dict[int, list[tuple[int, int]]] = {}
    number = begin = seen = 0
    for start, end in hits:
        if passed := text.count("\n", seen, start):
            number += passed
            begin = text.rindex("\n", seen, start) + 1
        seen = start
        by_line.setdefault(number, []).append((start - begin, end - begin))
    return by_line.items()


def highlight_text(
    text: str,
    is_hit: Callable[[str], bool],
    phrases: Collection[str] = (),
    *,
    words: Callable[[str], Iterable[re.Match[str]]] = MARKED_WORD.finditer,
) -> str:
    """Highlight plain text, such as a topic, and return it as HTML."""
    return highlight(escape_literally(text), is_hit, phrases, words=words)


def _fold_case(text: str) -> str:
    """Return the text without case, with each character at its index."""
    folded = text.casefold()
    if len(folded) == len(text):
        return folded
    return "".join(plain if len(plain := character.casefold()) == 1 else character for character in text)


def _find_occurrences(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where the phrase begins and ends in the text, without overlaps."""
    start = text.find(phrase)
    while start >= 0:
        yield start, start + len(phrase)
        start = text.find(phrase, start + len(phrase))


def _decode_references(text: str) -> str:
    return _REFERENCE.sub(lambda reference: _decode(reference[0]), text) if "&" in text else text


def _without_overlap(spans: Collection[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return (start, end) of the parts to mark, from left to right."""
    hits: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if hits and start < hits[-1][1]:
            hits[-1] = hits[-1][0], max(end, hits[-1][1])
        else:
            hits.append((start, end))
    return hits


def _mark_hits(html: str, hits: Sequence[tuple[int, int]]) -> str:
    """Return *html* with spans around the parts of its text that are *hits*, separately in each piece between
    two tags. A character reference is marked as a whole.
    """
    sources = _TAGS_OR_REFERENCE.split(html)
    texts = sources.copy()  # in turn text, which stays, and tags or a reference
    texts[1::2] = ["" if source[0] == "<" else _decode(source) for source in sources[1::2]]
    starts = list(accumulate(map(len, texts), initial=0))
    marked = sources.copy()
    # From right to left, so that the remaining offsets in a piece stay valid.
    for start, end in reversed(hits):
        index = bisect_right(starts, start) - 1
        while starts[index] < end:
            if (
                texts[index] and texts[index] == sources[index]
            ):  # text, or a reference that names no character
                first, last = max(start - starts[index], 0), min(end, starts[index + 1]) - starts[index]
                piece = marked[index]
                marked[index] = f"{piece[:first]}{_OPEN}{piece[first:last]}{_CLOSE}{piece[last:]}"
            elif texts[index]:
                marked[index] = f"{_OPEN}{sources[index]}{_CLOSE}"
            index += 1
    return "".join(marked)
