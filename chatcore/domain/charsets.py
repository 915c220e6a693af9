"""Texts in charsets that strangers name."""

import codecs
from typing import Final

NO_CHARSETS: Final = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Encodings of Python that are no charsets; the time of some grows with the square of the length."""


def decoded(data: bytes, charset: str) -> str | None:
    """Return a text in a charset, with a replacement for what cannot be read; None for an unknown charset."""
    try:
        found = codecs.lookup(charset)
        if found.name.replace("_", "-") in NO_CHARSETS:
            return None
        return data.decode(found.name, "replace")
    except (LookupError, ValueError):
        return None
