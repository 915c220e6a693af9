"""Characters of texts: which of them stores can hold, names refuse, and people see.

Users trust the names that they see, so names contain no invisible characters: none that reorder the
surrounding text, and none that make two names look the same. Some scripts and emoji need such characters;
they are kept only there.
"""

import re
import unicodedata
from collections.abc import Iterator

from chatcore.domain.errors import BadRequest

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point, and the separators of lines and annotations."""

_JOINING = "[\u0590-\u1cff\ua800-\uabff\U00010a00-\U00011fff\U0001e900-\U0001e95f]"
"""Scripts, from Hebrew on, whose letters can be joined or kept apart."""
_VIRAMA = "[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]"
_IDEOGRAPH = "[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_EMOJI = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff]"
    "[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
)
_MEANT = re.compile(
    "|".join(
        (
            f"(?<={_JOINING})[\u200c\u200d](?={_JOINING})",  # letters, joined or kept apart
            f"(?<={_VIRAMA})\u200d",  # half forms of Indic consonants
            "(?<=[\u1800-\u18af])[\u180b-\u180f]",  # variants of Mongolian letters
            "(?<=[\u1000-\u109f\ua840-\ua87f\uaa60-\uaa7f])\ufe00",  # of Burmese and Phags-pa letters
            f"(?<={_IDEOGRAPH})[\ufe00-\ufe02\U000e0100-\U000e01ef]",  # of ideographs
            "[0-9#*]\ufe0f\u20e3",  # keycaps
            "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f",  # flags of regions
            f"{_EMOJI}(?:\u200d{_EMOJI})*",  # emoji, and several joined to one
        )
    )
)
"""Contexts in which invisible characters change the appearance of their neighbours."""
_DIRECTION_MARKS = "\u061c\u200e\u200f"
"""Marks that place punctuation between words correctly in text written from right to left."""
_BLANKS = re.compile("[\u2800]")  # the Braille pattern without dots

MAX_CHARACTERS_OF_NAMES = 400
"""Upper bound for the length of any name, even if each of its characters is written as four."""


def storable(text: str) -> str:
    """Return a text in which a sign stands for each character that no store can hold."""
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_storable(text: str) -> bool:
    """Whether every store can hold *text*: no null bytes, and no lone surrogates."""
    return "\0" not in text and is_text(text)


def is_text(text: str) -> bool:
    """Whether *text* can be encoded as UTF-8; a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_characters(text: str, what: str) -> None:
    """Refuse control characters, surrogates and Unicode non-characters.

    :raises BadRequest: naming the 1-based position of the first one
    """
    for position, character in enumerate(text, start=1):
        if _is_forbidden(character):
            raise _invalid(what, position)


def check_name(name: str, what: str) -> None:
    """Refuse the characters that `check_characters` refuses, and invisible ones without meaning.

    :raises BadRequest: naming the 1-based position of the first one
    """
    check_characters(name, what)
    first = next(_meaningless_indexes(name), None)
    if first is not None:
        raise _invalid(what, first + 1)


def cleaned_characters(text: str) -> str:
    """Return a text without the characters that `check_characters` refuses; tabs and line breaks become
    blanks. For texts that nobody can write again.
    """
    spaced = (" " if character.isspace() else character for character in text)
    return "".join(character for character in spaced if not _is_forbidden(character))


def stripped_name(name: str) -> str:
    """Return a name without the characters that `check_name` refuses."""
    name = "".join(character for character in name if not _is_forbidden(character))
    meaningless = frozenset(_meaningless_indexes(name))
    return "".join(character for index, character in enumerate(name) if index not in meaningless)


def _is_forbidden(character: str) -> bool:
    code = ord(character)
    is_noncharacter = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return is_noncharacter or unicodedata.category(character) in ("Cc", "Cs")


def _meaningless_indexes(name: str) -> Iterator[int]:
    """Yield the indexes of invisible characters that have no meaning in the name."""
    if not _INVISIBLE.search(name):
        return
    without_meant = _MEANT.sub(lambda meant: "x" * len(meant[0]), name)
    allowed_marks = _DIRECTION_MARKS if any(map(_is_right_to_left, name)) else ""
    for match in _INVISIBLE.finditer(without_meant):
        if match[0] not in allowed_marks:
            yield match.start()


def _is_right_to_left(character: str) -> bool:
    return character.isalpha() and unicodedata.bidirectional(character) in ("R", "AL")


def isolate(text: str) -> str:
    """Return a text to be put into a sentence. If any of it is written from right to left, it is enclosed in
    characters that keep the words around it in their places.
    """
    return f"\u2068{text}\u2069" if any(map(_is_right_to_left, text)) else text


def _invalid(what: str, position: int) -> BadRequest:
    return BadRequest(f"Invalid character in {what}, at position {position}.")


def length(name: str) -> int:
    """Return the number of characters of a name after composition of accents (NFC)."""
    if len(name) > MAX_CHARACTERS_OF_NAMES:
        return len(name)  # composing takes quadratic time for a run of accents
    return len(unicodedata.normalize("NFC", name))


def visible(name: str) -> str:
    """Return the visible part of a name, empty for a blank one."""
    return _BLANKS.sub(" ", _INVISIBLE.sub("", name)).strip()


def look_key(name: str) -> str:
    """Return a key that is equal for names that look alike: without case, width and invisible characters."""
    return " ".join(unicodedata.normalize("NFKC", visible(name)).casefold().split())
