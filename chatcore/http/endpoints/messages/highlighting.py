"""Highlighting of search hits in a page of messages."""

from collections.abc import Callable
from functools import cache
from typing import Final

from chatcore.domain.narrow.terms import Search
from chatcore.domain.narrow.words import hit_test, possible_hit_finder
from chatcore.markup import highlight, highlight_text

MAX_EFFORT: Final = 20_000_000
"""The effort for one page, in searched ASCII characters: about a second. Beyond it, nothing is highlighted.

The effort is weighted, not timed, so that the result is the same on every server and each time.
"""
BESIDES_ASCII: Final = 10
"""The effort of searching a character beyond ASCII."""
PER_MARK: Final = 6
"""The effort of writing a character of a mark."""
PER_WORD: Final = 20
"""The effort of recognizing a known word, or of reading a character reference."""
PER_LETTER: Final = 120
"""The effort for each letter of a new word, whose stem has to be computed."""


def make_highlighter(search: Search | None) -> Callable[[str, str], tuple[str, str]]:
    """Return a function that highlights hits in a message's HTML and in its topic, which becomes HTML too.

    It counts its effort for all messages of a page, and highlights none after `MAX_EFFORT`.
    """
    if search is None:
        return lambda html, topic: (html, _plain(topic))
    has_stem, words, phrases = hit_test(search.words), possible_hit_finder(search.words), search.phrases
    effort_left = MAX_EFFORT

    @cache
    def check_new_word(word: str) -> bool:
        nonlocal effort_left
        effort_left -= PER_LETTER * len(word)
        return has_stem(word)

    def is_hit(word: str) -> bool:
        nonlocal effort_left
        effort_left -= PER_WORD
        return check_new_word(word)

    @cache
    def mark_topic(topic: str) -> str:
        return highlight_text(topic, is_hit, phrases, words=words)

    def mark(html: str, topic: str) -> tuple[str, str]:
        nonlocal effort_left
        if effort_left <= 0:
            return html, _plain(topic)
        marked = highlight(html, is_hit, phrases, words=words)
        weight = 1 if html.isascii() else BESIDES_ASCII
        searched = len(html) * weight + html.count("&") * PER_WORD
        effort_left -= searched * (1 + len(phrases)) + PER_MARK * (len(marked) - len(html))
        return marked, mark_topic(topic)

    return mark


def _plain(topic: str) -> str:
    return highlight_text(topic, lambda word: False)
