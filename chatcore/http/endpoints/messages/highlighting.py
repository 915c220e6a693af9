"""Marking what was searched for in a page of messages."""

from collections.abc import Callable
from functools import cache
from typing import Final

from chatcore.domain.narrow.terms import Search
from chatcore.domain.words import hits, possible_hits
from chatcore.markup import highlight, highlight_text

MAX_EFFORT: Final = 20_000_000
"""Of one page, in characters of ASCII looked through: about a second. What is behind is not marked.

Weights and no clock, so that the same is marked everywhere and each time.
"""
BESIDES_ASCII: Final = 10
"""How much longer other characters take to be looked through."""
PER_MARK: Final = 6
"""How much longer it takes to write a character of a mark than to look through one."""
PER_WORD: Final = 20
"""As many characters as are looked through while one word is known again, or a reference is read."""
PER_LETTER: Final = 120
"""The same for a letter of a word that is new, whose stem has to be found."""


def highlighter(search: Search | None) -> Callable[[str, str], tuple[str, str]]:
    """Marks what was searched for in the HTML of a message, and in its topic, which becomes HTML too."""
    if search is None:
        return lambda html, topic: (html, _plain(topic))
    has_stem, words, phrases = hits(search.words), possible_hits(search.words), search.phrases
    left = MAX_EFFORT

    @cache
    def find_out(word: str) -> bool:
        nonlocal left
        left -= PER_LETTER * len(word)
        return has_stem(word)

    def is_hit(word: str) -> bool:
        nonlocal left
        left -= PER_WORD
        return find_out(word)

    @cache
    def mark_topic(topic: str) -> str:
        return highlight_text(topic, is_hit, phrases, words=words)

    def mark(html: str, topic: str) -> tuple[str, str]:
        nonlocal left
        if left <= 0:
            return html, _plain(topic)
        marked = highlight(html, is_hit, phrases, words=words)
        weight = 1 if html.isascii() else BESIDES_ASCII
        looked_through = len(html) * weight + html.count("&") * PER_WORD
        left -= looked_through * (1 + len(phrases)) + PER_MARK * (len(marked) - len(html))
        return marked, mark_topic(topic)

    return mark


def _plain(topic: str) -> str:
    return highlight_text(topic, lambda word: False)
