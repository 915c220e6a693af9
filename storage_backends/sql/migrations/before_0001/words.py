"""The words by which a search finds a message, as they were when the index was built from them."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from itertools import pairwise

MAX_WORD = 64

STOP_WORDS = frozenset(
    """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is
    are was were be been being have has had having do does did doing a an the and but if or because as until
    while of at by for with about against between into through during before after above below to from up
    down in out on off over under again further then once here there when where why how all any both each
    few more most other some such no nor not only own same so than too very s t can will just don should now
    """.split()  # noqa: SIM905
)


def search_words(text: str) -> Iterator[str]:
    """Yield the stems of a text, in order and with repetitions."""
    if text.isascii():
        yield from filter(None, map(_stem, _ASCII_WORD.findall(text.lower())))
        return
    for word in _WORD.findall(_plain(text)):
        # Split at a group: every second piece is one of the runs.
        for index, piece in enumerate(_UNSPACED_RUN.split(word)):
            if index % 2:
                yield from piece
                yield from map("".join, pairwise(piece))
            elif stem := _stem(piece[:MAX_WORD]):
                yield stem


def content_words(rendered_content: str) -> Iterator[str]:
    """Yield the stems of the visible text of a message."""
    return search_words(_text_of_html(rendered_content))


def fold(text: str) -> str:
    """Return a phrase as it is compared: only case and the encoding of accents are ignored."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


_TAG = re.compile(r"""</?([a-zA-Z0-9]*+)(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>""")
_INLINE = frozenset({"a", "b", "code", "del", "em", "i", "s", "span", "strong", "sub", "sup", "time", "u"})


def _text_of_html(html: str) -> str:
    return unescape(_TAG.sub(lambda tag: "" if tag[1] in _INLINE else "\n", html))


_LEFT_OUT = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
_ACCENTS = re.compile(f"[{_LEFT_OUT}]+")


def _plain(text: str) -> str:
    """Return the text without case, accents and variant forms of characters."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


_ASCII_WORD = re.compile(f"([0-9a-z]{{1,{MAX_WORD}}})[0-9a-z]*")
_MARKS = "".join(
    character
    for block in (range(0x0483, 0x1E00), range(0x3099, 0x309B), range(0xA66F, 0xAC00))
    for character in map(chr, block)
    if unicodedata.category(character) in ("Mn", "Mc")
)
_UNSPACED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u109d\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\uac00-\ud7a3"  # Hangul, whose spaces divide phrases
)
_WORD = re.compile(f"(?:[^\\W_]|[{_MARKS}])+")
_UNSPACED_RUN = re.compile(f"([{_UNSPACED}]+)")


@lru_cache(maxsize=2**16)
def _stem(word: str) -> str:
    """Return the stem of one lower-case word, or "" for a stop word. Words with digits are kept unchanged."""
    if word in STOP_WORDS:
        return ""
    if not word.isalpha():
        return word
    from snowballstemmer.english_stemmer import EnglishStemmer  # imports the stemmers of all languages: 3 MB

    stem: str = EnglishStemmer().stemWord(word)
    return stem
