"""Alert words: candidates for a text, and the users whose words really occur in it.

The tokens of a text are its runs of word characters. An alert word can only occur in a text that has its
first token. So the few candidates can be looked up by the text's tokens, however many alert words there are.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from chatcore.domain.errors import too_long
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits

_TOKEN = re.compile(r"\w+")
_BEFORE = re.compile(r"""^|[ \n("\.,';\[*`>]""")
_AFTER = re.compile(r"[ \n)?:.,';\]!*`]|$")


def tokens(text: str) -> frozenset[str]:
    """Return the tokens of a text in lower case, and the empty one, which alert words without tokens have."""
    return frozenset(_TOKEN.findall(text.lower())) | {""}


def first_token(word: str) -> str:
    """Return the first token of an alert word in lower case; empty for one such as ``++``."""
    token = _TOKEN.search(word.lower())
    return "" if token is None else token[0]


def users_alerted(text: str, candidates: Iterable[tuple[UserId, str]]) -> frozenset[UserId]:
    """Return the users with a word that occurs in the text, including in code and links, ignoring case."""
    users: defaultdict[str, set[UserId]] = defaultdict(set)
    for user_id, word in candidates:
        users[word.lower()].add(user_id)
    return frozenset().union(*(users[word] for word in _occurring(text.lower(), users)))


def _occurring(text: str, words: Iterable[str]) -> Iterator[str]:
    """Yield the words between two borders of the text. A start is tried once per length, not per word."""
    by_length: defaultdict[int, set[str]] = defaultdict(set)
    for word in words:
        if word and word in text:
            by_length[len(word)].add(word)
    if not by_length:
        return
    starts = [before.end() for before in _BEFORE.finditer(text)]
    ends = {after.start() for after in _AFTER.finditer(text)}
    for length, wanted in by_length.items():
        for start in starts:
            if start + length in ends and (piece := text[start : start + length]) in wanted:
                yield piece
                wanted.remove(piece)
                if not wanted:
                    break


def read_words(raw: list[str], limits: Limits) -> list[str]:
    """Return the words sent by a client: stripped, without blank ones, and unique ignoring case.

    :raises BadRequest: a word that is too long
    """
    words: dict[str, str] = {}
    for text in raw:
        word = text.strip()
        if len(word) > limits.max_alert_word_length:
            raise too_long("alert_words", limits.max_alert_word_length)
        if word:
            words.setdefault(word.lower(), word)
    return list(words.values())
