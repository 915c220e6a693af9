"""Headers of mails as texts: encoded words, bytes that are not encoded, and names of files."""

import re
from base64 import b64encode
from binascii import a2b_base64, a2b_qp
from collections.abc import Iterator
from email.message import Message
from typing import Final

from chatcore.domain.charsets import decode_text

_WORD: Final = re.compile(r"=\?([^?\s]{1,80})\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_NO_BASE64: Final = re.compile("[^A-Za-z0-9+/]")


def in_one_charset(source: str) -> str:
    """Return a header with its encoded words and other characters in UTF-8, which the library reads whole.

    It decodes each word by itself, also where a character is divided among two, and as ASCII if one of its
    bytes is not in the charset.
    """
    pieces = []
    was_word = False
    for text, is_word in _texts(readable(source)):
        blank = " " if was_word and is_word else ""
        pieces.append(f"{blank}=?utf-8?b?{b64encode(text.encode()).decode()}?=" if is_word else text)
        was_word = is_word
    return "".join(pieces)


def file_name(disposition: str, content_type: str) -> str:
    """Return the name of a file by these headers, or an empty text."""
    for header, name in ((disposition, "filename"), (content_type, "name")):
        message: Message = Message()
        message["Content-Type"] = readable(header)
        given = [value for key, value in message.get_params([]) if key.lower() == name]
        for value in given:  # a name in a charset has an older form of it before it
            if isinstance(value, tuple):
                charset, _, text = value
                return decode_text(text.encode("latin-1", "replace"), charset or "")
        if given and given[0]:
            return "".join(text for text, _ in _texts(given[0]))
    return ""


def readable(source: str) -> str:
    """Return a header as it stands in the mail, with the characters that its bytes are meant to be."""
    return source if source.isascii() else decode_text(source.encode("utf-8", "surrogateescape"))


def _texts(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a header, each with whether it was an encoded word. Blanks between two of them mean
    nothing.
    """
    at, charset, data = 0, "", b""
    for word in _WORD.finditer(source):
        name = word[1].partition("*")[0].lower()
        between = source[at : word.start()]
        if data and (between.strip() or name != charset):
            yield decode_text(data, charset), True
            data = b""
        if between.strip() or (between and at == 0):
            yield between, False
        charset, data, at = name, data + _bytes_of(word[2].lower(), word[3]), word.end()
    if data:
        yield decode_text(data, charset), True
    yield source[at:], False


def _bytes_of(encoding: str, text: str) -> bytes:
    if encoding == "q":
        return a2b_qp(text.encode(), header=True)
    digits = _NO_BASE64.sub("", text)
    return a2b_base64(digits[: len(digits) - (len(digits) % 4 == 1)] + "==")
