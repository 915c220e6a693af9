"""Tokenizer of full-text search: the same for every database, so that all return the same results.

A *stem* is the common part of the forms of a word. Stems consist of lower-case letters, digits and marks only
and have at most MAX_WORD characters, so they can be joined with spaces and are never syntax in a search
index. `_` and punctuation separate words, so that a search finds a part of `foo_bar` or `a.b.c` as well as
the whole, which matches by all its parts (phrases find the exact spelling).

Scripts without spaces between words are cut into pairs of characters. A text yields each character and each
pair; a query yields only the pairs, or the character if there is just one.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import pairwise

from chatcore.domain.charsets import unescape_html

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
"""English words that occur in every text. All are ASCII, as are the remains of "it's" and "don't"."""


def search_words(text: str) -> list[str]:
    """Return the stems of a text, in order and with repetitions."""
    return list(_stems(text, _cut_for_text))


def content_words(rendered_content: str) -> list[str]:
    """Return the stems of the visible text of a message."""
    return search_words(text_of_html(rendered_content))


def message_text(topic: str, rendered_content: str) -> str:
    """Return the text of a message in which a search looks for words: its topic and its visible content."""
    return f"{topic}\n{text_of_html(rendered_content)}"


def message_words(topic: str, rendered_content: str) -> list[str]:
    """Return the stems by which a search finds a message."""
    return search_words(message_text(topic, rendered_content))


_QUOTED = re.compile(r'"([^"]*)"')


def parse_query(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stems that a query requires, and the (folded) phrases that it requires literally.

    A "quoted part" counts as both. An unpaired quotation mark is plain punctuation.
    """
    words = dict.fromkeys(_stems(text, _cut_for_query))
    phrases = dict.fromkeys(fold(phrase) for phrase in _QUOTED.findall(text) if phrase.strip())
    return tuple(words), tuple(phrases)


def fold(text: str) -> str:
    """Return a phrase as it is compared: only case and the encoding of accents are ignored."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def contains_phrase(phrase: str, topic: str, content: str) -> bool:
    """Whether the topic or the source text of a message contains the folded phrase."""
    return phrase in fold(content) or phrase in fold(topic)


def hit_test(stems: Collection[str]) -> Callable[[str], bool]:
    """Return a test of whether a piece of text has one of the stems of a query; meant for single words."""
    wanted = frozenset(stems)

    def is_hit(piece: str) -> bool:
        return not wanted.isdisjoint(search_words(piece))

    return is_hit


def surely_lacks(stems: Collection[str], text: str) -> bool:
    """Whether a text cannot have all of the stems of a query. Its words are not stemmed: an ASCII word begins
    like its stem.
    """
    if not text.isascii():
        return False
    lower = text.lower()
    return any(_beginning(stem) not in lower for stem in stems)


def possible_hit_finder(stems: Collection[str]) -> Callable[[str], Iterator[re.Match[str]]]:
    """Return a function that finds the words of a text that may have one of the *stems* of a query, without
    stemming each word.

    A stem differs from its words only at the end, so an ASCII word, or a part of it between underscores,
    begins like its stem. All words with other characters are found.
    """
    # Only where no letter or digit precedes. The lookbehind follows the letters because the regex engine can
    # skip quickly to literal letters.
    escaped = [re.escape(_beginning(stem)) for stem in stems]
    beginnings = re.compile("|".join(f"{letters}(?<![0-9a-z]{letters})" for letters in escaped))

    def find(text: str) -> Iterator[re.Match[str]]:
        lower = text.lower()
        if len(lower) != len(text):  # offsets in one are not valid in the other
            yield from MARKED_WORD.finditer(text)
            return
        starts = [match.start() for match in beginnings.finditer(lower)]
        if not text.isascii():
            starts += [match.start() for match in _NO_ASCII_OR_SIGN.finditer(text)]
            starts.sort()
        end = 0
        for start in starts:
            if start < end:  # in the word that was yielded last
                continue
            while start > end and _WORD_CHARACTER.match(text, start - 1):
                start -= 1
            if word := MARKED_WORD.match(text, start):
                end = word.end()
                yield word

    return find


def _beginning(stem: str) -> str:
    """Return the common prefix of a stem and all of its words: the stem without its last letter ("hop" for
    "hope", the stem of "hoping"), or without its last two ("t" for "tie", the stem of "tying").
    """
    return stem[: max(1, len(stem) - (2 if stem.endswith("ie") else 1))]


_TAG = re.compile(r"""</?([a-zA-Z0-9]*+)(?:[^<>"']++|"[^"]*+"|'[^']*+')*+>""")
_INLINE = frozenset({"a", "b", "code", "del", "em", "i", "s", "span", "strong", "sub", "sup", "time", "u"})


def text_of_html(html: str) -> str:
    """Return the visible text of our rendered HTML: no tags, no attributes, entities decoded.

    Paragraphs, lines and cells are kept apart; a word with formatting inside stays one word.
    """
    return unescape_html(_TAG.sub(lambda tag: "" if tag[1] in _INLINE else "\n", html))


_LEFT_OUT = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670"
_ACCENTS = re.compile(f"[{_LEFT_OUT}]+")
"""Combining marks that are often omitted in writing: of Latin, Greek, Cyrillic, Hebrew, Arabic."""


def _plain(text: str) -> str:
    """Return the text without case, accents and variant forms of characters."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


_ASCII_WORD = re.compile(f"([0-9a-z]{{1,{MAX_WORD}}})[0-9a-z]*")

# Vowel signs and the like: part of a word, but not matched by `\w` in `re`.
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
_PLAIN_WORD = re.compile(f"(?:[^\\W_]|[{_MARKS}])+")
_WORD_CHARACTER = re.compile(f"[\\w{_LEFT_OUT}{_MARKS}]")
_SIGNS = "\x80-\xa9\u2000-\u206f\u2190-\u245f\u2500-\u2775\u27c0-\u2bff\U0001f300-\U0001faff"
"""Blocks without word characters: spaces, punctuation, arrows, mathematics, frames, pictures."""
_NO_ASCII_OR_SIGN = re.compile(f"[^\\x00-\\x7f{_SIGNS}]")
MARKED_WORD = re.compile(f"{_WORD_CHARACTER.pattern}+")
"""A word in a text, with all of its marks, for highlighting hits."""
_UNSPACED_RUN = re.compile(f"([{_UNSPACED}]+)")


def _stems(text: str, cut_run: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """Yield the stems of a text; *cut_run* cuts a run of characters of scripts without spaces."""
    if text.isascii():
        yield from filter(None, map(_stem, _ASCII_WORD.findall(text.lower())))
        return
    for word in _PLAIN_WORD.findall(_plain(text)):
        # Split at a group: every second piece is one of the runs.
        for index, piece in enumerate(_UNSPACED_RUN.split(word)):
            if index % 2:
                yield from cut_run(piece)
            elif stem := _stem(piece[:MAX_WORD]):
                yield stem


def _cut_for_query(run: str) -> Iterator[str]:
    """Return the pairs of characters of a run, or its only character."""
    return map("".join, pairwise(run)) if len(run) > 1 else iter(run)


def _cut_for_text(run: str) -> Iterator[str]:
    """Yield each character of a run and each pair of them, so that queries of both kinds find it."""
    yield from run
    yield from map("".join, pairwise(run))


@lru_cache(maxsize=2**16)
def _stem(word: str) -> str:
    """Return the stem of one lower-case word, or "" for a stop word. Words with digits are kept unchanged."""
    if word in STOP_WORDS:
        return ""
    if not word.isalpha():
        return word
    from snowballstemmer.english_stemmer import EnglishStemmer  # imports the stemmers of all languages: 3 MB

    # A stemmer object holds the word being processed, so threads cannot share one.
    stem: str = EnglishStemmer().stemWord(word)
    return stem
