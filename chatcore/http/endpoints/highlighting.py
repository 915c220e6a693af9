"""Marking what was searched for in a page of messages."""

from collections.abc import Callable
from functools import cache
from typing import Final

from chatcore.domain.narrow.terms import Search
from chatcore.domain.words import hits, possible_hits
from chatcore.markup import highlight, highlight_text

MAX_EFFORT: Final = 20_000_000
"""Of one page, about a second: five hundred long messages take less. What is behind is not marked."""
BESIDES_ASCII: Final = 10
"""How much longer other characters take to be looked through."""
PER_MARK: Final = 6
"""How much longer it takes to write a character of a mark than to look through one."""


def highlighter(search: Search | None) -> Callable[[str, str], tuple[str, str]]:
    """Marks what was searched for in the HTML of a message, and in its topic, which becomes HTML too."""
    if search is None:
        return lambda html, topic: (html, _plain(topic))
    is_hit, words, phrases = cache(hits(search.words)), possible_hits(search.words), search.phrases
    mark_topic = cache(lambda topic: highlight_text(topic, is_hit, phrases, words=words))
    left = MAX_EFFORT

    def mark(html: str, topic: str) -> tuple[str, str]:
        nonlocal left
        if left <= 0:
            return html, _plain(topic)
        marked = highlight(html, is_hit, phrases, words=words)
        looked_through = len(html) * (1 if html.isascii() else BESIDES_ASCII) * (1 + len(phrases))
        left -= looked_through + PER_MARK * (len(marked) - len(html))
        return marked, mark_topic(topic)

    return mark


def _plain(topic: str) -> str:
    return highlight_text(topic, lambda word: False)
