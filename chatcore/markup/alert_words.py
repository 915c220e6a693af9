"""Whose alert words occur in a text: code and links count too, the case does not."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_BEFORE = r"""(?:^|(?<=[ \n("\.,';\[*`>]))"""
_AFTER = r"""(?=$|[ \n)?:.,';\]!*`])"""
_LETTERS = re.compile(r"\w+")


def users_alerted(text: str, alert_words: Mapping[int, Collection[str]]) -> frozenset[int]:
    """The users of whose words one stands in *text*."""
    if not alert_words:
        return frozenset()
    folded = text.lower()
    letters = set(_LETTERS.findall(folded))
    verdicts: dict[str, bool] = {}

    def occurs(word: str) -> bool:
        if word not in verdicts:
            verdicts[word] = _occurs(word, folded, letters)
        return verdicts[word]

    return frozenset(
        user for user, words in alert_words.items() if any(occurs(word.lower()) for word in words)
    )


def _occurs(word: str, folded: str, letters: set[str]) -> bool:
    """No letter may stand right beside a word, so the letters in it are found among those of the text, or
    it is not there.
    """
    first = _LETTERS.search(word)
    if not word or (first and first[0] not in letters):
        return False
    return re.search(_BEFORE + re.escape(word) + _AFTER, folded) is not None
