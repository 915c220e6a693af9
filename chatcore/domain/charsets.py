"""Texts in charsets that strangers name."""

import codecs
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
