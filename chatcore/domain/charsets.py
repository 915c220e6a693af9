"""Texts in charsets that strangers name, and characters that they name by numbers."""

import codecs
import re
from html import unescape
from typing import Final

NO_CHARSETS: Final = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Encodings of Python that are no charsets; the time of some grows with the square of the length."""


def decoded(data: bytes, charset: str, errors: str) -> str | None:
    """Return a text in a charset, with *errors* treated as `bytes.decode` does; None for an unknown charset,
    or a text that is not in it.
    """
    try:
        found = codecs.lookup(charset)
        if found.name.replace("_", "-") in NO_CHARSETS:
            return None
        return data.decode(found.name, errors)
    except (LookupError, ValueError):
        return None


_TOO_LARGE: Final = re.compile("&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
NO_CHARACTER: Final = "\ufffd"


def with_possible_references(html: str) -> str:
    """Return a page of HTML without references to characters by numbers that no character has; Python reads
    no number of thousands of digits.
    """
    return _TOO_LARGE.sub(NO_CHARACTER, html)


def unescaped(html: str) -> str:
    """Return a text of HTML with the characters that its references mean."""
    return unescape(with_possible_references(html))
