"""Alert words: which of them may occur in a text. Whether one really does, markup says when rendering.

A text is cut into runs of word characters; a word can only occur where the first run of it does. So the
few words that come into question can be looked up by the text's runs, however many words there are.
"""

import re

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits

_RUN = re.compile(r"\w+")


def tokens(text: str) -> frozenset[str]:
    """The runs of a text, and the empty one for words that have none."""
    return frozenset(_RUN.findall(text.lower())) | {""}


def first_token(word: str) -> str:
    run = _RUN.search(word.lower())
    return "" if run is None else run[0]


def read_words(raw: list[str], limits: Limits) -> list[str]:
    """Words as a client sends them: stripped, blanks dropped, each once without regard to case.

    :raises BadRequest: a word that is too long
    """
    words: dict[str, str] = {}
    for text in raw:
        word = text.strip()
        if len(word) > limits.max_alert_word_length:
            raise BadRequest(f"alert_words is too long (limit: {limits.max_alert_word_length} characters)")
        if word:
            words.setdefault(word.lower(), word)
    return list(words.values())
